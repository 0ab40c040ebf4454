"""What a section is made of, and how it is written as HTML: whatever a text holds, it is shown as text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from ..stats.interval import Estimate
from ..text.differences import word_differences
from ..visible import visible_lines

LONG = 16  # rows of a table beyond which it is scrolled in a window of its own
BROAD = 480  # pixels of a chart beyond which a phone scrolls it rather than make its words too small to read
SHORT = 24  # characters of a cell's text that stay on one line
LONGEST = 400  # characters of a text that a list of examples shows; the pair's own view has all of it
_TAGS = {"same": ("", ""), "removed": ("<del>", "</del>"), "added": ("<ins>", "</ins>")}


class Measured(NamedTuple):
    """A number with its interval in a cell of a table; `best` where no other of its column is significantly better."""

    found: Estimate
    digits: int = 3
    best: bool = False
    percent: bool = False  # how it is shown


class PValue(NamedTuple):
    """The probability of a difference as large by chance; a small one is not shown as 0."""

    value: float


class Share(NamedTuple):
    """A number from −1 to 1 in a cell that is shaded by it."""

    value: float | None


class Reasons(NamedTuple):
    """Why candidates of a system are not usable, in words; those with a reason show its pairs when they are pressed."""

    system: str
    words: Sequence[tuple[str, str | None]]

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.words)


Cell = str | float | int | None | Measured | PValue | Share | Reasons


@dataclass(frozen=True)
class Table:
    """A table, which the page offers as CSV, LaTeX and Markdown too."""

    name: str  # by which it can be taken out of the report
    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    digits: int = 3

    def html(self) -> str:
        # an arrow stays beside its name, and a range of numbers on one line
        names = (re.sub(" (?=[↑↓])", "&nbsp;", shown(name)) for name in self.header)
        names = (re.sub(r"–(?=\d)", "–&NoBreak;", name) for name in names)
        head = "".join(f'<th scope="col">{name}</th>' for name in names)
        body = "".join(
            f"<tr>{''.join(_cell(cell, place, self.digits) for place, cell in enumerate(row))}</tr>"
            for row in self.rows
        )
        long = " long" if len(self.rows) > LONG else ""
        return (
            f'<div class="sheet" data-table="{escape(self.name)}"><div class="wide{long}" tabindex="0" role="region" '
            f'aria-label="{shown(self.caption)}"><table><caption>{shown(self.caption)}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div></div>"
        )

    def plain(self) -> dict[str, object]:
        """The names of its columns and its cells, with all digits."""
        header: list[str] = []
        for place, name in enumerate(self.header):
            spread = any(isinstance(row[place], Measured) for row in self.rows)
            header += [name, f"{name} low", f"{name} high"] if spread else [name]
        rows: list[list[object]] = []
        for row in self.rows:
            line: list[object] = []
            for place, cell in enumerate(row):
                if any(isinstance(other[place], Measured) for other in self.rows):
                    line += list(cell.found[:3]) if isinstance(cell, Measured) else [cell, None, None]
                else:
                    line.append(
                        cell.value
                        if isinstance(cell, (Share, PValue))
                        else cell.text
                        if isinstance(cell, Reasons)
                        else cell
                    )
            rows.append([None if isinstance(one, float) and not math.isfinite(one) else one for one in line])
        return {"header": header, "rows": rows}


@dataclass(frozen=True)
class Text:
    """A paragraph, or several lines of one list."""

    lines: Sequence[str]
    kind: str = ""  # answer, note, warning

    def html(self) -> str:
        kind = f' class="{self.kind}"' if self.kind else ""
        if len(self.lines) == 1:
            return f"<p{kind}>{shown(self.lines[0])}</p>"
        return f"<ul{kind}>{''.join(f'<li>{shown(line)}</li>' for line in self.lines)}</ul>"


@dataclass(frozen=True)
class Code:
    """Something to copy: a command, a signature."""

    label: str
    text: str

    def html(self) -> str:
        return (
            f'<div class="code"><span class="label">{shown(self.label)}</span>'
            f'<code>{shown(self.text)}</code><button type="button" data-copy>Copy</button></div>'
        )


@dataclass(frozen=True)
class Chart:
    """A chart as SVG, with what it shows in words."""

    svg: str
    description: str

    def html(self) -> str:
        found = re.search(r'<svg\b[^>]*\bwidth="([\d.]+)"', self.svg)
        broad = found is not None and float(found[1]) > BROAD
        kind = 'class="chart broad" tabindex="0"' if broad else 'class="chart"'
        return f'<figure {kind} role="img" aria-label="{shown(self.description)}">{self.svg}</figure>'


@dataclass(frozen=True)
class Pair:
    """A source and a candidate, the words that differ marked; the button opens the row in the page."""

    row: int
    system: str
    source: str
    candidate: str
    remark: str

    def html(self) -> str:
        return (
            f'<article class="pair"><header><span class="system">{shown(self.system)}</span> '
            f'<span class="remark">{shown(self.remark)}</span>'
            f'<button type="button" data-row="{self.row}">Open<span class="aside"> pair {self.row + 1}</span></button>'
            f'</header><p dir="auto">{shown(_cut(self.source)) or "–"}</p>'
            f'<p dir="auto">{marked(_cut(self.source), _cut(self.candidate)) or "<em>empty</em>"}</p></article>'
        )


@dataclass(frozen=True)
class Raw:
    """A part of the page that is a file of its own."""

    markup: str

    def html(self) -> str:
        return self.markup


@dataclass(frozen=True)
class Group:
    """Parts under a heading of their own, folded where they are long."""

    title: str
    parts: Sequence[Part]
    folded: bool = False

    def html(self) -> str:
        inner = "".join(part.html() for part in self.parts)
        if self.folded:
            return f"<details><summary>{shown(self.title)}</summary>{inner}</details>"
        return f"<h3>{shown(self.title)}</h3>{inner}"


@dataclass(frozen=True)
class Grid:
    """Parts beside each other."""

    parts: Sequence[Part]

    def html(self) -> str:
        return f'<div class="charts">{"".join(part.html() for part in self.parts)}</div>'


Part = Table | Text | Code | Chart | Pair | Raw | Group | Grid


@dataclass(frozen=True)
class Section:
    """A part of the report with a heading; `name` is its place in the page's address."""

    name: str
    title: str
    parts: Sequence[Part] = field(default_factory=list)

    def html(self) -> str:
        inner = "\n".join(part.html() for part in self.parts)
        heading = f'<h2 id="{self.name}-title">{shown(self.title)}</h2>'
        return f'<section id="{self.name}" aria-labelledby="{self.name}-title">{heading}\n{inner}\n</section>'

    def tables(self) -> list[Table]:
        return _tables(self.parts)


