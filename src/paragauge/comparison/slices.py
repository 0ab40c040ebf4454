"""Kinds of sources, by which a gap between systems may be explained: length, negation, numbers, names, questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..text.tokens import pieces

# English, Chinese, German, French and Spanish; of other languages the slice has few or no rows, and is not shown
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|nowhere|without|cannot|\w+n['’]t"
    r"|nicht|kein\w*|nie|ohne|pas|jamais|sans|ni|nunca|sin)\b|[不没沒無无未别別非]",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|hundred|thousand|million|billion|half|twice)\b|[二三四五六七八九十百千万亿]",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？؟]\s*[\"'”’)\]]*\s*$")
_ENDS = frozenset(".!?:\"“”'‘’(")  # after these a capital letter begins a sentence or a quotation
_I = re.compile(r"I(?:['’]\w+)?$")


def slices_of(sources: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
    """Name of each slice to which sources are in it; a slice of none or of all is left out."""
    words = np.array([sum(piece[:1].isalnum() for piece in pieces(source)) for source in sources])
    short, long = (float(np.quantile(words, share)) for share in (1 / 3, 2 / 3)) if len(words) else (0.0, 0.0)
    found = {
        f"short (at most {short:.0f} words)": words <= short,
        f"long (more than {long:.0f} words)": words > long,
        "negation": _where(sources, lambda text: _NEGATION.search(text) is not None),
        "number": _where(sources, lambda text: _NUMBER.search(text) is not None),
        "name": _where(sources, has_name),
        "question": _where(sources, lambda text: _QUESTION.search(text) is not None),
    }
    return {name: chosen for name, chosen in found.items() if 0 < chosen.sum() < len(sources)}


def has_name(text: str) -> bool:
    """Is there a capitalised word that does not begin a sentence? A text all in capitals says nothing.

    >>> has_name("We met Ann."), has_name("We met. Then I left.")
    (True, False)
    """
    words = [piece for piece in pieces(text) if not piece.isspace()]
    if text.isupper() or sum(word[:1].isupper() for word in words) > max(2, 0.6 * len(words)):
        return False
    return any(word[:1].isupper() and before not in _ENDS and not _I.match(word) for before, word in pairwise(words))


def _where(sources: Sequence[str], test: Callable[[str], bool]) -> NDArray[np.bool_]:
    return np.array([test(source) for source in sources], dtype=np.bool_)
