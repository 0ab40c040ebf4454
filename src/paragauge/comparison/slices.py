"""Kinds of sources, by which a gap between systems may be explained: length, negation, numbers, names, questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..text.tokens import pieces
from ..verdict.entities.names import names_of
from ..verdict.entities.numbers import exact_numbers

# English, Chinese, German, French and Spanish; of other languages the slice has few or no rows, and is not shown
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|nowhere|without|cannot|\w+n['’]t"
    r"|nicht|kein\w*|nie|ohne|pas|jamais|sans|ni|nunca|sin)\b|[不没沒無无未别別非]",
    re.IGNORECASE,
)
_CHINESE_NUMBER = re.compile("[二三四五六七八九十百千万亿]")
_QUESTION = re.compile(r"[?？؟]\s*[\"'”’)\]]*\s*$")


def slices_of(sources: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
    """Name of each slice to which sources are in it; a slice of none or of all is left out."""
    words = np.array([sum(piece[:1].isalnum() for piece in pieces(source)) for source in sources])
    short, long = (float(np.quantile(words, share)) for share in (1 / 3, 2 / 3)) if len(words) else (0.0, 0.0)
    found = {
        f"short (at most {short:.0f} words)": words <= short,
        f"long (more than {long:.0f} words)": words > long,
        "negation": _where(sources, lambda text: _NEGATION.search(text) is not None),
        "number": _where(sources, _has_number),
        "name": _where(sources, _has_name),
        "question": _where(sources, lambda text: _QUESTION.search(text) is not None),
    }
    return {name: chosen for name, chosen in found.items() if 0 < chosen.sum() < len(sources)}


def _has_number(text: str) -> bool:
    return _CHINESE_NUMBER.search(text) is not None or bool(exact_numbers(text))


def _has_name(text: str) -> bool:
    found = names_of(text)
    return bool(found.names or found.dates)


def _where(sources: Sequence[str], test: Callable[[str], bool]) -> NDArray[np.bool_]:
    return np.array([test(source) for source in sources], dtype=np.bool_)
