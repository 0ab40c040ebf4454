"""Tables that a spreadsheet will open: text that it would run as a formula is marked as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import polars

    Frame = TypeVar("Frame", polars.DataFrame, polars.LazyFrame)

# what a formula begins with (OWASP, "CSV Injection"), the full-width forms of a Japanese Excel among them
_FORMULA = r"\A[=+\-@\t\r\n＝＋－＠]"
_NUMBER = r"\A[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


def guard_cell(text: str) -> str:
    """The text, after an apostrophe where a spreadsheet would take it for a formula; a number stays as it is.

    >>> [guard_cell(text) for text in ("=1+1", "@SUM(A1)", "-0.5", "+1e-3", "-x", "a=b")]
    ["'=1+1", "'@SUM(A1)", '-0.5', '+1e-3', "'-x", 'a=b']
    """
    return f"'{text}" if re.match(_FORMULA, text) and not re.fullmatch(_NUMBER, text) else text


def guard_frame(frame: Frame) -> Frame:
    """Every column of text, and the names of the columns, by `guard_cell`."""
    import polars

    def guarded(name: str) -> polars.Expr:
        text = polars.col(name)
        formula = text.str.contains(_FORMULA) & ~text.str.contains(_NUMBER + r"\z")
        return polars.when(formula).then("'" + text).otherwise(text).alias(name)

    schema = frame.collect_schema()
    texts = [name for name, kind in schema.items() if kind == polars.String]
    return frame.with_columns(map(guarded, texts)).rename(guard_cell)
