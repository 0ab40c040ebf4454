"""Small changes of a text that change what it means: negatives for training, and tests of what a metric sees."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple


def _list(words: str) -> list[str]:
    return words.split()


KINDS = ("number", "negation", "name", "roles", "antonym", "modal", "drop", "add")

_NUMBER_WORDS = _list("two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred")
_ORDINALS = _list("first second third fourth fifth sixth seventh eighth ninth tenth")
_MONTHS = _list("January February March April June July August September October November December")
_DAYS = _list("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
_CYCLES = tuple({word.lower(): word for word in words} for words in (_NUMBER_WORDS, _ORDINALS, _MONTHS, _DAYS))
_NAMES = _list(
    "James Mary Robert Linda Michael Susan David Karen Daniel Laura Peter Emma Ahmed Chen Maria Ivan Yuki Smith "
    "Johnson Brown Garcia Miller Davis Wilson Moore Taylor Anderson London Paris Berlin Tokyo Chicago Boston Madrid "
    "Canada Brazil Germany India Kenya Mexico Poland Texas Google Toyota Sony Pepsi"
)
_AUXILIARIES = frozenset(
    _list("is are was were am will would can could should may might must do does did has have had")
)
_STRONG = ("must", "will")
_WEAK = ("can", "may", "might", "could")
_NEGATIONS = {"not": "", "never": "", "no": "a", "without": "with", "nobody": "everybody", "nothing": "everything"}
_CONTRACTED = {"can't": "can", "won't": "will", "cannot": "can", "shan't": "shall", "ain't": "is"}
_OPPOSITES = {
    word: other.replace("_", " ")
    for word, _, other in (
        entry.partition(":")
        for entry in _list(
            "before:after after:before more:less less:more always:never all:some every:no some:no many:few "
            "few:many most:few above:below under:over with:without up:down down:up in:out_of he:she she:he "
            "his:her buy:sell bought:sold win:lose won:lost lost:won rose:fell fell:rose increased:decreased "
            "decreased:increased best:worst worst:best early:late likes:hates loves:hates love:hate like:dislike "
            "wife:husband son:daughter man:woman woman:man boy:girl girl:boy men:women women:men black:white "
            "white:black red:green blue:yellow small:large north:south "
        )
    )
}
_ADDED = _list("former alleged fake second-hand broken Chinese retired anonymous rival empty unfinished imaginary")
_DETERMINERS = frozenset(_list("the a an this that his her their my our your its"))
_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?|\d+(?:[.,]\d+)*|\S")
_SUBJECTS = {"he": "does", "she": "does", "it": "does", "i": "do", "you": "do", "we": "do", "they": "do"}
_NO_NAMES = frozenset(_list("I I'm I've I'll I'd"))


class Lexicon(NamedTuple):
    """What the perturbations know of words; empty tables switch off what needs them."""

    antonyms: Mapping[str, Sequence[str]]
    verbs: frozenset[str]


@cache
def read_lexicon(folder: Path) -> Lexicon:
    """Antonyms and base forms of verbs from the files of WordNet."""
    antonyms: dict[str, list[str]] = defaultdict(list)
    verbs: set[str] = set()
    for part in ("adj", "adv", "verb", "noun"):
        names: dict[str, list[str]] = {}
        pointers: list[tuple[str, str, int]] = []
        for line in (folder / f"data.{part}").read_text("utf-8").splitlines():
            if line.startswith(" "):
                continue
            fields = line.split("|")[0].split()
            count = int(fields[3], 16)
            words = [word.partition("(")[0] for word in fields[4 : 4 + 2 * count : 2]]
            names[fields[0]] = words
            if part == "verb":
                verbs |= set(words)
            rest = fields[5 + 2 * count :]
            for symbol, offset, _, ends in zip(rest[::4], rest[1::4], rest[2::4], rest[3::4], strict=False):
                if symbol == "!" and int(ends[:2], 16):
                    pointers.append((words[int(ends[:2], 16) - 1], offset, int(ends[2:], 16) - 1))
        for word, offset, place in pointers:
            other = names[offset][place]
            if "_" not in word + other and other not in antonyms[word]:
                antonyms[word].append(other)
    return Lexicon(dict(antonyms), frozenset(verbs))


def perturb(text: str, kind: str, lexicon: Lexicon, choose: random.Random) -> str | None:
    """The text changed in this way; None where it offers no place for it."""
    words = [(found.group(), found.start(), found.end()) for found in _WORD.finditer(text)]
    places = [place for place in _PLACES[kind](words, lexicon, choose) if place]
    if not places:
        return None
    for start, end, new in sorted(choose.choice(places), reverse=True):
        text = text[:start] + new + text[end:]
    return re.sub(r"\s+", " ", text).strip()


def perturb_any(text: str, lexicon: Lexicon, choose: random.Random, kinds: Sequence[str] = KINDS) -> tuple[str, str]:
    """The text changed in one of the ways that it offers, with its kind; two empty strings where it offers none."""
    for kind in choose.sample(list(kinds), len(kinds)):
        changed = perturb(text, kind, lexicon, choose)
        if changed is not None and changed.lower() != text.lower():
            return changed, kind
    return "", ""


Words = Sequence[tuple[str, int, int]]
Change = list[tuple[int, int, str]]  # from, to, what stands there instead; several make one change


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


_AFTER_NOUN = frozenset(_list("is was are were and or of in on at to with by from for has had will who that"))


def _antonym(words: Words, lexicon: Lexicon, choose: random.Random) -> list[Change]:
    changes = []
    for word, start, end in words:
        others = [*lexicon.antonyms.get(word, ()), *([_OPPOSITES[word]] if word in _OPPOSITES else [])]
        if others and len(word) > 1:
            changes.append([(start, end, choose.choice(others))])
    return changes


def _modal(words: Words, _: Lexicon, choose: random.Random) -> list[Change]:
    return [
        [(start, end, choose.choice(_STRONG if word in _WEAK else _WEAK))]
        for place, (word, start, end) in enumerate(words)
        if word in (*_STRONG, *_WEAK) and place
    ]


def _drop(words: Words, _: Lexicon, choose: random.Random) -> list[Change]:
    """A fifth to two fifths of the words, side by side."""
    if len(words) < 6:
        return []
    count = max(2, round(len(words) * choose.uniform(0.2, 0.4)))
    first = choose.randrange(len(words) - count)
    return [[(words[first][1], words[first + count][1], "")]]


def _add(words: Words, _: Lexicon, choose: random.Random) -> list[Change]:
    return [
        [(end, end, f" {choose.choice(_ADDED)}")]
        for place, (word, _start, end) in enumerate(words[:-1])
        if word.lower() in ("the", "his", "her", "their", "my") and words[place + 1][0].isalpha()
    ]


_PLACES: Mapping[str, Callable[[Words, Lexicon, random.Random], list[Change]]] = {
    "number": _number,
    "negation": _negation,
    "name": _name,
    "roles": _roles,
    "antonym": _antonym,
    "modal": _modal,
    "drop": _drop,
    "add": _add,
}
