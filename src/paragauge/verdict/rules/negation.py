"""A negation that was added or dropped."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import pairwise, takewhile
from typing import NamedTuple

from ..english import Word, is_content, lists, stem, vocabulary, words
from ..findings import Outcome, Places, Span
from ..opposites import Entry, entries, opposites
from . import rule

_NOT = vocabulary(
    """not never cannot no without neither nor none nobody nothing nowhere hardly barely isnt arent wasnt werent dont
    doesnt didnt cant couldnt wouldnt shouldnt havent hasnt hadnt wont aint"""
)
_FAILS = vocabulary("fail fails failed failing refuse refuses refused refusing unable neglected")  # to do it
_REACH = 4  # words after the negation in which what it denies is looked for
_COMMA = 2  # characters between two words that have one between them
_SHORTEST = 4  # letters of a word that a prefix turns into its opposite
DENIES = frozenset(map(stem, lists("negation")["denies"].split()))  # without a negation: she failed to come
_OPPOSITE = ("un", "in", "im", "ir", "il", "dis", "non", "mis")
# negations that deny nothing, by the word after them, or before
_NO_DENIAL = {
    "not": vocabulary("only least just merely simply"),
    "no": vocabulary("doubt matter wonder"),
    "nothing": vocabulary("but"),
}
_AS = vocabulary("than like as")
_NONE = vocabulary("no nobody nothing none")
_HARDLY = vocabulary("little scarcely just narrowly few rarely seldom")
_MORE = vocabulary("more better happier worse less")
_UNTIL = vocabulary("until till")
_ENDS = vocabulary("longer more")  # no longer, no more: it was so before
_DOES = vocabulary("do does did")
PRONOUNS = vocabulary("i you he she it we they there")
_SUGGESTS = vocabulary("we you")


class _Beside(NamedTuple):
    """What is asked of two texts at every negation of the first."""

    known: frozenset[str]  # words of the other text
    used: bool  # does the other text say what used to be?
    superlative: bool  # has it one?
    compared: int  # the last place of than, like or as in the text; -1 where there is none
    until: int

    @classmethod
    def of(cls, text: Sequence[Word], other: Sequence[Word]) -> _Beside:
        known = frozenset(word.lower for word in other)
        return cls(
            known,
            any(one.lower == "used" and two.lower == "to" for one, two in pairwise(other)),
            any(map(_is_superlative, known)),
            max((place for place, word in enumerate(text) if word.lower in _AS), default=-1),
            max((place for place, word in enumerate(text) if word.lower in _UNTIL), default=-1),
        )


@rule(Outcome.MEANING, overruled=True)
def negation(source: str, candidate: str) -> list[Places]:
    """A negation in one text, where the other has what it denies, and denies nothing; or one more of them."""
    ours, theirs = words(source), words(candidate)
    here, there = negations(ours), negations(theirs)
    if not here and not there:
        here, there = _failures(ours), _failures(theirs)
        if any(stem(word.lower) in DENIES for word in (theirs if here else ours)):
            return []
    if len(here) > len(there) and (found := _lost(ours, here, theirs, there)):
        return [found]
    if len(there) > len(here) and (found := _lost(theirs, there, ours, here)):
        return [found[::-1]]
    return []


def _lost(
    text: tuple[Word, ...], places: Sequence[int], other: tuple[Word, ...], others: Sequence[int]
) -> tuple[Span, Span] | None:
    """What a text with more negations denies, and the other does not."""
    beside = _Beside.of(text, other)
    if not others and not _is_double(text, places):
        denying = next((place for place in places if _denies(text, place, beside)), None)
        found = None if denying is None else _denied(text, denying, other)
        if found and not _balanced(text, other):
            return found
    return _one_more(text, other, beside)


def negations(text: Sequence[Word]) -> list[int]:
    """The places of words that deny; No. 2 does not."""
    return [
        place
        for place, word in enumerate(text)
        if (word.lower in _NOT or word.lower.endswith("n't"))
        and not (word.lower == "no" and place + 1 < len(text) and text[place + 1].lower.isdigit())
    ]


def _failures(text: Sequence[Word]) -> list[int]:
    """The places of what denies where nothing else does: he failed to come."""
    return [place for place, (word, after) in enumerate(pairwise(text)) if word.lower in _FAILS and after.lower == "to"]


def _one_more(more: tuple[Word, ...], fewer: tuple[Word, ...], beside: _Beside) -> tuple[Span, Span] | None:
    """Where two texts are the same but for one negation: it with the word after it, and that word alone."""
    long, short = _spelled_out(more), _spelled_out(fewer)
    same = next((place for place, pair in enumerate(zip(long, short, strict=False)) if pair[0][0] != pair[1][0]), -1)
    rest = [[token for token, _ in side] for side in (long[same + 1 :], short[same:])]
    if same < 0 or long[same][0] not in _NOT or rest[0] != rest[1]:
        return None
    word, after = long[same][1], long[same + 1][1]
    answers = word.lower == "no" and after.start - word.end >= _COMMA  # No, it is
    if answers or not _denies(more, more.index(word), beside):
        return None
    return Span.of(word, after), Span.of(short[same][1])


def _spelled_out(text: Sequence[Word]) -> list[tuple[str, Word]]:
    """Stems with the words they stand for: will not for won't, not for don't, nothing for do."""
    found: list[tuple[str, Word]] = []
    for word in text:
        verb = word.lower.removesuffix("n't") if word.lower.endswith("n't") else word.lower
        verb = {"wo": "will", "ca": "can", "cannot": "can"}.get(verb, verb)
        if verb not in _DOES:
            found.append((verb if verb in _NOT else stem(verb), word))
        if word.lower.endswith("n't") or word.lower == "cannot":
            found.append(("not", word))
    return found


def _is_double(text: Sequence[Word], places: Sequence[int]) -> bool:
    """What cannot be done without something is done with it."""
    return len(places) > 1 and any(text[place].lower == "without" for place in places)


def _denies(text: Sequence[Word], place: int, other: _Beside) -> bool:
    """Not only, whether or not, it couldn't be better, why don't we go, isn't it nice, it is nice, isn't it?"""
    word = text[place].lower
    beside = [word.lower for word in text[max(place - 2, 0) : place]]
    before = beside[-1] if beside else ""
    after = [word.lower for word in text[place + 1 : place + 1 + _REACH]]
    known = other.known
    if after[:1] and after[0] in _NO_DENIAL.get(word, ()):
        return after[0] in known
    if word == "no" and after[:1] and after[0] in _ENDS and other.used:  # what used to be
        return False
    if word in ("can't", "cannot", "not") and "too" in after:  # you can't be too careful
        return "too" in known
    if word in _NONE and other.compared >= place and other.superlative:
        return False  # no mountain is higher than this: it is the highest
    if word in ("hardly", "barely") and not _HARDLY.isdisjoint(known):
        return False
    if word in ("not", "without") and ("or" in beside or before == "than"):  # with or without; more likely than not
        return False
    if word == "no" and after[1:2] == ["than"]:  # no more than five are at most five
        return after[0] in known
    if word == "couldn't" or (word == "not" and before == "could"):
        more = _MORE.intersection(after)
        return not more or not more.isdisjoint(known)
    if before == "why" and (word == "not" or (word in ("don't", "dont") and after[:1] and after[0] in _SUGGESTS)):
        return "why" in known
    if word not in ("no", "without") and other.until > place:
        return not _UNTIL.isdisjoint(known)  # who does not come until noon, comes at noon
    if not place and word.endswith("n't") and after[:1] and after[0] in PRONOUNS:
        return word in known
    tag = word.endswith("n't") and len(after) == 1 and after[0] in PRONOUNS
    return not tag or text[place].start - text[place - 1].end < _COMMA


def _is_superlative(word: str) -> bool:
    return word == "most" or (word.endswith("est") and len(word) > _SHORTEST - 1)


def _balanced(negated: tuple[Word, ...], other: tuple[Word, ...]) -> bool:
    """Does a word deny it too, in either text: unable, forbidden, bad, not unhappy?"""
    here, there = {word.lower for word in negated}, {word.lower for word in other}
    stems, others = set(map(stem, here)), set(map(stem, there))
    if len(DENIES & others) > len(DENIES & stems) or _runs_out(other) > _runs_out(negated):
        return True
    if any(_opposes(word, stems) for word in there - here) or any(_opposes(word, others) for word in here - there):
        return True
    against = frozenset[Entry]().union(*map(opposites, here - there - _NOT))
    return any(not against.isdisjoint(entries(word)) for word in there - here)


def _runs_out(text: Sequence[Word]) -> bool:
    return any(one.lower == "out" and two.lower == "of" for one, two in pairwise(text))


def _opposes(word: str, stems: Set[str]) -> bool:
    """Is it unhappy, where happy is among these?"""
    return any(
        word.startswith(prefix) and len(word) >= len(prefix) + _SHORTEST and stem(word[len(prefix) :]) in stems
        for prefix in _OPPOSITE
    )


def _denied(text: tuple[Word, ...], place: int, other: tuple[Word, ...]) -> tuple[Span, Span] | None:
    """The negation with the word it denies, and that word in the other text."""
    after = text[place + 1 : place + 1 + _REACH]
    ends = text[place].lower == "no" and bool(after) and after[0].lower in _ENDS
    if text[place].lower == "no" and after and after[0].lower == "one":
        after = after[1:]
    elif text[place].lower == "no" and not ends:  # not: said no to a proposal
        after = after[:1]
    head = next((word for word in after[ends:] if is_content(word.lower)), None)
    if head is None and text[place].lower != "no":  # "it is not": then what stands before it
        head = next((word for word in reversed(text[:place]) if is_content(word.lower)), None)
    if head is None:
        return None
    same = [word for word in other if stem(word.lower) == stem(head.lower)]
    if not same:
        return None
    within = list(takewhile(lambda word: word is not head, after))
    last = head if head.start > text[place].start else text[place]
    return Span.of(text[place], *within, last), Span.of(same[0])
