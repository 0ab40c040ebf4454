"""The edits of TER for many pairs at once: the search of `shifts`, one round of all pairs at a time.

A row of a distance matrix is one machine word, with a bit per word of the reference; so longer texts, and those that
the beam has a say in, are left to `shifts`, pair by pair. The numbers are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import shifts
from .ngrams import Integers, Sequences, distinct, matches

Bits = NDArray[Any]  # unsigned integers, with room for one bit more than the longest reference has words
_LONGEST = 63
_WORDS = 1 << 17  # of candidates that are looked at together: what is computed of them stays in the cache of one core
_ONES = np.array([number.bit_count() for number in range(256)])


class _Pairs(NamedTuple):
    """Pairs, the longest candidates first."""

    row: Integers
    masks: Bits  # for each word of the candidate, the words of the reference that equal it; shape (words, pairs)
    length: Integers  # of the candidate
    width: Integers  # of the reference
    distance: Integers
    least: Integers  # what the distance can become, whatever is shifted
    seen: Integers  # shifts looked at so far
    made: Integers

    @property
    def improvable(self) -> NDArray[np.bool_]:
        """Can shifts pay? Where only one edit can be saved, the shift that saves it costs as much."""
        return self.distance > self.least + 1

    def only(self, chosen: NDArray[Any]) -> _Pairs:
        return _Pairs(*(column[..., chosen] for column in self))


class _Shifts(NamedTuple):
    """Which blocks of words may be moved where: by pair, and for each pair in Tercom's order of preference."""

    pair: Integers
    size: Integers
    start: Integers
    goal: Integers

    def only(self, chosen: Any) -> _Shifts:
        return _Shifts(*(column[chosen] for column in self))


def count_edits(sequences: Sequences) -> Integers:
    """Insertions, deletions, substitutions and shifts that turn each candidate into the one text it is compared with.

    >>> from paragauge.text.ngrams import sequences_of_tokens
    >>> count_edits(sequences_of_tokens([(["d", "a", "b", "c"], ["a", "b", "c", "d"]), ([], ["a", "b"])]))
    array([1, 2])
    """
    sizes = sequences.lengths.reshape(-1, 2)
    result: Integers = sizes.max(axis=1, initial=0)
    least = result - matches(sequences, 1)[:, 0]
    filled = sizes.min(axis=1, initial=_LONGEST) > 0
    short = result <= _LONGEST
    alone = [np.flatnonzero(filled & ~short)]
    improvable = [alone[0][:0]]
    for pairs in _batches(np.flatnonzero(filled & short), sequences, least):
        whole = shifts.whole_in_beam(pairs.length, pairs.width, pairs.distance)
        result[pairs.row] = pairs.distance
        improvable.append(pairs.row[whole & pairs.improvable])
        alone.append(pairs.row[~whole])
    for pairs in _batches(np.concatenate(improvable), sequences, least):
        _search(pairs, result)
    texts = sequences.texts() if any(map(len, alone)) else []
    for row in np.concatenate(alone).tolist():
        result[row] = shifts.count_edits(*texts[2 * row : 2 * row + 2])
    return result


