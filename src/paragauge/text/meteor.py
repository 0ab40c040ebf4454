"""Words of two texts matched one to one, and in how many chunks: what METEOR counts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

# In the search for the fewest chunks: partial alignments that are kept per word (METEOR 1.5 keeps 40), and places
# that a chunk may begin at, the nearest first, where a word is repeated more often than that.
BEAM = 40
PLACES = 64


class Matched(NamedTuple):
    """How many words are matched, and in how many runs of neighbours that are neighbours in both texts."""

    words: int
    chunks: int


def match_greedily(
    candidate: Sequence[str],
    other: Sequence[str],
    stem: Callable[[str], str],
    synonyms: Callable[[str], frozenset[str]],
) -> Matched:
    """nltk's alignment: equal words, then equal stems, then a stem among the synonyms of the other text's stem.

    In each stage words are taken from the end, each with the last free match.
    """
    targets = [-1] * len(candidate)
    left, free = list(range(len(candidate))), list(range(len(other)))
    left, free = _take_last(candidate, other, left, free, targets)
    if left and free:
        words = {place: stem(candidate[place]) for place in left}
        others = {place: stem(other[place]) for place in free}
        left, free = _take_last(words, others, left, free, targets)
        if left and free:
            _take_synonyms(words, others, left, free, targets, synonyms)
    return _counted(targets)


Words = Sequence[str] | dict[int, str]


def _by_word(words: Words, places: Iterable[int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place in places:
        found.setdefault(words[place], []).append(place)
    return found


def _take_last(
    words: Words, others: Words, left: list[int], free: list[int], targets: list[int]
) -> tuple[list[int], list[int]]:
    places = _by_word(others, free)
    rest = []
    for place in reversed(left):
        found = places.get(words[place])
        if found:
            targets[place] = found.pop()
        else:
            rest.append(place)
    rest.reverse()
    return rest, sorted(place for found in places.values() for place in found)


def _take_synonyms(
    words: Words,
    others: Words,
    left: list[int],
    free: list[int],
    targets: list[int],
    synonyms: Callable[[str], frozenset[str]],
) -> None:
    places = _by_word(others, free)
    for place in reversed(left):
        # an exact match is gone by now, so that a word need not be counted among its own synonyms
        shared = places.keys() & synonyms(words[place])
        if shared:
            word = max(shared, key=lambda word: places[word][-1])
            targets[place] = places[word].pop()
            if not places[word]:
                del places[word]


def _counted(targets: Sequence[int]) -> Matched:
    words = chunks = 0
    last = -2  # a neighbour of nothing
    for target in targets:
        if target < 0:
            last = -2
            continue
        words += 1
        chunks += target != last + 1
        last = target
    return Matched(words, chunks)


class _Partial(NamedTuple):
    """An alignment of the first words, best first in the order of its fields."""

    unmatched: int
    chunks: int
    distance: int  # of matched places, summed: among equals the straightest
    last: int  # where the last word is matched, or -2
    used: int  # bits of the other text's words


def match_in_fewest_chunks(
    candidate: Sequence[str], other: Sequence[str], keys: Callable[[str], Iterable[Hashable]], beam: int = BEAM
) -> Matched:
    """METEOR's alignment: most words matched, and then fewest chunks; words match that have a key in common.

    The search goes through the candidate once and keeps the best `beam` alignments of what it has seen; with a beam
    as large as there are alignments it is exact.
    """
    by_key: dict[Hashable, list[int]] = {}
    for place, word in enumerate(other):
        for key in keys(word):
            by_key.setdefault(key, []).append(place)
    states = [_Partial(0, 0, 0, -2, 0)]
    for number, word in enumerate(candidate):
        places = sorted({place for key in keys(word) for place in by_key.get(key, ())})
        matching = set(places)
        if len(places) > PLACES:
            places = sorted(places, key=lambda place: abs(place - number))[:PLACES]
        following = set()
        for state in states:
            following.add(state._replace(unmatched=state.unmatched + 1, last=-2))
            after = state.last + 1
            for place in places if after in places or after not in matching else (after, *places):
                if not state.used >> place & 1:
                    following.add(
                        _Partial(
                            state.unmatched,
                            state.chunks + (place != after),
                            state.distance + abs(place - number),
                            place,
                            state.used | 1 << place,
                        )
                    )
        # of alignments that use the same words and end in the same place, only the best can matter
        states = list({(state.last, state.used): state for state in sorted(following, reverse=True)}.values())
        states = sorted(states)[:beam]
    best = states[0]
    return Matched(len(candidate) - best.unmatched, best.chunks)
