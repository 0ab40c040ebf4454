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
_CELLS = 1 << 18  # of matrices that are computed at a time: they stay in the cache of one core
_ONES = np.array([number.bit_count() for number in range(256)])


class _Pairs(NamedTuple):
    """Pairs, the longest candidates first."""

    row: Integers
    masks: Bits  # for each word of the candidate, the words of the reference that equal it; shape (pairs, words)
    length: Integers  # of the candidate
    width: Integers  # of the reference
    distance: Integers
    least: Integers  # what the distance can become, whatever is shifted
    seen: Integers  # shifts looked at so far
    made: Integers

    def only(self, chosen: NDArray[np.bool_]) -> _Pairs:
        return self if chosen.all() else _Pairs(*(column[chosen] for column in self))


class _Shifts(NamedTuple):
    """Which blocks of words may be moved where: by pair, and for each pair in Tercom's order of preference."""

    pair: Integers
    size: Integers
    start: Integers
    goal: Integers


def count_edits(sequences: Sequences) -> Integers:
    """Insertions, deletions, substitutions and shifts that turn each candidate into the one text it is compared with.

    >>> from paragauge.text.ngrams import sequences_of_tokens
    >>> count_edits(sequences_of_tokens([(["d", "a", "b", "c"], ["a", "b", "c", "d"]), ([], ["a", "b"])]))
    array([1, 2])
    """
    sizes = sequences.lengths.reshape(-1, 2)
    longer = sizes.max(axis=1, initial=0)
    least = longer - matches(sequences, 1)[:, 0]
    result = longer.copy()
    filled = sizes.min(axis=1, initial=_LONGEST) > 0
    starts = (np.cumsum(sequences.lengths) - sequences.lengths).reshape(-1, 2)
    alone = [np.flatnonzero(filled & (longer > _LONGEST))]
    for rows in _batches(sizes, np.flatnonzero(filled & (longer <= _LONGEST))):
        candidates, references = (_padded(sequences.symbols, starts[rows, side], sizes[rows, side]) for side in (0, 1))
        masks = _match(candidates, references)
        length, width = sizes[rows].T
        distance = _fill(np.ascontiguousarray(masks.T), length, width)
        nothing = np.zeros(len(rows), np.int64)
        pairs = _Pairs(rows, masks, length, width, distance, least[rows], nothing, nothing)
        whole = shifts.whole_in_beam(length, width, distance)
        alone.append(rows[~whole])
        _search(pairs.only(whole), result)
    for row in np.concatenate(alone).tolist():
        texts = (sequences.symbols[start:][:size] for start, size in zip(starts[row], sizes[row], strict=True))
        result[row] = shifts.count_edits(*(text.tolist() for text in texts))
    return result


def _batches(sizes: Integers, rows: Integers) -> Iterator[Integers]:
    """The rows by the length of their candidates, the longest first, and no more at once than the cache can hold."""
    rows = rows[np.lexsort((-sizes[rows, 1], -sizes[rows, 0]))]
    while len(rows):
        most = _CELLS // int(sizes[rows[0], 0] * sizes[rows, 1].max())
        yield rows[:most]
        rows = rows[most:]


def _padded(symbols: Integers, starts: Integers, lengths: Integers) -> Integers:
    """Texts as rows of a table; -1 beyond their ends."""
    places = np.arange(lengths.max())
    inside = places < lengths[:, None]
    return np.where(inside, symbols[np.where(inside, starts[:, None] + places, 0)], -1)


def _match(candidates: Integers, references: Integers) -> Bits:
    width = references.shape[1]
    masks = np.zeros(candidates.shape, np.min_scalar_type(1 << width))
    for place in range(width):
        column = references[:, place, None]
        masks |= ((candidates == column) & (column >= 0)).astype(masks.dtype) << masks.dtype.type(place)
    return masks


