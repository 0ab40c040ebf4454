"""Tables on standard output, in the formats that people paste them into."""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Sequence

import click

from ..errors import InputError, nearest

FORMATS = ("table", "json", "csv", "latex", "markdown")
Cell = str | float | int | bool | None


format_option = click.option(
    "-f", "--format", default="table", show_default=True, help="table, json, csv, latex or markdown"
)


def check_format(name: str) -> None:
    """Refuse an unknown format before any work is done."""
    if name not in FORMATS:
        raise InputError(f"no format named '{name}'{nearest(name, FORMATS)}")


def table(
    header: Sequence[str], rows: Sequence[Sequence[Cell]], format: str, title: str | None, digits: int = 3
) -> None:
    """Print a table. Numbers are rounded to `digits`, except in json and csv, which keep all of them."""
    check_format(format)
    if format == "json":
        print(
            json.dumps([dict(zip(header, map(_plain, row), strict=True)) for row in rows], ensure_ascii=False, indent=1)
        )
    elif format == "csv":
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([["" if cell is None else cell for cell in map(_plain, row)] for row in rows])
        print(buffer.getvalue(), end="")
    else:
        written = [[_written(cell, digits) for cell in row] for row in rows]
        {"table": _table, "latex": _latex, "markdown": _markdown}[format](header, written, title)


def interval(low: float, high: float) -> str:
    """`[0, 100]`, `[0, ∞)`: a range of scores."""
    left = "(−∞" if low == -math.inf else f"[{low:g}".replace("-", "−")
    return f"{left}, {'∞)' if high == math.inf else f'{high:g}]'}"


def _plain(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def _written(cell: Cell, digits: int) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    return f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell)


def _numeric(rows: Sequence[Sequence[str]], column: int) -> bool:
    cells = [row[column].replace("–", "").replace(",", "").lstrip("−-") for row in rows]
    return any(cells) and all(not cell or cell.replace(".", "", 1).isdigit() for cell in cells)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], title: str | None) -> None:
    """Aligned columns, two spaces apart; on a terminal the last one is folded to fit."""
    terminal = sys.stdout.isatty()
    widths = [max(map(_width, column)) for column in zip(header, *rows, strict=True)]
    right = [_numeric(rows, column) for column in range(len(header))]
    used = sum(widths[:-1]) + 2 * (len(widths) - 1)
    room = shutil.get_terminal_size().columns - used if terminal else sys.maxsize
    if title:
        print(title)
    bold, plain = ("\033[1m", "\033[0m") if terminal else ("", "")
    print(bold + _line(header, widths, right) + plain)
    print("─" * (used + min(widths[-1], room)))
    for row in rows:
        folded = textwrap.wrap(row[-1], room) if 20 <= room < _width(row[-1]) else [row[-1]]
        print(_line([*row[:-1], folded[0]], widths, right))
        for rest in folded[1:]:
            print(" " * used + rest)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = (
        " " * (width - _width(cell)) + cell if number else cell + " " * (width - _width(cell))
        for cell, width, number in zip(cells, widths, right, strict=True)
    )
    return "  ".join(padded).rstrip()


def _width(text: str) -> int:
    """Columns on a terminal: a Chinese character takes two, a combining mark none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(mark) else 2 if unicodedata.east_asian_width(mark) in "WF" else 1 for mark in text
    )


_LATEX = str.maketrans(
    {mark: f"\\{mark}" for mark in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\^{}", "\\": r"\textbackslash{}", "–": "--", "∞": r"$\infty$", "−": "$-$"}
    | {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
)


def _latex(header: Sequence[str], rows: Sequence[Sequence[str]], title: str | None) -> None:
    if title:
        print(f"% {title}")
    alignment = "".join("r" if _numeric(rows, column) else "l" for column in range(len(header)))
    print(f"\\begin{{tabular}}{{{alignment}}}\n\\toprule")
    print(" & ".join(name.translate(_LATEX) for name in header) + r" \\")
    print(r"\midrule")
    for row in rows:
        print(" & ".join(cell.translate(_LATEX) for cell in row) + r" \\")
    print("\\bottomrule\n\\end{tabular}")


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]], title: str | None) -> None:
    if title:
        print(f"**{title}**\n")
    print("| " + " | ".join(header) + " |")
    print("|" + "|".join("---:" if _numeric(rows, column) else "---" for column in range(len(header))) + "|")
    for row in rows:
        print("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |")
