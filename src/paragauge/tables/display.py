"""How a table shows itself: in one line, and in a notebook as the beginning of an HTML table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from ..printable import shortened

ROWS = 10
WIDTH = 80  # characters of a cell


def counted(number: int, noun: str) -> str:
    """`1 row`, `2,000 rows`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def spread(low: float, high: float, digits: int) -> str:
    """`0.1 to 0.2`, or a dash where there is no interval."""
    return "–" if low != low else f"{low:z.{digits}f} to {high:z.{digits}f}"


def table_html(title: str, columns: Mapping[str, Sequence[Any]], length: int | None = None) -> str:
    """The title and the first rows (of `length`); whatever a text holds, it is shown as text."""
    length = max(map(len, columns.values()), default=0) if length is None else length
    head = "".join(f"<th>{_escaped(name)}</th>" for name in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row)}</tr>"
        for row in islice(zip(*columns.values(), strict=True), ROWS)
    )
    more = f"<p>… and {counted(length - ROWS, 'more row')}</p>" if length > ROWS else ""
    return f"<p>{_escaped(title)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}"
    return _escaped(shortened(" | ".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value), WIDTH))


def _escaped(text: str) -> str:
    from html import escape  # only a notebook asks for it

    return escape(text)