def _fill(masks: Bits, length: Integers, width: Integers, trace: list[tuple[Bits, Bits]] | None = None) -> Integers:
    """The distances, as `shifts` computes them; a row of `masks` is of one word of every candidate.

    Which cells of a row are askew and which deleting is added to the trace. Candidates that have ended have no cells.
    """
    one = masks.dtype.type(1)
    mask = (one << width.astype(masks.dtype)) - one
    risen, fallen = mask.copy(), np.zeros_like(mask)
    counts = np.searchsorted(-length, -np.arange(len(masks)))  # of candidates that have this word
    for count, row in zip(counts.tolist(), masks, strict=True):
        match, rising, falling = row[:count], risen[:count], fallen[:count]
        level = (((match & rising) + rising) ^ rising) | match | falling
        deleting = falling | ~(level | rising)
        if trace is not None:
            trace.append((level & ~match, deleting))
        up = deleting << one | one
        risen[:count] = ((level & rising) << one | ~(level | up)) & mask[:count]
        fallen[:count] = up & level & mask[:count]
    return length + _count_ones(risen) - _count_ones(fallen)


def _count_ones(bits: Bits) -> Integers:
    ones: Integers = _ONES[bits.view(np.uint8)].reshape(len(bits), -1).sum(axis=1)
    return ones


def _search(pairs: _Pairs, result: Integers) -> None:
    """Shifts, greedily chosen, and the distance that they leave, into the rows of the result."""
    while True:
        result[pairs.row] = pairs.made + pairs.distance
        # where only one edit can be saved, the shift that saves it costs as much
        pairs = pairs.only(pairs.distance > pairs.least + 1)
        if not len(pairs.row):
            return
        found, choices = _find_shifts(pairs)
        pairs = pairs._replace(seen=pairs.seen + found)
        allowed = (pairs.seen < shifts.MOST_SHIFTS)[choices.pair]
        choices = _Shifts(*(column[allowed] for column in choices))
        if not len(choices.pair):
            return
        costs = _costs(pairs, choices)
        # the cheapest of each pair, the first of equals
        first = np.flatnonzero(np.diff(choices.pair, prepend=-1))
        chosen = np.minimum.reduceat(costs * len(costs) + np.arange(len(costs)), first) % len(costs)
        chosen = chosen[costs[chosen] < pairs.distance[choices.pair[chosen]]]
        best = _Shifts(*(column[chosen] for column in choices))
        pairs = _Pairs(*(column[best.pair] for column in pairs))
        masks = np.take_along_axis(pairs.masks, _order(best, pairs.length, pairs.masks.shape[1]), axis=1)
        pairs = pairs._replace(masks=masks, distance=costs[chosen], made=pairs.made + 1)


def _find_shifts(pairs: _Pairs) -> tuple[Integers, _Shifts]:
    """How many shifts sacrebleu would look at for each pair, and the distinct ones."""
    places = np.arange(int(pairs.width.max()), dtype=pairs.masks.dtype)
    equal = (pairs.masks[:, :, None] >> places & places.dtype.type(1)).astype(np.int8)
    targets, candidate_waits, reference_waits = _align(pairs, equal)
    pair, start, place = np.nonzero(equal)
    runs = equal  # of words that are equal from here on
    for row in range(equal.shape[1] - 2, -1, -1):
        runs[:, row, :-1] *= 1 + runs[:, row + 1, 1:]
    # The block must not hold the word that the match of its first word is aligned with.
    longest = targets[pair, place + 1] - 1 - start
    longest[(longest < 0) | (longest > shifts.LONGEST_BLOCK)] = shifts.LONGEST_BLOCK
    longest = np.minimum(longest, runs[pair, start, place])
    shortest = np.maximum(candidate_waits[pair, start], reference_waits[pair, place])
    near = np.abs(start - place) <= shifts.FARTHEST_MATCH
    block, size = _ranges(shortest, np.where(near, longest, 0))
    owner, after = _ranges(place[block], (place[block] + size))
    goal = targets[pair[block[owner]], after]
    # targets never fall, so equal ones stand side by side
    fresh = np.concatenate(([True], (goal[1:] != goal[:-1]) | (owner[1:] != owner[:-1])))[: len(goal)]
    owner, goal = owner[fresh], goal[fresh]
    block, size = block[owner], size[owner]
    keys = distinct((pair[block] * 16 + shifts.LONGEST_BLOCK - size << 16) + (start[block] << 8) + goal)
    found = np.bincount(pair[block], minlength=len(pairs.row))
    return found, _Shifts(keys >> 20, shifts.LONGEST_BLOCK - (keys >> 16 & 15), keys >> 8 & 255, keys & 255)


