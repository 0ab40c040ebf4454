"""Broken copies: a candidate in which a phrase of another text stands, so that its meaning is lost."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ...text.tokens import pieces


def break_text(text: str, others: Sequence[str], chance: random.Random) -> str | None:
    """The text with a phrase of its own replaced by one as long of another text; None where none will do.

    As many words are replaced as in the degraded translations of Graham et al. 2017, Can machine translation systems
    be evaluated by the crowd alone: 1 of 1, 2 of 2–5, 3 of 6–8, 4 of 9–15, 5 of 16–20, then a quarter. The first and
    the last word stay where there are others.
    """
    parts = pieces(text)
    places = [place for place, part in enumerate(parts) if part[:1].isalnum()]
    if not places:
        return None
    number = min(replaced(len(places)), len(places))
    margin = 1 if len(places) >= number + 2 else 0
    for other in others:
        donor = pieces(other)
        words = [place for place, part in enumerate(donor) if part[:1].isalnum()]
        if len(words) < number:
            continue
        start = chance.randint(margin, len(places) - number - margin)
        origin = chance.randint(0, len(words) - number)
        before, after = parts[: places[start]], parts[places[start + number - 1] + 1 :]
        phrase = donor[words[origin] : words[origin + number - 1] + 1]
        made = "".join([*before, *phrase, *after])
        if made.lower() != text.lower():
            return made
    return None


def replaced(words: int) -> int:
    """How many words of so many are replaced."""
    for most, number in ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5)):
        if words <= most:
            return number
    return words // 4
