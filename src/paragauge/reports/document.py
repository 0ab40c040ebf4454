"""What a section is made of, and how it is written as HTML: whatever a text holds, it is shown as text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from ..printable import printable_lines
from ..stats.interval import Estimate
from ..text.diff import word_differences

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

    @classmethod
    def of(cls, value: float, low: float, high: float, digits: int = 3, best: bool = False) -> Measured:
        """With NaN for what is undefined."""
        return cls(Estimate.of(value, low, high), digits, best)

    def html(self) -> str:
        mean, low, high = (self._written(end) for end in self.found[:3])
        spread = "" if None in self.found[1:3] else f" <small>{low} to {high}</small>"
        best = f'<strong title="no system is significantly better">{mean}</strong>' if self.best else mean
        return _numeric(self.found.value, best + spread)

    def _written(self, value: float | None) -> str:
        return f"{value:.0%}" if self.percent and value is not None else number(value, self.digits)


class PValue(NamedTuple):
    """The probability of a difference as large by chance; a small one is not shown as 0."""

    value: float

    def html(self) -> str:
        return _numeric(self.value, "&lt; 0.001" if self.value < 0.0005 else number(self.value, 3))


class Share(NamedTuple):
    """A number from −1 to 1 in a cell that is shaded by it."""

    value: float | None

    def html(self) -> str:
        level = 0 if self.value is None or math.isnan(self.value) else round(5 * self.value)
        return _numeric(self.value, number(self.value, 2), f" heat-{'minus' if level < 0 else 'plus'}-{abs(level)}")


class Reasons(NamedTuple):
    """Why candidates of a system are not usable, in words; those with a reason show its pairs when they are pressed."""

    system: str
    words: Sequence[tuple[str, str | None]]

    @property
    def value(self) -> str:
        return "".join(text for text, _ in self.words)

    def html(self) -> str:
        button = '<button type="button" class="plain" data-why="{}" data-of="{}">{}</button>'
        written = (
            shown(text) if why is None else button.format(shown(why), shown(self.system), shown(text))
            for text, why in self.words
        )
        return f'<td class="why">{"".join(written) or "–"}</td>'


Cell = str | float | int | None | Measured | PValue | Share | Reasons


@dataclass(frozen=True)
class Table:
    """A table, which the page offers as CSV, LaTeX and Markdown too."""

    name: str  # by which it can be exported from the report
    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    digits: int = 3

    def html(self) -> str:
        # an arrow stays next to its name, and a range of numbers on one line
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
        """The names of its columns and its cells, with all digits; a column of intervals is three columns."""
        spread = [any(isinstance(row[place], Measured) for row in self.rows) for place in range(len(self.header))]
        header: list[str] = []
        for name, several in zip(self.header, spread, strict=True):
            header += [name, f"{name} low", f"{name} high"] if several else [name]
        rows: list[list[object]] = []
        for row in self.rows:
            line: list[object] = []
            for cell, several in zip(row, spread, strict=True):
                if several:
                    line += cell.found[:3] if isinstance(cell, Measured) else [cell, None, None]
                else:
                    line.append(cell.value if isinstance(cell, (Share, PValue, Reasons)) else cell)
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
    """A part of the page as it is."""

    markup: str

    def html(self) -> str:
        return self.markup


@dataclass(frozen=True)
class Group:
    """Elements under a heading of their own, folded where they are long."""

    title: str
    parts: Sequence[Element]
    folded: bool = False

    def html(self) -> str:
        inner = "".join(part.html() for part in self.parts)
        if self.folded:
            return f"<details><summary>{shown(self.title)}</summary>{inner}</details>"
        return f"<h3>{shown(self.title)}</h3>{inner}"


@dataclass(frozen=True)
class Grid:
    """Elements side by side."""

    parts: Sequence[Element]

    def html(self) -> str:
        return f'<div class="charts">{"".join(part.html() for part in self.parts)}</div>'


Element = Table | Text | Code | Chart | Pair | Raw | Group | Grid


@dataclass(frozen=True)
class Section:
    """A part of the report with a heading; `name` is its place in the page's address."""

    name: str
    title: str
    parts: Sequence[Element] = field(default_factory=list)

    def html(self) -> str:
        inner = "\n".join(part.html() for part in self.parts)
        heading = f'<h2 id="{self.name}-title">{shown(self.title)}</h2>'
        return f'<section id="{self.name}" aria-labelledby="{self.name}-title">{heading}\n{inner}\n</section>'

    def tables(self) -> list[Table]:
        return _tables(self.parts)


def shown(text: str) -> str:
    """Text as HTML: no markup, and no character that is not seen."""
    return escape(printable_lines(text))


def marked(first: str, second: str) -> str:
    """The second text as HTML, with the words that the first alone has, and those that it alone has, marked."""
    found = ""
    for kind, text in word_differences(first, second):
        before, after = _TAGS[kind]
        words = text.rstrip()
        found += before + shown(words) + after + shown(text[len(words) :])
    return found


def number(value: float | None, digits: int) -> str:
    """As a person reads it; a minus is a minus, and what is undefined a dash."""
    return "–" if value is None or math.isnan(value) else f"{value:z.{digits}f}".replace("-", "−")


def _numeric(value: float | None, text: str, kind: str = "") -> str:
    if value is None or math.isnan(value):
        return '<td class="number">–</td>'
    return f'<td class="number{kind}" data-value="{json.dumps(value)}">{text}</td>'


def _cell(cell: Cell, place: int, digits: int) -> str:
    if isinstance(cell, (Measured, PValue, Share, Reasons)):
        return cell.html()
    if isinstance(cell, bool):
        return f"<td>{'yes' if cell else 'no'}</td>"
    if cell is None or isinstance(cell, float):
        return _numeric(cell, number(cell, digits))
    if isinstance(cell, int):
        return _numeric(cell, f"{cell:,}")
    short = ' class="short"' if len(cell) <= SHORT else ""
    tag, scope = ("td", "") if place else ("th", ' scope="row"')
    return f'<{tag}{scope}{short} dir="auto">{shown(cell)}</{tag}>'


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _tables(parts: Sequence[Element]) -> list[Table]:
    found: list[Table] = []
    for part in parts:
        if isinstance(part, Table):
            found.append(part)
        elif isinstance(part, (Group, Grid)):
            found += _tables(part.parts)
    return found
