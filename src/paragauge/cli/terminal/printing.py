"""Tables on standard output, in the formats that people paste them into, whatever its encoding."""

from __future__ import annotations

import codecs
import csv
import io
import json
import math
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, TextIO

import click

from ...printable import guard_cell, printable, printable_json, printable_lines

FORMATS = ("table", "json", "csv", "latex", "markdown")
Cell = str | float | int | bool | None
_NARROWEST = 20  # a column of texts is not folded to less
SPREADSHEET = "paragauge.spreadsheet"  # in the context of a command


def for_spreadsheet() -> bool:
    """Was `--spreadsheet` given?"""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(SPREADSHEET))


def lines(*texts: str) -> None:
    """Print lines, each on one line whatever it quotes."""
    for text in texts:
        print(printable(text))


def remark(text: str, format: str) -> None:
    """Print a line that belongs to a table, in the table's format."""
    shown = printable(text)
    print({"latex": f"% {shown}", "markdown": _markdown_text(shown)}.get(format, shown))


def as_json(value: Any) -> None:
    """Print a value as JSON."""
    print(printable_json(json.dumps(value, ensure_ascii=False, indent=1)))


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    format: str,
    title: str | None,
    digits: int = 3,
    room: int = sys.maxsize,
) -> None:
    """Print a table. Numbers are rounded to `digits`, except in json and csv, which keep all of them.

    `room` is how wide a plain table may be; a terminal has its own width.
    """
    if format == "json":
        records = [dict(zip(header, map(_plain, row), strict=True)) for row in rows]
        as_json(records)
    elif format == "csv":
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerows([_csv_cell(cell) for cell in row] for row in (header, *rows))
        print(buffer.getvalue(), end="")
    else:
        written = [[printable(_written(cell, digits)) for cell in row] for row in rows]
        layouts: dict[str, Callable[[Sequence[str], Sequence[Sequence[str]], str | None], None]]
        layouts = {"table": partial(_table, room=room), "latex": _latex, "markdown": _markdown}
        layouts[format]([printable(name) for name in header], written, printable(title) if title else None)


def interval(low: float, high: float) -> str:
    """`[0, 100]`, `[0, ∞)`: a range of scores."""
    left = "(−∞" if low == -math.inf else f"[{low:g}".replace("-", "−")
    return f"{left}, {'∞)' if high == math.inf else f'{high:g}]'}"


def _plain(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def _csv_cell(cell: Cell) -> Cell:
    cell = _plain(cell)
    if not isinstance(cell, str):
        return cell
    text = printable_lines(cell)
    return guard_cell(text) if for_spreadsheet() else text


def _written(cell: Cell, digits: int) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    return f"{cell:z.{digits}f}" if isinstance(cell, float) else str(cell)  # z: no −0.000


def _numeric(column: Sequence[str]) -> bool:
    """Are these numbers, or the dashes of undefined ones?"""
    cells = [cell.removeprefix("−").removeprefix("-").replace(",", "") for cell in column]
    return any(cells) and all(cell in ("", "–") or cell.replace(".", "", 1).isdigit() for cell in cells)


def _columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[row[place] for row in rows] for place in range(len(header))]


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], title: str | None, room: int = sys.maxsize) -> None:
    """Aligned columns, two spaces apart; on a terminal cells are folded, and then columns set in blocks, to fit."""
    terminal = sys.stdout.isatty()
    room = shutil.get_terminal_size().columns if terminal else room
    columns = list(zip(header, *rows, strict=True))
    widths = _fitted(columns, room)
    bold, plain = ("\033[1m", "\033[0m") if terminal else ("", "")
    if title:
        print(title)
    for number, block in enumerate(_blocks(widths, _keys(rows), room)):
        own = [columns[place] for place in block]
        fitting = _fitted(own, room)
        right = [_numeric(column[1:]) for column in own]
        names, *lines = (_folded(cells, fitting, right) for cells in zip(*own, strict=True))
        print("\n" * bool(number) + "\n".join(bold + line + plain for line in names))
        print("─" * _across(fitting))
        for line in lines:
            print("\n".join(line))


def _across(widths: Sequence[int]) -> int:
    return sum(widths) + 2 * (len(widths) - 1)


