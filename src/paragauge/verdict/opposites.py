"""Which English words are opposites: a table from WordNet, and what it lacks."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from .english import lists

_TABLE = Path(__file__).with_name("antonyms.txt")
# what WordNet calls opposite, and people use alike: a house stands or sits on a hill
_USED_ALIKE = frozenset(frozenset(pair.split()) for pair in ("come go", "sit stand", "lie stand", "bring take"))
# words that WordNet names by rare senses: the said man, some ordinary man, such a little man
_LEFT_OUT = frozenset(
    {"some", "any", "all", "no", "each", "every", "both", "several", "such", "said", "other", "another"}
)
ENDINGS = {
    "noun": (("s", ""), ("es", ""), ("ies", "y")),
    "verb": (*(("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ied", "y"), ("ing", ""), ("ing", "e")),),
    "adj": (("er", ""), ("er", "e"), ("ier", "y"), ("est", ""), ("est", "e"), ("iest", "y")),
    "adv": (("er", ""), ("er", "e"), ("est", ""), ("est", "e")),
}
_SHORTEST = 2  # letters of what an ending is taken from
Entry = tuple[str, str]  # part of speech, word


class _Lexicon(NamedTuple):
    opposites: dict[Entry, frozenset[Entry]]
    irregular: dict[Entry, tuple[str, ...]]  # bought: buy


@lru_cache(maxsize=1 << 14)
def opposites(word: str) -> frozenset[Entry]:
    """What is the opposite of a word in any of its forms."""
    known = _table().opposites
    return frozenset().union(*(known.get(entry, ()) for entry in entries(word)))


@lru_cache(maxsize=1 << 14)
def entries(word: str) -> frozenset[Entry]:
    """What a word may be a form of."""
    irregular = _table().irregular
    return frozenset(
        (part, base) for part in ENDINGS for base in (word, *irregular.get((part, word), ()), *regular(word, part))
    )


def regular(word: str, part: str) -> list[str]:
    """What it is a form of, if it is a regular one: bigger may be of bigg, bigge and big."""
    found = []
    for ending, instead in ENDINGS[part]:
        base = word.removesuffix(ending)
        if _SHORTEST <= len(base) < len(word):
            found.append(base + instead)
            if not instead and len(base) > _SHORTEST and base[-1] == base[-2]:
                found.append(base[:-1])
    return found


@cache
def _table() -> _Lexicon:
    pairs: dict[Entry, set[Entry]] = {}
    irregular: dict[Entry, tuple[str, ...]] = {}
    part = ""
    listed, own = _TABLE.read_text(encoding="utf-8").splitlines(), lists("opposites")["own"].splitlines()
    for line, left_out in (
        *product(listed, (_LEFT_OUT,)),
        *product(own, (frozenset[str](),)),
    ):
        form, is_form, word = line.partition(" = ")
        if line.startswith("["):
            part = line.strip("[]")
        elif is_form:
            irregular[part, form] = (*irregular.get((part, form), ()), word)
        for one, other in _pairs(line):
            if frozenset((one, other)) not in _USED_ALIKE and left_out.isdisjoint((one, other)):
                pairs.setdefault((part, one), set()).add((part, other))
                pairs.setdefault((part, other), set()).add((part, one))
    return _Lexicon({entry: frozenset(others) for entry, others in pairs.items()}, irregular)


def _pairs(line: str) -> list[tuple[str, str]]:
    """The pairs of a line of the table; an underscore stands for a space."""
    if line.startswith("#"):
        return []
    ours, _, theirs = line.partition(" / ")
    prefix, _, turned = line.partition("-: ")
    pairs = [*product(ours.split(), theirs.split()), *((prefix + base, base) for base in turned.split())]
    return [(one.replace("_", " "), other.replace("_", " ")) for one, other in pairs]