def shown(text: str) -> str:
    """Text as HTML: no markup, and no character that is not seen."""
    return escape(visible_lines(text))


def marked(first: str, second: str) -> str:
    """The second text as HTML, with the words that the first alone has, and those that it alone has, marked."""
    found = ""
    for kind, text in word_differences(first, second):
        before, after = _TAGS[kind]
        words = text.rstrip()
        found += before + shown(words) + after + shown(text[len(words) :])
    return found


def number(value: float, digits: int) -> str:
    """As a person reads it; a minus is a minus."""
    return f"{value:z.{digits}f}".replace("-", "−")


def _measured(cell: Measured) -> str:
    def told(value: float) -> str:
        return f"{value:.0%}" if cell.percent else number(value, cell.digits)

    mean, low, high, _ = cell.found
    if mean is None:
        return '<td class="number">–</td>'
    value = told(mean)
    spread = "" if low is None or high is None else f" <small>{told(low)} to {told(high)}</small>"
    best = f'<strong title="no system is significantly better">{value}</strong>' if cell.best else value
    return f'<td class="number" data-value="{json.dumps(mean)}">{best}{spread}</td>'


def _reasons(cell: Reasons) -> str:
    button = '<button type="button" class="plain" data-why="{}" data-of="{}">{}</button>'
    told = (
        shown(text) if why is None else button.format(shown(why), shown(cell.system), shown(text))
        for text, why in cell.words
    )
    return "".join(told) or "–"


def _cell(cell: Cell, place: int, digits: int) -> str:
    if isinstance(cell, Measured):
        return _measured(cell)
    if isinstance(cell, Reasons):
        return f'<td class="why">{_reasons(cell)}</td>'
    if isinstance(cell, PValue):
        if math.isnan(cell.value):
            return '<td class="number">–</td>'
        told = number(cell.value, digits) if cell.value >= 0.0005 else "&lt; 0.001"
        return f'<td class="number" data-value="{json.dumps(cell.value)}">{told}</td>'
    if isinstance(cell, Share):
        if cell.value is None or math.isnan(cell.value):
            return '<td class="number">–</td>'
        level = round(5 * cell.value)
        heat = f"heat-{'minus' if level < 0 else 'plus'}-{abs(level)}"
        return f'<td class="number {heat}" data-value="{json.dumps(cell.value)}">{number(cell.value, 2)}</td>'
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return '<td class="number">–</td>'
    if isinstance(cell, bool):
        return f"<td>{'yes' if cell else 'no'}</td>"
    if isinstance(cell, float):
        return f'<td class="number" data-value="{json.dumps(cell)}">{number(cell, digits)}</td>'
    if isinstance(cell, int):
        return f'<td class="number" data-value="{cell}">{cell:,}</td>'
    tag = "th" if place == 0 else "td"
    scope = ' scope="row"' if place == 0 else ""
    short = ' class="short"' if len(cell) <= SHORT else ""
    return f'<{tag}{scope}{short} dir="auto">{shown(cell)}</{tag}>'


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _tables(parts: Sequence[Part]) -> list[Table]:
    found: list[Table] = []
    for part in parts:
        if isinstance(part, Table):
            found.append(part)
        elif isinstance(part, (Group, Grid)):
            found += _tables(part.parts)
    return found
