"""What Bawden et al. 2020 published with their paper: files of scores and of diversity, and tables in LaTeX."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError
from paragauge.files.content import Content

Floats = NDArray[np.float64]
_GROUP = re.compile(r"\\multirow\{\d+\}\{\*\}\{(?:\\pbox\{[^}]*\}\{)?([^{}]*)\}+")
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")  # after an even number of backslashes the sign is not escaped
_NUMBER = re.compile(r"-?\d*\.?\d+")
METHODS = ("beam", "random", "sampled", "laser", "treelstm")


def score_file(folder: Path, metric: str, method: str, extras: int, level: str) -> Path:
    """Where the scores of a method are: `metric` is bleu or meteor, `level` such as syslevel or seglevel.500.

    Method `baseline` has the reference alone; `output-specific laser` and the like one paraphrase for each output.
    """
    scores = folder / "metric-scores"
    if method == "baseline":
        return scores / f"{'sacreBLEU' if metric == 'bleu' else 'Meteor'}-{level}.tsv"
    if method == "human":
        return scores / "human" / f"par{metric}-human-{level}.tsv"
    if method.startswith("output-specific "):
        code = method.removeprefix("output-specific ")
        return scores / "mt-output-specific" / f"par{metric}-constrained-{code}.{level}.tsv"
    return scores / method / f"par{metric}-{method}.num={extras}-{level}.tsv"


def read_scores(path: Path) -> dict[str, dict[str, Floats]]:
    """Scores by language pair and system, in the order of the segments.

    Lines are metric, pair, test set, system, segment (absent or empty at the system level), score. Two of the files
    have the commands that made them between the lines; and one has a line without a score. Both are left out.
    """
    found: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for line in Content(path).lines():
        parts = line.rstrip("\n").split("\t")
        if len(parts) not in (5, 6) or not parts[-1].strip():
            continue
        segment = int(parts[4]) if len(parts) == 6 and parts[4] else 0
        found.setdefault(parts[1], {}).setdefault(parts[3], []).append((segment, float(parts[-1])))
    if not found:
        raise InputError(f"{path} has no scores; expected lines of metric, pair, test set, system, score")
    return {
        pair: {system: _in_order(values, path, system) for system, values in systems.items()}
        for pair, systems in found.items()
    }


def _in_order(values: list[tuple[int, float]], path: Path, system: str) -> Floats:
    values = sorted(values)
    numbers = [number for number, _ in values]
    if numbers not in ([0], list(range(1, len(values) + 1))):
        raise InputError(f"{path}: the segments of {system} are not counted 1, 2, 3 …; one is missing or there twice")
    return np.array([score for _, score in values])


def read_diversity(path: Path) -> dict[str, float]:
    """Diversity by language pair (`de-en`), and of all under `average`."""
    text = "".join(Content(path).lines())
    found = {f"{a}-{b}": float(value) for a, b, value in re.findall(r"\t(\w\w)(\w\w)-newstest2019 = (\S+)", text)}
    average = re.search(r"averaged over all languages = (\S+)", text)
    if average is None:
        raise InputError(f"{path} has no line 'averaged over all languages'")
    return found | {"average": float(average[1])}


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