def _batches(rows: Integers, sequences: Sequences, least: Integers) -> Iterator[_Pairs]:
    """The pairs of these rows, the longest candidates first, and no more at once than the cache can hold."""
    sizes = sequences.lengths.reshape(-1, 2)
    starts = (np.cumsum(sequences.lengths) - sequences.lengths).reshape(-1, 2)
    rows = rows[np.argsort(-sizes[rows, 0], kind="stable")]
    while len(rows):
        some, rows = np.split(rows, [_WORDS // int(sizes[rows[0], 0])])
        candidates = _padded(sequences.symbols, starts[some, 0], sizes[some, 0], -1)
        masks = _match(candidates, _padded(sequences.symbols, starts[some, 1], sizes[some, 1], -2))
        length, width = sizes[some].T
        nothing = np.zeros(len(some), np.int64)
        yield _Pairs(some, masks, length, width, _fill(masks, length, width), least[some], nothing, nothing)


def _padded(symbols: Integers, starts: Integers, lengths: Integers, beyond: int) -> NDArray[np.int8]:
    """Short texts, whose symbols are small, as columns of a table; something else beyond their ends."""
    places = np.arange(lengths.max())[:, None]
    inside = places < lengths
    return np.where(inside, symbols[np.where(inside, starts + places, 0)], beyond).astype(np.int8)


def _match(candidates: NDArray[np.int8], references: NDArray[np.int8]) -> Bits:
    masks = np.zeros(candidates.shape, np.min_scalar_type(1 << len(references)))
    for place, words in enumerate(references):
        masks |= (candidates == words).astype(masks.dtype) << masks.dtype.type(place)
    return masks


def _fill(masks: Bits, length: Integers, width: Integers, trace: tuple[Bits, Bits] | None = None) -> Integers:
    """The distances, as `shifts` computes them; the trace is told which cells of a row are askew and which deleting."""
    one = masks.dtype.type(1)
    mask = (one << width.astype(masks.dtype)) - one
    risen, fallen = mask.copy(), np.zeros_like(mask)
    counts = np.searchsorted(-length, -np.arange(len(masks)))  # of candidates that have this word
    for row, count in enumerate(counts.tolist()):
        match, rising, falling = masks[row, :count], risen[:count], fallen[:count]
        level = (((match & rising) + rising) ^ rising) | match | falling
        up = falling | ~(level | rising)
        if trace is not None:
            trace[0][row, :count], trace[1][row, :count] = level & ~match, up
        up = up << one | one
        risen[:count] = ((level & rising) << one | ~(level | up)) & mask[:count]
        fallen[:count] = up & level & mask[:count]
    return length + _count_ones(risen) - _count_ones(fallen)


def _count_ones(bits: Bits) -> Integers:
    ones: Integers = _ONES[bits.view(np.uint8)].reshape(len(bits), -1).sum(axis=1)
    return ones


def _search(pairs: _Pairs, result: Integers) -> None:
    """Shifts, greedily chosen, and the distance that they leave, into the rows of the result."""
    while len(pairs.row):
        found, choices = _find_shifts(pairs)
        pairs = pairs._replace(seen=pairs.seen + found)
        allowed = (pairs.seen < shifts.MOST_SHIFTS)[choices.pair]
        choices = choices.only(allowed)
        if not len(choices.pair):
            return
        costs = _costs(pairs, choices)
        # the cheapest of each pair, the first of equals
        first = np.flatnonzero(np.diff(choices.pair, prepend=-1))
        chosen = np.minimum.reduceat(costs * len(costs) + np.arange(len(costs)), first) % len(costs)
        chosen = chosen[costs[chosen] < pairs.distance[choices.pair[chosen]]]
        best = choices.only(chosen)
        pairs = pairs.only(best.pair)
        pairs = pairs._replace(
            masks=np.take_along_axis(pairs.masks, _order(best, pairs.length, len(pairs.masks)), axis=0),
            distance=costs[chosen],
            made=pairs.made + 1,
        )
        result[pairs.row] = pairs.made + pairs.distance
        pairs = pairs.only(pairs.improvable)


def _find_shifts(pairs: _Pairs) -> tuple[Integers, _Shifts]:
    """How many shifts sacrebleu would look at for each pair, and the distinct ones."""
    targets, candidate_waits, reference_waits = _align(pairs)
    start, pair, place = _places(pairs.masks)
    # The block must not hold the word that the match of its first word is aligned with.
    longest = targets[place + 1, pair] - 1 - start
    longest[(longest < 0) | (longest > shifts.LONGEST_BLOCK)] = shifts.LONGEST_BLOCK
    shortest = np.maximum(candidate_waits[start, pair], reference_waits[place, pair])
    some = np.flatnonzero((shortest <= longest) & (np.abs(start - place) <= shifts.FARTHEST_MATCH))
    start, pair, place, shortest, longest = start[some], pair[some], place[some], shortest[some], longest[some]
    longest = _equal(pairs, start, pair, place, longest)
    block, size = _ranges(shortest, longest)
    owner, after = _ranges(place[block], place[block] + size)
    goal = targets[after, pair[block[owner]]]
    # targets never fall, so equal ones stand side by side
    fresh = np.concatenate(([True], (goal[1:] != goal[:-1]) | (owner[1:] != owner[:-1])))[: len(goal)]
    owner, goal = owner[fresh], goal[fresh]
    block, size = block[owner], size[owner]
    keys = distinct((pair[block] * 16 + shifts.LONGEST_BLOCK - size << 16) + (start[block] << 8) + goal)
    found = np.bincount(pair[block], minlength=len(pairs.row))
    return found, _Shifts(keys >> 20, shifts.LONGEST_BLOCK - (keys >> 16 & 15), keys >> 8 & 255, keys & 255)


def _places(masks: Bits) -> tuple[Integers, Integers, Integers]:
    """Row, column and place of every bit that is set."""
    rows, columns = np.nonzero(masks)
    bits = masks[rows, columns]
    found = [(rows[:0], columns[:0], rows[:0])]
    while len(bits):
        lowest = bits & (~bits + bits.dtype.type(1))
        found.append((rows, columns, np.frexp(lowest.astype(np.float64))[1].astype(np.int64) - 1))
        bits = bits ^ lowest
        more = bits != 0
        rows, columns, bits = rows[more], columns[more], bits[more]
    start, pair, place = (np.concatenate(column) for column in zip(*found, strict=True))
    return start, pair, place


def _equal(pairs: _Pairs, start: Integers, pair: Integers, place: Integers, most: Integers) -> Integers:
    """How many words are equal from here on, of at most so many."""
    length = np.ones_like(start)
    on = np.arange(len(start))
    for size in range(1, shifts.LONGEST_BLOCK):
        on = on[(most[on] > size) & (start[on] + size < len(pairs.masks))]
        shift = (place[on] + size).astype(pairs.masks.dtype)
        on = on[(pairs.masks[start[on] + size, pair[on]] >> shift & shift.dtype.type(1)).astype(np.bool_)]
        length[on] += 1
    return length


def _ranges(first: Integers, last: Integers) -> tuple[Integers, Integers]:
    """The numbers from each first to its last, end to end, and which of the ranges each is of."""
    counts = np.maximum(last - first + 1, 0)
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - (np.cumsum(counts) - counts - first)[owner]


def _align(pairs: _Pairs) -> tuple[Integers, Integers, Integers]:
    """The fields of `shifts._Alignment`, a column per pair; the waits have one row too many."""
    masks, one = pairs.masks, pairs.masks.dtype.type(1)
    askew, deleting = np.empty_like(masks), np.empty_like(masks)
    _fill(masks, pairs.length, pairs.width, (askew, deleting))
    count, columns = len(pairs.row), int(pairs.width.max())
    targets = np.zeros((columns + 1, count), np.int64)
    candidate_waits, reference_waits = (np.ones((size + 1, count), np.int64) for size in (len(masks), columns))
    pair, row, column = np.arange(count), pairs.length, pairs.width
    here, there = np.full((2, count), shifts.LONGEST_BLOCK)
    while len(pair):
        bit = (column - 1).astype(masks.dtype)
        aside = (askew[row - 1, pair] >> bit & one).astype(np.bool_)
        deleted = aside & (deleting[row - 1, pair] >> bit & one).astype(np.bool_)
        inserted = aside ^ deleted
        match = (masks[row - 1, pair] >> bit & one).astype(np.bool_) & ~aside
        targets[column, pair] = row - deleted
        row, column = row - ~inserted, column - ~deleted
        here = np.where(inserted, here, np.where(match, here + 1, 1))
        there = np.where(deleted, there, np.where(match, there + 1, 1))
        candidate_waits[row, pair], reference_waits[column, pair] = here, there
        on = np.flatnonzero((row > 0) & (column > 0))
        if len(on) < len(pair):
            pair, row, column, here, there = pair[on], row[on], column[on], here[on], there[on]
    return targets, candidate_waits, reference_waits


def _costs(pairs: _Pairs, choices: _Shifts) -> Integers:
    """The distance after each shift."""
    words = len(pairs.masks)
    result = np.empty(len(choices.pair), np.int64)
    step = _WORDS // words
    for begin in range(0, len(result), step):
        some = choices.only(slice(begin, begin + step))
        length = pairs.length[some.pair]
        masks = pairs.masks[_order(some, length, words), some.pair]
        result[begin : begin + step] = _fill(masks, length, pairs.width[some.pair])
    return result


def _order(chosen: _Shifts, length: Integers, words: int) -> Integers:
    """Where each word of a shifted candidate stood before; shape (words, shifts).

    Two neighbouring blocks change places, from `first` to `border` and from there to `end`. As in sacrebleu, a target
    within the block means: as far to the right as the target is from the block's start.
    """
    start, end, goal = chosen.start, chosen.start + chosen.size, chosen.goal
    before = goal < start
    first, border = np.where(before, goal, start), np.where(before, start, end)
    end = np.where(before, end, np.minimum(np.where(goal > end, goal, goal + chosen.size), length))
    places = np.arange(words)[:, None]
    moved = np.where(places < first + end - border, border - first, border - end)
    return places + np.where((places >= first) & (places < end), moved, 0)
