"""The rows of a published LaTeX table: labels, numbers as printed, and which of them are bold."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from paragauge.files.content import Content

_GROUP = re.compile(r"\\multirow\{\d+\}\{\*\}\{(?:\\pbox\{[^}]*\}\{)?([^{}]*)\}+")
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")  # after an even number of backslashes the sign is not escaped
_NUMBER = re.compile(r"-?\d*\.?\d+")


class Printed(NamedTuple):
    """A number as it stands in the table; None where there is a dash or nothing."""

    text: str | None
    bold: bool


class Row(NamedTuple):
    """A line of a table; `group` is what it or a line above names for several methods."""

    part: int  # which tabular of the file
    group: str
    method: str
    cells: list[Printed]


def read_table(path: Path) -> list[Row]:
    """Every row with numbers. Labels are the words in the cells before the first number."""
    rows = []
    part, group = -1, ""
    for raw in Content(path).lines():
        line = _COMMENT.sub(r"\1", raw).strip()
        if r"\begin{tabular}" in line:
            part, group = part + 1, ""
        if found := _GROUP.match(line):
            group, line = found[1].strip(), line[found.end() :].strip()
        if not line.endswith(r"\\") or (r"\multicolumn" in line):
            continue
        cells = [cell.strip() for cell in line.removesuffix(r"\\").split("&")]
        numbers = [_number(cell) for cell in cells]
        first = next((place for place, number in enumerate(numbers) if number is not None), None)
        if first is None:
            continue
        labels = [_words(cell) for cell in cells[:first]]
        if labels and labels[0]:
            group = labels[0]
        method = next((label for label in labels[1:] if label), "")
        rows.append(Row(part, group, method, [number for number in numbers[first:] if number is not None]))
    return rows


def _number(cell: str) -> Printed | None:
    """A number, perhaps in braces, bold or small; None for a label or an empty cell."""
    plain = re.sub(r"\\textbf|\\tiny|[{}*()\s]", "", cell)
    if plain == "-":
        return Printed(None, False)
    return Printed(plain, r"\textbf" in cell) if _NUMBER.fullmatch(plain) else None


def _words(cell: str) -> str:
    """`laser` of `\\laser`; commands that only set type are left out."""
    return re.sub(r"\\tiny|\\hphantom\{[^}]*\}|[\\{}]", "", cell).strip()
