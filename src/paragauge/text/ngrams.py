"""N-gram overlaps of whole tables of texts in a few sorts, exactly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, count, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
_BLOCK = 1 << 17  # symbols
_CHARACTERS = 0xD800  # there are no surrogates below


@dataclass(frozen=True)
class Sequences:
    """Many sequences of small integers, end to end. `row` and `place` say where each belongs: place 0 is the
    candidate of its row, places 1, 2 … are the texts it is compared with."""

    symbols: Integers
    lengths: Integers
    row: Integers
    place: Integers
    rows: int

    def blocks(self) -> Iterator[tuple[int, Sequences]]:
        """Some rows at a time, with the number of the first: what is computed of them stays in a core's cache."""
        ends = np.append(0, np.cumsum(self.lengths))
        step = max(1, self.rows * _BLOCK // max(1, len(self.symbols)))
        for first in range(0, self.rows, step):
            start, end = np.searchsorted(self.row, [first, first + step])
            symbols, row = self.symbols[ends[start] : ends[end]], self.row[start:end] - first
            rows = min(step, self.rows - first)
            yield first, Sequences(symbols, self.lengths[start:end], row, self.place[start:end], rows)

    def texts(self) -> list[str] | list[list[int]]:
        """The sequences with a character for each symbol, which rapidfuzz reads fastest, or as lists of symbols."""
        ends = np.cumsum(self.lengths).tolist()
        few = self.symbols.max(initial=0) < _CHARACTERS
        symbols: Any = self.symbols.astype("<u4").tobytes().decode("utf-32-le") if few else self.symbols.tolist()
        return [symbols[start:end] for start, end in pairwise([0, *ends])]


def sequences_of_tokens(groups: Sequence[Sequence[Sequence[Hashable]]]) -> Sequences:
    """Token lists, grouped by row with the candidate first; symbols are numbered again in each row, which keeps
    them small: only tokens of one row are ever compared."""
    numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
    texts = list(chain.from_iterable(groups))
    tokens = list(chain.from_iterable(texts))
    symbols = np.fromiter(map(numbers.__getitem__, tokens), np.int64, len(tokens))
    return sequences_of_symbols(symbols, list(map(len, texts)), list(map(len, groups)))


def sequences_of_symbols(symbols: Integers, lengths: Sequence[int], sizes: Sequence[int]) -> Sequences:
    """Texts of symbols, end to end, which have these lengths, in groups of these sizes."""
    counts, spans = np.array(sizes, np.int64), np.array(lengths, np.int64)
    row = np.repeat(np.arange(len(sizes)), counts)
    place = np.arange(len(lengths)) - np.repeat(np.cumsum(counts) - counts, counts)
    return Sequences(_renumbered_by_row(symbols, np.repeat(row, spans)), spans, row, place, len(sizes))


def sequences_of_characters(pairs: Sequence[tuple[str, str]], *, whitespace: bool = True) -> Sequences:
    """The characters of (candidate, other text) pairs, numbered by the alphabet that occurs in them."""
    texts = list(chain.from_iterable(pairs))
    points = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    rank = np.zeros(int(points.max(initial=0)) + 1, dtype=np.int64)
    rank[points] = 1
    if not whitespace:
        spaces = [point for point in np.flatnonzero(rank).tolist() if chr(point).isspace()]
        rank[spaces] = 0
        kept = rank[points].astype(np.bool_)
        points = points[kept]
        lengths = np.diff(np.append(0, np.cumsum(kept))[np.cumsum(lengths)], prepend=0)
    rank = np.cumsum(rank) - 1
    rows = len(pairs)
    return Sequences(rank[points], lengths, np.repeat(np.arange(rows), 2), np.tile(np.arange(2), rows), rows)


def totals(lengths: Integers, order: int) -> Integers:
    """How many n-grams of each order 1 … `order` sequences of these lengths have; shape (sequences, order)."""
    counts: Integers = np.maximum(lengths[:, None] - np.arange(order), 0)
    return counts


def matches(sequences: Sequences, order: int) -> Integers:
    """Clipped matches of each row's candidate, for orders 1 … `order`; shape (rows, order).

    An n-gram of the candidate counts as often as it occurs there, but no more often than in that one of the other
    texts which has it most often (Papineni et al. 2002).
    """
    result = np.zeros((sequences.rows, order), dtype=np.int64)
    width = (int(sequences.symbols.max(initial=0)) + 1).bit_length()
    if sequences.rows.bit_length() + order * width < 63 and sequences.place.max(initial=0) < 2:
        for first, block in sequences.blocks():
            result[first : first + block.rows] = _pair_matches(block, order, width)
        return result
    for n, (keys, place_bits, gram_bits) in enumerate(gram_keys(sequences, order)):
        result[:, n] = _clipped(keys, place_bits, gram_bits, sequences.rows)
    return result


def _pair_matches(sequences: Sequences, order: int, width: int) -> Integers:
    """`matches` where each candidate is compared with one text and all fits in one number: in a single sort.

    A key is (row, the `order` symbols from here on, place), with 0 for what is beyond the end of a text; so the keys
    sorted are sorted by their first n symbols too, whatever n.
    """
    lengths, symbols = sequences.lengths, sequences.symbols + 1
    last = np.cumsum(lengths)[lengths > 0] - 1
    keys = np.repeat(sequences.row, lengths) << width
    keys |= symbols
    for _ in range(1, order):
        symbols = np.append(symbols[1:], 0)
        symbols[last] = 0  # not the first symbol of the following text
        keys <<= width
        keys |= symbols
    keys <<= 1
    keys |= np.repeat(sequences.place, lengths)
    keys.sort()
    result = np.zeros((sequences.rows, order), dtype=np.int64)
    for n in range(order):
        if not len(keys):
            break
        grams = keys >> (1 + (order - 1 - n) * width)
        first = np.flatnonzero(np.concatenate(([True], grams[1:] != grams[:-1])))
        counts = np.diff(first, append=len(keys))
        others = np.add.reduceat(keys & 1, first)
        grams = grams[first]
        shared = np.minimum(counts - others, others)
        shared[grams & ((1 << width) - 1) == 0] = 0  # texts that end before the n-gram does
        result[:, n] = np.bincount(grams >> ((n + 1) * width), weights=shared, minlength=sequences.rows)
        keys = keys[np.repeat(shared > 0, counts)]  # an n-gram that is not shared begins no longer one that is
    return result


def sibling_matches(sequences: Sequences, order: int) -> Integers:
    """Clipped matches of every sequence with the others of its row, for orders 1 … `order`; shape (sequences, order).

    The same as `matches` with each text of a row as candidate in turn, in time linear in the texts.
    """
    result = np.zeros((len(sequences.lengths), order), dtype=np.int64)
    starts = np.searchsorted(sequences.row, np.arange(sequences.rows))
    for n, (keys, place_bits, gram_bits) in enumerate(gram_keys(sequences, order)):
        keys, counts = np.unique(keys, return_counts=True)
        if not len(keys):
            break
        grams, places = keys >> place_bits, keys & ((1 << place_bits) - 1)
        # most often first within an n-gram, so that the first two places say what any text's siblings have at most
        ranked = np.lexsort((-counts, grams))
        grams, places, counts = grams[ranked], places[ranked], counts[ranked]
        first = np.flatnonzero(np.concatenate(([True], grams[1:] != grams[:-1])))
        sizes = np.diff(np.append(first, len(grams)))
        most = counts[first]
        second = np.where(sizes > 1, counts[np.minimum(first + 1, len(counts) - 1)], 0)
        elsewhere = np.repeat(most, sizes)
        elsewhere[first] = second
        owners = starts[grams >> gram_bits] + places
        shared = np.minimum(counts, elsewhere)
        result[:, n] = np.bincount(owners, weights=shared, minlength=len(result)).astype(np.int64)
    return result


def shared_types(sequences: Sequences, order: int) -> tuple[Integers, Integers]:
    """Distinct n-grams of each row's candidate, those that another text of the row has and all; shape (rows, order)."""
    shared, own = (np.zeros((sequences.rows, order), dtype=np.int64) for _ in range(2))
    for n, (keys, place_bits, gram_bits) in enumerate(gram_keys(sequences, order)):
        keys = distinct(keys)
        grams = keys >> place_bits
        candidates = keys == grams << place_bits  # place 0, which sorts first within its n-gram
        rows = grams >> gram_bits
        again = np.append(grams[1:] == grams[:-1], False)
        own[:, n] = np.bincount(rows[candidates], minlength=sequences.rows)
        shared[:, n] = np.bincount(rows[candidates & again], minlength=sequences.rows)
    return shared, own


def shared_tokens(sequences: Sequences) -> tuple[Integers, Integers]:
    """Tokens of each row's candidate, those that another text of the row has and all; shape (rows, 1)."""
    rows = np.repeat(sequences.row, sequences.lengths)
    keys = rows * (sequences.symbols.max(initial=0) + 1) + sequences.symbols
    own = np.repeat(sequences.place, sequences.lengths) == 0
    shared = rows[own][np.isin(keys[own], keys[~own])]
    count = partial(np.bincount, minlength=sequences.rows)
    return count(shared)[:, None], count(rows[own])[:, None]


def types(sequences: Sequences, order: int) -> Integers:
    """Distinct n-grams of all texts of a row together, for orders 1 … `order`; shape (rows, order)."""
    result = np.zeros((sequences.rows, order), dtype=np.int64)
    for n, (keys, place_bits, gram_bits) in enumerate(gram_keys(sequences, order)):
        result[:, n] = np.bincount(distinct(keys >> place_bits) >> gram_bits, minlength=sequences.rows)
    return result


def gram_keys(sequences: Sequences, order: int) -> Iterator[tuple[Integers, int, int]]:
    """For each order every n-gram as one number (row, n-gram, place), and the bits of place and n-gram in it."""
    symbols, lengths = sequences.symbols, sequences.lengths
    if not len(symbols):
        return
    place_bits = int(sequences.place.max()).bit_length()
    row_bits = (sequences.rows - 1).bit_length()
    symbol_bits = int(symbols.max()).bit_length()
    room = 63 - row_bits - place_bits  # bits left for the n-gram in a key of (row, n-gram, place)
    rows, places = np.repeat(sequences.row, lengths), np.repeat(sequences.place, lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(symbols))  # symbols from here to the sequence's end
    grams, gram_bits = symbols, symbol_bits
    for n in range(1, order + 1):
        if n > 1:
            grams, following = grams[:-1], symbols[n - 1 :]
            if gram_bits + symbol_bits > room:
                grams, gram_bits = _renumbered(grams)
            grams, gram_bits = (grams << symbol_bits) | following, gram_bits + symbol_bits
            if gram_bits > room:
                grams, gram_bits = _renumbered(grams)
        whole = left[: len(grams)] >= n
        keys = rows[: len(grams)] << gram_bits
        keys |= grams
        keys <<= place_bits
        keys |= places[: len(grams)]
        yield keys[whole], place_bits, gram_bits


def _clipped(keys: Integers, place_bits: int, gram_bits: int, rows: int) -> Integers:
    """Sum of clipped counts per row; a key is (row, n-gram, place) as one number."""
    if not len(keys):
        return np.zeros(rows, dtype=np.int64)
    keys.sort()
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    counts = np.diff(np.append(first, len(keys)))
    keys = keys[first]
    grams = keys >> place_bits
    own = keys == grams << place_bits  # place 0, which sorts first within its n-gram
    starts = np.flatnonzero(own[:-1] & (grams[1:] == grams[:-1]))  # n-grams of the candidate that others have too
    if not len(starts):
        return np.zeros(rows, dtype=np.int64)
    others = counts[starts + 1]
    more = np.arange(len(starts))
    for step in range(2, (1 << place_bits) + 1):  # additional texts that have the same n-gram
        more = more[starts[more] + step < len(grams)]
        more = more[grams[starts[more] + step] == grams[starts[more]]]
        if not len(more):
            break
        others[more] = np.maximum(others[more], counts[starts[more] + step])
    shared = np.minimum(counts[starts], others)
    return np.bincount(grams[starts] >> gram_bits, weights=shared, minlength=rows).astype(np.int64)


def distinct(keys: Integers) -> Integers:
    """The distinct keys in order: np.unique by a sort, which is faster here than its hash table."""
    keys.sort()
    return keys[np.concatenate(([True], keys[1:] != keys[:-1]))[: len(keys)]]


def _renumbered(grams: Integers) -> tuple[Integers, int]:
    distinct, grams = np.unique(grams, return_inverse=True)
    return grams.astype(np.int64), (len(distinct) - 1).bit_length()


def _renumbered_by_row(symbols: Integers, rows: Integers) -> Integers:
    """In each row 0, 1, 2 … instead of the symbols; the rows are in order."""
    if not len(symbols):
        return symbols
    keys = rows << int(symbols.max()).bit_length()
    keys |= symbols
    order = np.argsort(keys, kind="stable")  # faster here than the default, as the rows are in order
    keys = keys[order]
    numbers = np.cumsum(np.concatenate(([False], keys[1:] != keys[:-1])))
    first = np.concatenate(([True], rows[1:] != rows[:-1]))
    numbers -= numbers[first][np.cumsum(first) - 1]
    result = np.empty_like(symbols)
    result[order] = numbers
    return result
