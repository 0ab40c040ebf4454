"""Text of unknown origin made fit to be printed: it moves no cursor, sets no title, and reorders nothing around it."""

import re
import sys
from collections.abc import Sequence

# C0, DEL and C1; separators of lines and paragraphs; embeddings, overrides and isolates of writing direction (the
# characters of "Trojan Source", CVE-2021-42574); halves of surrogate pairs, which cannot be encoded. Marks such as
# U+200F stay: Arabic and Hebrew need them.
_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_CONTROL = re.compile(f"[{_CONTROLS}]")
_CONTROL_IN_LINES = re.compile(f"(?![\n\t])[{_CONTROLS}]")
_BREAK = re.compile(r"(?:\r?\n)+")

# what a formula begins with (OWASP, "CSV Injection"), the full-width forms of a Japanese Excel among them
FORMULA = r"\A[=+\-@\t\r\n＝＋－＠]"
NUMBER = r"\A[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


def printable(text: str) -> str:
    r"""The text on one line, a line break as a space, other control characters as Python writes them.

    A backslash stays one, so that doing it twice changes nothing.

    >>> print(printable("a\x1b[2J\u202eb\r\nc"))
    a\x1b[2J\u202eb c
    """
    return _CONTROL.sub(_spelled, _BREAK.sub(" ", text.strip("\n")))


def printable_lines(text: str) -> str:
    """The same for text that has lines of its own: line breaks and tabs stay."""
    return _CONTROL_IN_LINES.sub(_spelled, text)


def printable_json(text: str) -> str:
    r"""JSON that means the same, with `\u202e` where a string held the character itself."""
    return _CONTROL_IN_LINES.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def say(sentence: str) -> None:
    """Tell the user something on standard error, on one line."""
    print(printable(sentence), file=sys.stderr)


def _spelled(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()


def listed(names: Sequence[str], most: int = 5) -> str:
    """The first few names, cut where they are long, and how many more there are."""
    shown = ", ".join(shortened(repr(name)[1:-1], 80) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"


def shortened(name: str, most: int = 100) -> str:
    """A name that may be too long for any file, as a sentence quotes it."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def guard_cell(text: str) -> str:
    """The text, after an apostrophe where a spreadsheet would take it for a formula; a number stays as it is.

    >>> [guard_cell(text) for text in ("=1+1", "@SUM(A1)", "-0.5", "+1e-3", "-x", "a=b")]
    ["'=1+1", "'@SUM(A1)", '-0.5', '+1e-3', "'-x", 'a=b']
    """
    return f"'{text}" if re.match(FORMULA, text) and not re.fullmatch(NUMBER, text) else text
