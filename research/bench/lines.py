"""The rooms of the tree: their files and lines, in the package, in its tests and in the research project.

    python research/bench/lines.py

Python files alone; every line counts, whether code, docstring or blank.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = {
    "package": ROOT / "src" / "paragauge",
    "tests": ROOT / "tests",
    "research": ROOT / "research" / "src" / "paragauge_research",
    "tests of research": ROOT / "research" / "tests",
    "bench": ROOT / "research" / "bench",
}


def rooms(folder: Path) -> dict[str, tuple[int, int]]:
    """Files and lines of each folder directly in this one, and of the files that are in none."""
    counts: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for file in sorted(folder.rglob("*.py")):
        parts = file.relative_to(folder).parts
        room = f"{parts[0]}/" if len(parts) > 1 else "top"
        files, lines = counts[room]
        counts[room] = files + 1, lines + len(file.read_text(encoding="utf-8").splitlines())
    return counts


def table() -> str:
    """One line for each room, and one for each part of the tree."""
    lines = [f"{'':24}{'files':>7}{'lines':>9}"]
    for part, folder in PARTS.items():
        found = rooms(folder)
        sums = [sum(counts) for counts in zip(*found.values(), strict=True)]
        lines += [f"{room:24}{files:>7,}{count:>9,}" for room, (files, count) in sorted(found.items())]
        lines.append(f"{part.upper():24}{sums[0]:>7,}{sums[1]:>9,}\n")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