def _fitted(columns: Sequence[Sequence[str]], room: int) -> list[int]:
    """How wide each column is; where they do not fit, the widest that can be folded give way: names, then texts."""
    widths = [max(map(_width, column)) for column in columns]
    least = [max([*map(_width, textwrap.wrap(name, 1, break_long_words=False)), *map(_width, cells)] or [0])
             for name, *cells in columns]  # fmt: skip
    _shrink(widths, least, room)
    texts = [place and not _numeric(column[1:]) for place, column in enumerate(columns)]
    _shrink(
        widths, [min(_NARROWEST, width) if text else width for width, text in zip(widths, texts, strict=True)], room
    )
    return widths


def _shrink(widths: list[int], least: Sequence[int], room: int) -> None:
    while _across(widths) > room:
        spare = [width - low for width, low in zip(widths, least, strict=True)]
        if max(spare) <= 0:
            return
        widths[max(range(len(widths)), key=lambda place: (spare[place] > 0, widths[place]))] -= 1


def _keys(rows: Sequence[Sequence[str]]) -> int:
    """How many columns it takes to tell the rows apart; one if none do."""
    width = len(rows[0]) if rows else 1
    return next((keys for keys in range(1, width) if len({tuple(row[:keys]) for row in rows}) == len(rows)), 1)


def _blocks(widths: Sequence[int], keys: int, room: int) -> list[list[int]]:
    """Columns that fit side by side; every block begins with those that tell the rows apart."""
    first = list(range(keys))
    blocks = [list(first)]
    for place in range(keys, len(widths)):
        if _across([widths[own] for own in (*blocks[-1], place)]) > room and len(blocks[-1]) > keys:
            blocks.append(list(first))
        blocks[-1].append(place)
    return blocks


def _folded(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    """The lines of one row."""
    parts = [
        textwrap.wrap(cell, width) if _width(cell) > width else [cell]
        for cell, width in zip(cells, widths, strict=True)
    ]
    return [_line(line, widths, right) for line in zip_longest(*parts, fillvalue="")]


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
    # in the fonts that LaTeX takes by default, these characters are ¡, ¿ and —
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
)


def _latex(header: Sequence[str], rows: Sequence[Sequence[str]], title: str | None) -> None:
    if title:
        print(f"% {title}")
    alignment = "".join("r" if _numeric(column) else "l" for column in _columns(header, rows))
    print(f"\\begin{{tabular}}{{{alignment}}}\n\\toprule")
    print(_latex_row(header))
    print(r"\midrule")
    for row in rows:
        print(_latex_row([_minus(cell) for cell in row]))
    print("\\bottomrule\n\\end{tabular}")


def _latex_row(cells: Sequence[str]) -> str:
    row = " & ".join(cell.translate(_LATEX) for cell in cells) + r" \\"
    # after \toprule and \\ LaTeX reads a bracket as an argument and a star as its own
    return f"{{}}{row}" if row.startswith(("[", "*")) else row


def _minus(cell: str) -> str:
    """A hyphen before a number is a minus, which is longer in print."""
    return cell.replace("-", "−", 1) if _numeric([cell]) else cell


# what makes emphasis, code, links, strikethrough, formulas, cells and tags; nothing else is markup inside a cell
_MARKDOWN = str.maketrans(
    {mark: f"\\{mark}" for mark in r"\`*_[~$|"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"},
)


def _markdown_text(text: str) -> str:
    return text.translate(_MARKDOWN)


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]], title: str | None) -> None:
    if title:
        print(f"**{_markdown_text(title)}**\n")
    print("| " + " | ".join(map(_markdown_text, header)) + " |")
    print("|" + "|".join("---:" if _numeric(column) else "---" for column in _columns(header, rows)) + "|")
    for row in rows:
        print("| " + " | ".join(map(_markdown_text, row)) + " |")


_SPELLING = {"─": "-", "–": "-", "−": "-", "…": "..."}
_HANDLER = "paragauge.spelled"


def _spell(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unknown = error.object[error.start : error.end]
    spelled = (_SPELLING.get(letter) or letter.encode("ascii", "backslashreplace").decode() for letter in unknown)
    return "".join(spelled), error.end


codecs.register_error(_HANDLER, _spell)


def escape_unencodable(stream: TextIO) -> None:
    """Print a character that the stream's encoding lacks as a plain one or as \\u03c9, instead of failing."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=_HANDLER)
