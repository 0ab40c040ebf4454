"""A word replaced by its opposite."""

from __future__ import annotations

from collections.abc import Sequence, Set

from ..english import Word, is_content, stem, vocabulary, words
from ..findings import Outcome, Places, Span
from ..opposites import Entry, entries, opposites
from . import rule
from .negation import DENIES, PRONOUNS, negation, negations

_LESSENS = frozenset({"less", "least", "non", "far from", "anything but"})  # less painful, and painless
_AGES = vocabulary("year years month months week weeks day days")  # two years old is not old
_ARTICLES = vocabulary("a an the")
_PHRASES = frozenset(
    map(tuple, map(str.split, ("in front of", "out of", "away from", "far from", "far away from", "close to", "next to",
                               "anything but")))
)  # fmt: skip
# up and down the street, and what is filled in and out, are the same
_WAYS = vocabulary(
    """street road avenue lane path block hall hallway aisle sidewalk trail highway beach corridor
    fill fills filled filling slow slows slowed slowing burn burns burned burnt burning break breaks broke broken
    breaking"""
)
_LAST = vocabulary("of from to but")  # words of these phrases
_LONGEST = 3  # words of a phrase
_MOST = 100  # pairs of opposites: where there are more, nothing tells which belong together
_TOGETHER = 4  # words within which one opposite may make up for another: more patient, less impatient
_PERSONS = {
    form: forms[0]
    for forms in map(
        str.split, ("i me my mine", "he him his", "she her hers", "we us our", "they them their", "you your")
    )
    for form in forms
}
# of the other content words of the text with fewer, how many the other text must have, where the word on one side alone
# is the same: a content word, or another
_SHARE, _SHARE_BARE = 0.5, 0.8


@rule(Outcome.MEANING)
def antonym(source: str, candidate: str) -> list[Places]:
    """A word and its opposite in the same place of the two texts, where nothing makes up for it."""
    ours, theirs = _phrased(words(source)), _phrased(words(candidate))
    found = _opposed(ours, theirs)
    if not found or _denials(ours, {place for place, _ in found}) != _denials(theirs, {spot for _, spot in found}):
        return []
    if len(found) == 2 and max(abs(one - other) for one, other in zip(*found, strict=True)) <= _TOGETHER:
        return []
    here, there = ([word for word in text if word.lower not in _ARTICLES] for text in (ours, theirs))
    alike = [(place, spot) for place, spot in found if _alike(here, ours[place], there, theirs[spot])]
    if alike and negation.places(source, candidate):  # with and without, always and never: reported once
        return []
    return [(Span.of(ours[place]), Span.of(theirs[spot])) for place, spot in alike]


def _phrased(text: Sequence[Word]) -> Sequence[Word]:
    """The words of a text, with a preposition of several words as one."""
    if not any(word.lower in _LAST for word in text):
        return text
    found: list[Word] = []
    for word in text:
        found.append(word)
        if word.lower in _LAST:
            for length in range(min(_LONGEST, len(found)), 1, -1):
                if tuple(one.lower for one in found[-length:]) in _PHRASES:
                    found[-length:] = [
                        Word(" ".join(one.lower for one in found[-length:]), found[-length].start, word.end)
                    ]
                    break
    return found


def _opposed(ours: Sequence[Word], theirs: Sequence[Word]) -> list[tuple[int, int]]:
    """The places of words that one text has, and the other has the opposite alone."""
    here, there = {word.lower for word in ours}, {word.lower for word in theirs}
    turned = [(place, opposites(word.lower)) for place, word in enumerate(ours) if word.lower not in there]
    spots: dict[Entry, list[int]] = {}
    for spot, word in enumerate(theirs):
        for entry in entries(word.lower) if word.lower not in here else ():
            spots.setdefault(entry, []).append(spot)
    found: list[tuple[int, int]] = []
    for place, against in turned:
        found += [(place, spot) for spot in sorted({spot for entry in against for spot in spots.get(entry, ())})]
        if len(found) > _MOST:
            return []
    if not found:
        return []
    ours_too, theirs_too = ({stem(word) for word in text} for text in (here, there))
    return [
        (place, spot)
        for place, spot in found
        if stem(ours[place].lower) not in theirs_too
        and stem(theirs[spot].lower) not in ours_too
        and not (_has_opposite(ours, place) and _has_opposite(theirs, spot))
        and not any(_says_nothing(*there) for there in ((ours, place), (theirs, spot)))
    ]


def _has_opposite(text: Sequence[Word], place: int) -> bool:
    against = opposites(text[place].lower)
    return any(not against.isdisjoint(entries(word.lower)) for word in text)


def _says_nothing(text: Sequence[Word], place: int) -> bool:
    """Two years old, half full, down the street, filled out: would its opposite say the same?"""
    word = text[place].lower
    if word in ("old", "older"):
        return place > 0 and text[place - 1].lower in _AGES
    if word in ("empty", "full"):
        return place > 0 and text[place - 1].lower == "half"
    return word in ("up", "down", "in", "out") and any(
        one.lower in _WAYS for one in text[max(place - 1, 0) : place + 3]
    )


def _denials(text: Sequence[Word], but: Set[int]) -> int:
    """How often something is denied, other than by the words at these places."""
    denied = {place for place, word in enumerate(text) if word.lower in _LESSENS or stem(word.lower) in DENIES}
    tag = len(text) - 2 if text[-1].lower in PRONOUNS else None  # isn't it?
    return len(denied.union(place for place in negations(text) if place != tag) - but)


def _alike(ours: list[Word], word: Word, theirs: list[Word], other: Word) -> bool:
    """Are the words before and after them the same, or one of these, and most of the rest?"""
    place, spot = ours.index(word), theirs.index(other)
    left = _same(ours[:place][-1:], theirs[:spot][-1:])
    right = _same(ours[place + 1 :][:1], theirs[spot + 1 :][:1])
    if _is_turned(ours, place, theirs, spot):
        return False
    if left and right:
        return True
    if not left and not right:
        return False
    if not is_content(word.lower) or not is_content(other.lower):
        return False
    here, there = _content(ours), _content(theirs)
    beside = ours[place - 1 : place] if left else ours[place + 1 : place + 2]
    share = _SHARE if any(is_content(one.lower) for one in beside) else _SHARE_BARE
    return len(here & there) >= share * (min(len(here), len(there)) - 1)


def _is_turned(ours: list[Word], place: int, theirs: list[Word], spot: int) -> bool:
    """Does what stood before it stand behind the other, rather than before it: A is older than B, B younger than A?"""
    before, after, left, right = (
        _content(part) | {_PERSONS[word.lower] for word in part if word.lower in _PERSONS}
        for part in (ours[:place], ours[place + 1 :], theirs[:spot], theirs[spot + 1 :])
    )
    turned, kept = (before & right, after & left), (before & left, after & right)
    return (all(turned) and sum(map(len, turned)) >= sum(map(len, kept))) or (any(turned) and not any(kept))


def _same(ours: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Are these one word, or none?"""
    return [stem(word.lower) for word in ours] == [stem(word.lower) for word in theirs]


def _content(text: Sequence[Word]) -> set[str]:
    return {stem(word.lower) for word in text if is_content(word.lower)}
