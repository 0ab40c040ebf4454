"""A number that became another one."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal

from ..english import Word, is_content, stem, words
from ..entities.numbers import PLACES, UNITS, Number, numbers, same, unmatched
from ..entities.units import CONVERTED, is_close, other_unit, same_amount, unit
from ..findings import Outcome, Places, Span
from . import rule

_NEAR = 0.5  # share of the other words that two texts have in common where only a number differs
_YEAR = 2100  # whole numbers up to it are not rounded: they may be years
_CLOSE = 0.01
_ROUGHLY = 0.1  # by which amounts in different units may differ, where one is said to be about so much
# what a number may be that is said to be more, less or about so much; the first word that is found counts
_SHARES = {
    "more than": (1.0, 1.25), "at least": (1.0, 1.25), "over": (1.0, 1.25), "above": (1.0, 1.25),
    "less than": (0.75, 1.0), "fewer than": (0.75, 1.0), "at most": (0.75, 1.0), "under": (0.75, 1.0),
    "nearly": (0.75, 1.0), "almost": (0.75, 1.0), "close to": (0.75, 1.1), "up to": (0.75, 1.0),
    "about": (0.9, 1.1), "around": (0.9, 1.1), "roughly": (0.9, 1.1), "approximately": (0.9, 1.1), "some": (0.9, 1.1),
}  # fmt: skip
_HALF = re.compile(r"half an?\b", re.IGNORECASE)
_HEDGE = re.compile(rf"\b({'|'.join(_SHARES)}) (?:an? )?[$€£¥₹]?$", re.IGNORECASE)


@rule(Outcome.MEANING, english=False)
def number(source: str, candidate: str) -> list[Places]:
    """Numbers of the source and of the candidate that the other does not have, pair by pair in their order."""
    ours = numbers(source)
    theirs = numbers(candidate) if ours else []
    if not ours or not theirs:
        return []
    ours, theirs = _split(ours, theirs), _split(theirs, ours)
    lost, new = unmatched(ours, theirs)
    if lost and new and len(lost) + len(new) > 2 and _same_sum(source, lost, candidate, new):
        return []
    pairs = _paired(source, lost, candidate, new)
    found: list[Places] = [
        (before.span, after.span)
        for before, after in pairs
        if not any(_rounded(one, other) for one in before.values for other in after.values)
        and not _converted(source, before, candidate, after)
        and not _hedged(source, before, candidate, after)
    ]
    if found or pairs:
        return found
    return (
        _halved(source, ours, candidate, theirs)
        or [(after, before) for before, after in _halved(candidate, theirs, source, ours)]
        or _replaced(source, candidate, ours, theirs)
        or _miscounted(source, candidate, ours, theirs)
    )


def _paired(source: str, lost: list[Number], candidate: str, new: list[Number]) -> list[tuple[Number, Number]]:
    """What stands for what: the numbers of the same thing, and the others in their order."""
    here, there = list(lost), list(new)
    found = []
    for before in lost:
        of, _ = _counted(source, before)
        after = next((after for after in there if of and _counted(candidate, after)[0] == of), None)
        if after is not None:
            found.append((before, after))
            here.remove(before)
            there.remove(after)
    return sorted((*found, *zip(here, there, strict=False)), key=lambda pair: pair[0].span.start)


def _counted(text: str, number: Number) -> tuple[str, Span]:
    """What it is a number of, a kind of unit or the word after it; and the number with that."""
    units, span = unit(text, number.span)
    if units:
        return units[0].kind, span
    after = next((word for word in words(text) if word.start >= number.span.end), None)
    if after is None or text[number.span.end : after.start] not in (" ", "-") or not is_content(after.lower):
        return "", number.span
    return stem(after.lower), Span(number.span.start, after.end)


def _converted(source: str, before: Number, candidate: str, after: Number) -> bool:
    units, others = unit(source, before.span)[0], unit(candidate, after.span)[0]
    about = _HEDGE.search(source[: before.span.start]) or _HEDGE.search(candidate[: after.span.start])
    close = _ROUGHLY if about else CONVERTED
    return any(same_amount(one, units, other, others, close) for one in before.values for other in after.values)


def _same_sum(source: str, lost: list[Number], candidate: str, new: list[Number]) -> bool:
    """Are they one amount, in several units on one side: two hours and ten minutes, and 130 minutes?"""
    kinds, amounts = set(), []
    for text, own in ((source, lost), (candidate, new)):
        units = [(number, unit(text, number.span)[0]) for number in own]
        if not all(found for _, found in units):
            return False
        kinds |= {found[0].kind for _, found in units}
        amounts.append(sum(number.values[0] * found[0].size for number, found in units))
    return len(kinds) == 1 and is_close(*amounts)


def _hedged(source: str, before: Number, candidate: str, after: Number) -> bool:
    """Does one text say about how much it is, and the other how much: over 150 years, and 162?"""
    ours, theirs = _HEDGE.search(source[: before.span.start]), _HEDGE.search(candidate[: after.span.start])
    if bool(ours) == bool(theirs):
        return False
    hedge, rough, exact = (ours, before, after) if ours else (theirs, after, before)
    assert hedge is not None
    low, high = next(share for word, share in _SHARES.items() if word in hedge[1].lower())
    return any(low * one <= other <= high * one for one in rough.values for other in exact.values)


def _miscounted(source: str, candidate: str, ours: list[Number], theirs: list[Number]) -> list[Places]:
    """The same number of something else: three dollars and three euros, or three cats and two dogs exchanged."""
    here, there = ([number for number in side if not number.loose] for side in (ours, theirs))
    pairs = [(one, other) for one in here for other in there if same(one, other)]
    if not len(pairs) == len({one.span for one, _ in pairs}) == len({other.span for _, other in pairs}):
        return []  # which is which cannot be seen
    counted = [(*_counted(source, one), *_counted(candidate, other)) for one, other in pairs]
    turned = {(its, mine) for mine, _, its, _ in counted if mine and its}
    for (one, other), (mine, before, its, after) in zip(pairs, counted, strict=True):
        exchanged = mine != its and (mine, its) in turned
        if exchanged or other_unit(unit(source, one.span)[0], unit(candidate, other.span)[0]):
            return [(before, after)]
    return []


def _halved(text: str, ours: list[Number], other: str, theirs: list[Number]) -> list[Places]:
    """Half an hour, where the other text has another number of hours."""
    halves = [found for number in ours if (found := _HALF.match(text, number.span.start))]
    new = [one for one in theirs if not any(same(one, number) for number in ours)]
    for half in (Number((0.5,), Span(*found.span())) for found in halves):
        of, span = _counted(text, half)
        counts = [(one, whole) for one in new for counted, whole in [_counted(other, one)] if of and counted == of]
        if any(_converted(text, half, other, one) or _hedged(text, half, other, one) for one, _ in counts):
            continue
        strict = [whole for one, whole in counts if not one.loose]
        if strict:
            return [(span, strict[0])]
    return []


def _split(ours: list[Number], theirs: Sequence[Number]) -> list[Number]:
    """4/5 as two numbers, where the other text has no such part."""
    if not any(number.parts for number in ours):
        return ours
    if any(other.parts for other in theirs):
        return ours
    known = {value for other in theirs for value in other.values}
    found = []
    for number in ours:
        if number.parts and not any(one == other or _rounded(one, other) for one in number.values for other in known):
            found += [Number((part,), number.span) for part in number.parts]
        else:
            found.append(number)
    return found


def _rounded(one: float, other: float) -> bool:
    """Is one of them the other, said less exactly?"""
    return _rounds(one, other) or _rounds(other, one)


def _rounds(fine: float, coarse: float) -> bool:
    if math.isinf(fine) or math.isinf(coarse):
        return False
    exponent = _exponent(coarse)
    if coarse > _YEAR:
        unit = 10.0**exponent
        return fine % unit != 0 and abs(fine - coarse) <= min(unit / 2, _CLOSE * coarse)
    places = -min(exponent, 0)
    return -_exponent(fine) > places and abs(fine - coarse) <= 0.5 * 10.0**-places


def _exponent(value: float) -> int:
    """Of the last digit that is not 0."""
    return int(Decimal(repr(value)).normalize().as_tuple().exponent)


def _replaced(source: str, candidate: str, ours: list[Number], theirs: list[Number]) -> list[Places]:
    """One, first, once or half that became another such word in its place, where nearly all the rest is the same."""
    here, there = words(source), words(candidate)
    places = {word.start: place for place, word in enumerate(there)}
    for number in ours:
        if not number.loose and all(not other.loose for other in theirs):
            continue
        if any(same(number, other) for other in theirs):
            continue
        place = next((place for place, word in enumerate(here) if word.start == number.span.start), None)
        for other in theirs:
            spot = places.get(other.span.start)
            if place is None or spot is None or not (number.loose or other.loose) or same(number, other):
                continue
            one, two = here[place].lower, there[spot].lower
            if _of_a_kind(one, two) and _in_place(here, place, there, spot):
                return [(number.span, other.span)]
    return []


def _of_a_kind(one: str, other: str) -> bool:
    if "one" in (one, other):
        return one in UNITS and other in UNITS
    return any(one in kind and other in kind for kind in PLACES)


def _in_place(here: Sequence[Word], place: int, there: Sequence[Word], spot: int) -> bool:
    """Does the same word stand before it, or after it, and is the rest nearly the same?"""
    if _beside(here[:place][::-1]) != _beside(there[:spot][::-1]) and _beside(here[place + 1 :]) != _beside(
        there[spot + 1 :]
    ):
        return False
    rest = {stem(word.lower) for word in (*here[:place], *here[place + 1 :])}
    other = {stem(word.lower) for word in (*there[:spot], *there[spot + 1 :])}
    return len(rest & other) >= _NEAR * len(rest | other)


def _beside(part: Sequence[Word]) -> str:
    return next((stem(word.lower) for word in part if is_content(word.lower)), "")
