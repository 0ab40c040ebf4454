"""Standard output whose encoding lacks some characters: ASCII, Latin-1, a Windows code page."""

from __future__ import annotations

import codecs
import io
from typing import TextIO

_SPELLING = {"─": "-", "–": "-", "−": "-", "…": "..."}
_HANDLER = "paragauge.spelled"


def _spell(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unknown = error.object[error.start : error.end]
    spelled = (_SPELLING.get(letter) or letter.encode("ascii", "backslashreplace").decode() for letter in unknown)
    return "".join(spelled), error.end


codecs.register_error(_HANDLER, _spell)


def spell_what_is_lacking(stream: TextIO) -> None:
    """Print a character that the stream's encoding lacks as a plain one or as \\u03c9, instead of failing."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=_HANDLER)
