"""Language broken on purpose: shuffled, rotated, doubled, cut, sampled from a weak model."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from .errors import FUNCTION_WORDS, Made, Place, base_form, words_of
from .lexicon import Lexicon

_DISAGREEING = {
    "is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has", "does": "do", "do": "does",
    "a": "an", "an": "a", "this": "these", "these": "this", "he": "him", "she": "her", "they": "them", "we": "us",
    "to": "at", "of": "to", "in": "of", "on": "for", "much": "many", "many": "much", "don't": "doesn't",
    "doesn't": "don't",
}  # fmt: skip


def broken(text: str, lexicon: Lexicon, choose: random.Random) -> Made | None:
    """The text as no person would write it."""
    words = text.split()
    if len(words) < 4:
        return None
    way = choose.choice(_BREAKERS)
    made = way(words, lexicon, choose)
    if made is None or made.lower().split() == text.lower().split():
        return None
    return Made(made, "broken", (), _new_places(text, made))


def _new_places(text: str, made: str) -> tuple[Place, ...]:
    """Words of the second text that stand next to others than in the first."""
    old = [word.text.lower() for word in words_of(text)]
    known = set(zip(["^", *old], [*old, "$"], strict=True))
    new = words_of(made)
    row = ["^", *(word.text.lower() for word in new), "$"]
    return tuple(
        (word.start, word.end)
        for place, word in enumerate(new, 1)
        if (row[place - 1], row[place]) not in known or (row[place], row[place + 1]) not in known
    )


def _shuffled(words: list[str], _: Lexicon, choose: random.Random) -> str:
    count = choose.choice([3, 4, 6, len(words)])
    first = choose.randrange(max(1, len(words) - count + 1))
    middle = words[first : first + count]
    choose.shuffle(middle)
    return " ".join([*words[:first], *middle, *words[first + count :]])


def _rotated(words: list[str], _: Lexicon, choose: random.Random) -> str | None:
    places = [place for place in range(2, len(words) - 1) if words[place - 1][-1] not in ",;.:!?"]
    if not places:
        return None
    place = choose.choice(places)
    end = words[-1][-1] if words[-1][-1] in ".!?" else ""
    last = words[-1].rstrip(".!?")
    head = [*words[place:-1], last]
    joined = " ".join([*head, *words[:place]])
    if choose.random() < 0.5:
        joined = " ".join([*head]) + choose.choice(["", ".", ","]) + " " + " ".join(words[:place])
    joined = joined[0].upper() + joined[1:] if choose.random() < 0.5 else joined
    return joined + (end if not joined.endswith(end) else "")


def _doubled(words: list[str], _: Lexicon, choose: random.Random) -> str:
    count = choose.choice([1, 1, 2, 3])
    first = choose.randrange(len(words) - count + 1)
    return " ".join([*words[: first + count], *words[first : first + count], *words[first + count :]])


def _lacking(words: list[str], _: Lexicon, choose: random.Random) -> str:
    share = choose.uniform(0.5, 1.0)
    return " ".join(word for word in words if word.lower() not in FUNCTION_WORDS or choose.random() > share)


def _disagreeing(words: list[str], _: Lexicon, choose: random.Random) -> str | None:
    places = [place for place, word in enumerate(words) if word.lower() in _DISAGREEING]
    if len(places) < 2:
        return None
    words = list(words)
    for place in choose.sample(places, min(len(places), choose.choice([2, 3, 4]))):
        words[place] = _DISAGREEING[words[place].lower()]
    return " ".join(words)


def _inflected(words: list[str], lexicon: Lexicon, choose: random.Random) -> str | None:
    places = [
        place for place, word in enumerate(words) if base_form(word.lower(), lexicon) or word.lower() in lexicon.verbs
    ]
    if not places:
        return None
    words = list(words)
    for place in choose.sample(places, min(2, len(places))):
        base = base_form(words[place].lower(), lexicon) or words[place]
        words[place] = choose.choice([base + "ing", base, base + "ed", base + "s", f"to {base}"])
    return " ".join(words)


def _cut(words: list[str], _: Lexicon, choose: random.Random) -> str | None:
    joined = " ".join(words)
    place = choose.randrange(len(joined) // 3, len(joined) - 3)
    cut = joined[:place].rstrip()
    return cut if not joined[place - 1 : place + 1].isspace() and cut[-1].isalpha() else None


def _soup(words: list[str], lexicon: Lexicon, choose: random.Random) -> str | None:
    """Words as a weak model of two neighbouring words goes on, from words of the text."""
    if not lexicon.follows:
        return None
    made = [words[0]]
    while len(made) < len(words):
        others = lexicon.follows.get(made[-1].strip(".,"))
        made.append(choose.choice(others) if others and choose.random() < 0.75 else choose.choice(words))
    return re.sub(r" ([,.!?])", r"\1", " ".join(made))


def _mixed(words: list[str], lexicon: Lexicon, choose: random.Random) -> str | None:
    """The text up to somewhere, then some other part of it, then soup."""
    place = choose.randrange(2, len(words))
    rest = _soup(words[place:] or words, lexicon, choose)
    return " ".join(words[:place]) + " " + rest if rest else None


def _littered(words: list[str], _: Lexicon, choose: random.Random) -> str:
    words = list(words)
    for _times in range(choose.choice([1, 2, 3])):
        words.insert(
            choose.randrange(1, len(words)), choose.choice([*sorted(FUNCTION_WORDS), *choose.sample(words, 2)])
        )
    return " ".join(words)


_BREAKERS: Sequence[Callable[[list[str], Lexicon, random.Random], str | None]] = (
    _shuffled, _shuffled, _rotated, _rotated, _doubled, _lacking, _disagreeing, _inflected, _cut, _soup, _mixed,
    _littered,
)  # fmt: skip
