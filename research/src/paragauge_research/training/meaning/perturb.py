"""Small changes of a text that change what it means: tests of what a metric sees, and worse texts for the blend."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ..wordnet import read_antonyms, read_parts

_TABLES: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_CYCLES = [{word.lower(): word for word in line.split()} for line in _TABLES["cycles"]]
_NAMES = _TABLES["names"].split()
_AUXILIARIES, _DETERMINERS, _AFTER_NOUN = (
    frozenset(_TABLES[name].split()) for name in ("auxiliaries", "determiners", "after_nouns")
)
_OPPOSITES = dict(pair.replace("_", " ").split(":") for pair in _TABLES["opposites"].split())
_NEGATIONS, _CONTRACTED, _SUBJECTS = (_TABLES[name] for name in ("negations", "contracted", "subjects"))
_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?|\d+(?:[.,]\d+)*|\S")
_NO_NAMES = frozenset(("I", "I'm", "I've", "I'll", "I'd"))

Words = Sequence[tuple[str, int, int]]
Change = list[tuple[int, int, str]]  # from, to, what stands there instead; several make one change


class Lexicon(NamedTuple):
    """What the perturbations know of words; empty tables switch off what needs them."""

    antonyms: Mapping[str, Sequence[str]]
    verbs: frozenset[str]


@cache
def read_lexicon(folder: Path) -> Lexicon:
    """Antonyms and base forms of verbs from the files of WordNet."""
    parts = read_parts(folder)
    return Lexicon(read_antonyms(parts), frozenset(word for own in parts["verb"].values() for word in own.words))


def perturb(text: str, kind: str, lexicon: Lexicon, choose: random.Random) -> str | None:
    """The text changed in this way; None where it offers no place for it."""
    words = [(found.group(), found.start(), found.end()) for found in _WORD.finditer(text)]
    places = [place for place in _PLACES[kind](words, lexicon, choose) if place]
    if not places:
        return None
    for start, end, new in sorted(choose.choice(places), reverse=True):
        text = text[:start] + new + text[end:]
    return re.sub(r"\s+", " ", text).strip()


def _number(words: Words, _: Lexicon, choose: random.Random) -> list[Change]:
    changes = []
    for word, start, end in words:
        if word[0].isdigit():
            place = choose.randrange(len(word))
            while not word[place].isdigit():
                place = choose.randrange(len(word))
            other = choose.choice([digit for digit in "123456789" if digit != word[place]])
            changes.append([(start, end, word[:place] + other + word[place + 1 :])])
        for cycle in _CYCLES:
            if word.lower() in cycle and word not in ("March", "second"):
                other = choose.choice([name for key, name in cycle.items() if key != word.lower()])
                changes.append([(start, end, other)])
    return changes


def _negation(words: Words, lexicon: Lexicon, _: random.Random) -> list[Change]:
    removed: list[Change] = []
    added: list[Change] = []
    for place, (word, start, end) in enumerate(words):
        low = word.lower().replace("’", "'")
        following = words[place + 1][0].lower() if place + 1 < len(words) else ""
        if low in _NEGATIONS:
            removed.append([(start, end, _NEGATIONS[low])])
        elif low in _CONTRACTED:
            removed.append([(start, end, _CONTRACTED[low])])
        elif low.endswith("n't"):
            removed.append([(start, end, word[:-3])])
        elif low in _AUXILIARIES and following not in ("not", "n't", ""):
            added.append([(end, end, " not")])
        elif low in _SUBJECTS and (verb := _base(following, _SUBJECTS[low], lexicon)):
            added.append([(words[place + 1][1], words[place + 1][2], f"{_SUBJECTS[low]} not {verb}")])
    return removed or added


def _base(verb: str, auxiliary: str, lexicon: Lexicon) -> str:
    if verb in _AUXILIARIES:
        return ""
    if auxiliary == "do":
        return verb if verb in lexicon.verbs else ""
    return verb[:-1] if verb.endswith("s") and verb[:-1] in lexicon.verbs else ""


def _found_names(words: Words) -> list[tuple[str, int, int]]:
    inside = [
        entry
        for place, entry in enumerate(words)
        if entry[0][0].isupper() and entry[0] not in _NO_NAMES and place and words[place - 1][0] not in ".!?\"'“"
    ]
    return [entry for entry in inside if entry[0][1:].islower()]


def _name(words: Words, _: Lexicon, choose: random.Random) -> list[Change]:
    named = _found_names(words)
    if words and words[0][0] in _NAMES:
        named.append(words[0])
    return [[(start, end, choose.choice([name for name in _NAMES if name != word]))] for word, start, end in named]


def _roles(words: Words, _: Lexicon, __: random.Random) -> list[Change]:
    swapped = _found_names(words)
    if words and words[0][0] in (*_NAMES, "Tom", "Mary", "John"):
        swapped.append(words[0])
    if len({word for word, _, _ in swapped}) < 2:
        swapped = [
            words[place + 1]
            for place, (word, _, _) in enumerate(words[:-2])
            if word.lower() in _DETERMINERS and words[place + 1][0].isalpha() and not words[place + 2][0].isalpha()
        ] + [
            words[place + 1]
            for place, (word, _, _) in enumerate(words[:-2])
            if word.lower() in ("the", "a", "an")
            and words[place + 1][0].isalpha()
            and words[place + 2][0].lower() in _AFTER_NOUN
        ]
    return [
        [(start, end, other), (begin, stop, word)]
        for number, (word, start, end) in enumerate(swapped)
        for other, begin, stop in swapped[number + 1 :]
        if word.lower() != other.lower() and end != begin - 1 and stop != start - 1
    ]


def _antonym(words: Words, lexicon: Lexicon, choose: random.Random) -> list[Change]:
    changes = []
    for word, start, end in words:
        others = [*lexicon.antonyms.get(word, ()), *([_OPPOSITES[word]] if word in _OPPOSITES else [])]
        if others and len(word) > 1:
            changes.append([(start, end, choose.choice(others))])
    return changes


_PLACES: Mapping[str, Callable[[Words, Lexicon, random.Random], list[Change]]] = {
    "number": _number, "negation": _negation, "name": _name, "roles": _roles, "antonym": _antonym,
}  # fmt: skip
KINDS = tuple(_PLACES)
