"""Plain English in help, errors, docstrings and documents: words that the field uses, and none coined here."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "paragauge"
# what is written instead; "there is no x", "tell apart" and "no longer" are plain
INSTEAD = {
    r"\btold\b(?! apart| them apart)": "said, shown, reported, asked",
    r"\bfore(see|sight|seen|sees)\b": "predict, prediction",
    r"\bfell to\b": "were rejected by",
    r"\banew\b": "again",
    r"\blest\b": "so that … not",
    r"\bdear(er|est)?\b": "expensive",
    r"\bfurther (?=references?|files?|weights|names?|sequences?|systems?|columns?|rows?|ones)": "additional, more",
    r"(?<!there )\b(is|are|was|were) no (?!longer|more|less|better|worse|other|deeper|one)(?=\w)": "is not a, are not",
    r"\bbeside\b": "next to, besides",
    r"\b(whoever|whosoever|whomever)\b": "the rater, the worker, a caller",
    r"\bbegun\b": "started",
    r"\bcannot be had\b|\bnot to be had\b": "could not be downloaded, is not available",
}
# lists of words, which are data
DATA = ("text/inflect.py", "text/stopwords.py", "verdict/rules/roles.py")


def strings() -> Iterator[tuple[str, str]]:
    """Everything that the package says, with its place."""
    for file in sorted(PACKAGE.rglob("*.py")):
        if file.relative_to(PACKAGE).as_posix() not in DATA:
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield f"{file.relative_to(ROOT)}:{node.lineno}", node.value


def documents() -> Iterator[tuple[str, str]]:
    """Every document, without code."""
    for file in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]:
        text = re.sub(r"```.*?```|`[^`]*`", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        for place, paragraph in enumerate(text.split("\n\n"), 1):
            yield f"{file.relative_to(ROOT)}, paragraph {place}", paragraph


@pytest.mark.parametrize("said", [strings, documents])
def test_words_are_plain(said):
    found = [
        f"{place}: {match[0]!r}; write: {instead}"
        for place, text in said()
        for pattern, instead in INSTEAD.items()
        for match in re.finditer(pattern, " ".join(text.split()), re.IGNORECASE)
    ]
    assert found == []
