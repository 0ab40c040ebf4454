"""Draws docs/architecture.svg: the six layers of the import contract, and the walks of three commands through them.

python bench/architecture.py
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

FILE = Path(__file__).parents[2] / "docs" / "architecture.svg"
STYLE = """
.page{fill:#ffffff}.layer{fill:#f3f5f8}.box{fill:#ffffff;stroke:#8a94a3}.name{fill:#16202e;font-size:17px;font-weight:600}
.sub{fill:#4a5565;font-size:14px}.label{stroke:#f3f5f8;stroke-width:6;paint-order:stroke}
.walk{fill:none;stroke-width:3}
.score{stroke:#0b6bcb}.meta{stroke:#b3470f}.references{stroke:#1c7c3c}
.head{stroke:none}.head.score{fill:#0b6bcb}.head.meta{fill:#b3470f}.head.references{fill:#1c7c3c}
@media (prefers-color-scheme: dark){.page{fill:#12171f}.layer{fill:#1a212c}.box{fill:#232d3b;stroke:#5f6b7c}
.name{fill:#eef2f7}.sub{fill:#b3bdcb}.label{stroke:#1a212c}.score{stroke:#6db3f8}.meta{stroke:#f0a06a}.references{stroke:#6fd08c}
.head.score{fill:#6db3f8}.head.meta{fill:#f0a06a}.head.references{fill:#6fd08c}}
"""
WALKS = {"score": "score", "meta": "meta", "references": "references score"}
LAYERS = (  # top, height, the packages of the layer
    (10, 110, "cli, web"),
    (130, 34, "reports: one HTML file, of what is below; in none of these walks"),
    (174, 110, "the studies: meta, comparison, references, extrinsic; and cards"),
    (294, 110, "evaluate, select"),
    (414, 210, "metrics, paraphrasers, compute, benchmarks, testing; metric, paraphraser"),
    (634, 170, "models, runs, files, tables, verdict, text, stats; registry, parameters, process, errors, printable"),
)
BOXES = (  # left, top, width, name, what it does
    (20, 48, 290, "cli/score.py", "parse, call, print"),
    (335, 48, 290, "cli/meta.py", "parse, call, print"),
    (650, 48, 290, "cli/references.py", "parse, call, print"),
    (335, 212, 290, "meta/", "scored, leaderboard, comparisons"),
    (650, 212, 290, "references/", "task, scoring, gains"),
    (
        20,
        332,
        920,
        "evaluate/",
        "score_file · choose · plan · drive: engines, or this process · part: a pure function of a part",
    ),
    (20, 452, 920, "metrics/, metric.py", "one score per row, or counts per row"),
    (20, 552, 605, "compute/", "workspace: a feature of a text once; store: the disk cache"),
    (20, 672, 290, "models/", "encoders, language models, vectors"),
    (335, 672, 290, "text/", "tokens, n-grams, edits"),
    (650, 672, 290, "verdict/", "rules, judgment, tally, words"),
)
ARROWS = (  # walk, x, from, to
    ("score", 165, 108, 332),
    ("meta", 480, 108, 212),
    ("references", 795, 108, 212),
    ("meta", 480, 272, 332),
    ("references", 795, 272, 332),
    *((walk, x, 392, 452) for walk, x in zip(WALKS, (165, 480, 795), strict=True)),
    *((walk, x, 512, 552) for walk, x in zip(WALKS, (120, 322, 525), strict=True)),
    *((walk, x, 612, 672) for walk, x in zip(WALKS, (95, 165, 235), strict=True)),
    *((walk, x, 612, 672) for walk, x in zip(WALKS, (410, 480, 550), strict=True)),
    ("score", 725, 512, 672),
    ("meta", 795, 512, 672),
    ("references", 865, 512, 672),
)
REMARKS = (
    "Samples, Scores and Ratings (tables/), read and written by files/, are what passes through;",
    "runs/ keeps finished parts; stats/ gives intervals and tests. meta reads its Ratings from benchmarks/ or a file.",
)


def drawn() -> str:
    """The picture."""
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 850" role="img" aria-labelledby="title" '
        'font-family="system-ui, sans-serif">',
        '<title id="title">The six layers of paragauge, and the walks of score, meta and references score: '
        "each goes down once</title>",
        f"<style>{STYLE}</style>",
        '<rect class="page" width="960" height="850"/>',
    ]
    for top, height, _ in LAYERS:
        lines.append(f'<rect class="layer" x="8" y="{top}" width="944" height="{height}" rx="8"/>')
    for left, top, width, name, what in BOXES:
        middle = left + width // 2
        lines.append(f'<rect class="box" x="{left}" y="{top}" width="{width}" height="60" rx="8"/>')
        lines.append(f'<text class="name" x="{middle}" y="{top + 26}" text-anchor="middle">{name}</text>')
        lines.append(f'<text class="sub" x="{middle}" y="{top + 47}" text-anchor="middle">{what}</text>')
    for walk, x, start, end in ARROWS:
        lines.append(f'<path class="walk {walk}" d="M{x} {start}V{end - 9}"/>')
        lines.append(f'<path class="head {walk}" d="M{x - 7} {end - 11}h14l-7 11z"/>')
    for top, _, name in LAYERS:  # over the arrows that cross them
        lines.append(f'<text class="sub label" x="20" y="{top + 22}">{name}</text>')
    lines += [f'<text class="sub" x="20" y="{760 + 22 * place}">{text}</text>' for place, text in enumerate(REMARKS)]
    return "\n".join([*lines, *legend(list(WALKS.items())), "</svg>", ""])


def legend(walks: Sequence[tuple[str, str]]) -> list[str]:
    """Which colour is which command."""
    found = []
    for x, (walk, command) in zip((20, 120, 220), walks, strict=True):
        found.append(f'<path class="walk {walk}" d="M{x} 825h28"/>')
        found.append(f'<text class="sub" x="{x + 36}" y="830">{command}</text>')
    return found


if __name__ == "__main__":
    FILE.write_text(drawn(), encoding="utf-8")