def _ranges(first: Integers, last: Integers) -> tuple[Integers, Integers]:
    """The numbers from each first to its last, end to end, and which of the ranges each is of."""
    counts = np.maximum(last - first + 1, 0)
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - (np.cumsum(counts) - counts - first)[owner]


def _align(pairs: _Pairs, equal: NDArray[np.int8]) -> tuple[Integers, Integers, Integers]:
    """The fields of `shifts._Alignment`, as tables with a row per pair; the waits have one column too many."""
    count, rows, columns = equal.shape
    trace: list[tuple[Bits, Bits]] = []
    _fill(np.ascontiguousarray(pairs.masks.T), pairs.length, pairs.width, trace)
    # how the way back leaves a cell: 0 from a match, 1 from a substitution, 2 upwards (deletion), 3 to the left
    moves = np.ones_like(equal) - equal
    bits = np.arange(columns, dtype=pairs.masks.dtype)
    for row, (askew, deleting) in enumerate(trace):
        aside = (askew[:, None] >> bits & bits.dtype.type(1)).astype(np.bool_)
        left = 3 - (deleting[:, None] >> bits & bits.dtype.type(1)).astype(np.int8)
        np.copyto(moves[: len(askew), row], left, where=aside)
    targets = np.zeros((count, columns + 1), np.int64)
    candidate_waits, reference_waits = np.ones((count, rows + 1), np.int64), np.ones((count, columns + 1), np.int64)
    pair, row, column = np.arange(count), pairs.length, pairs.width
    here, there = np.full((2, count), shifts.LONGEST_BLOCK)
    while len(pair):
        move = moves[pair, row - 1, column - 1]
        up, left = move != 3, move != 2
        targets[pair, column] = row - (move == 2)
        row, column = row - up, column - left
        here = np.where(up, np.where(move == 0, here + 1, 1), here)
        there = np.where(left, np.where(move == 0, there + 1, 1), there)
        candidate_waits[pair, row] = here
        reference_waits[pair, column] = there
        on = (row > 0) & (column > 0)
        pair, row, column, here, there = pair[on], row[on], column[on], here[on], there[on]
    return targets, candidate_waits, reference_waits


def _costs(pairs: _Pairs, choices: _Shifts) -> Integers:
    """The distance after each shift."""
    words = pairs.masks.shape[1]
    result = np.empty(len(choices.pair), np.int64)
    step = max(1, _CELLS // words)
    for begin in range(0, len(result), step):
        some = _Shifts(*(column[begin : begin + step] for column in choices))
        length = pairs.length[some.pair]
        masks = pairs.masks[some.pair[:, None], _order(some, length, words)]
        result[begin : begin + step] = _fill(np.ascontiguousarray(masks.T), length, pairs.width[some.pair])
    return result


def _order(chosen: _Shifts, length: Integers, words: int) -> Integers:
    """Where each word of a shifted candidate stood before; shape (shifts, words).

    Two neighbouring blocks change places, from `first` to `border` and from there to `end`. As in sacrebleu, a target
    within the block means: as far to the right as the target is from the block's start.
    """
    start, end, goal = chosen.start, chosen.start + chosen.size, chosen.goal
    before = goal < start
    first, border = np.where(before, goal, start), np.where(before, start, end)
    end = np.where(before, end, np.minimum(np.where(goal > end, goal, goal + chosen.size), length))
    places = np.arange(words)
    middle = (first + end - border)[:, None]
    moved = np.where(places < middle, (border - first)[:, None], (border - end)[:, None])
    return places + np.where((places >= first[:, None]) & (places < end[:, None]), moved, 0)
