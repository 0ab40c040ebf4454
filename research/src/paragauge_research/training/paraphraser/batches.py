"""Examples of like length together, in an order that depends on the seed alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .prepared import Part
from .vocabulary import Vocabulary

_SORTED = 100  # batches' worth of examples that are sorted by length together


class Batch(NamedTuple):
    """What is read, what the decoder is given, and what it should say; padded."""

    sources: NDArray[np.int64]
    given: NDArray[np.int64]
    wanted: NDArray[np.int64]  # −100 where there is nothing to say


def batches(
    part: Part, vocabulary: Vocabulary, tokens: int, seed: int, *, first: int = 0, copies: int = 0
) -> Iterator[Batch]:
    """The batches from number `first` on, one pass over the examples after the other, without end.

    In those before number `copies` each target is its own source.
    """
    lengths = part.lengths() + 2
    copied = part._replace(examples=part.examples[:, [1, 1]])
    number, sweep = 0, 0
    while True:
        for rows in _plan(lengths, tokens, np.random.default_rng([seed, sweep])):
            if number >= first:
                yield padded_batch(copied if number < copies else part, vocabulary, rows)
            number += 1
        sweep += 1


def in_order(part: Part, vocabulary: Vocabulary, tokens: int) -> Iterator[Batch]:
    """Every example once, by length."""
    lengths = part.lengths() + 2
    for rows in _cut(np.lexsort((lengths[:, 0], lengths[:, 1])), lengths, tokens):
        yield padded_batch(part, vocabulary, rows)


def padded_batch(part: Part, vocabulary: Vocabulary, rows: NDArray[np.intp]) -> Batch:
    """The examples of these rows; the code of a target stands before it."""
    code = vocabulary.tokenizer.token_to_id("<cl_0>")
    sources, targets = [], []
    for source, target in part.examples[rows].tolist():
        sources.append(_around(part.text(source), vocabulary))
        own = part.text(target).tolist()
        targets.append([code + int(part.codes[target]), *own] if part.codes[target] >= 0 else own)
    given = [[vocabulary.begin, *target] for target in targets]
    wanted = [[*target, vocabulary.end] for target in targets]
    return Batch(_padded(sources, vocabulary.padding), _padded(given, vocabulary.padding), _padded(wanted, -100))


def _around(ids: NDArray[np.int32], vocabulary: Vocabulary) -> list[int]:
    """A source with the special tokens that its tokenizer puts around it."""
    own = [vocabulary.begin] if vocabulary.rows is not None else []
    return [*own, *ids.tolist(), vocabulary.end]


def _plan(lengths: NDArray[np.int64], tokens: int, generator: np.random.Generator) -> list[NDArray[np.intp]]:
    order = generator.permutation(len(lengths))
    window = max(1, int(_SORTED * tokens / lengths[:, 1].mean()))
    found = []
    for start in range(0, len(order), window):
        own = order[start : start + window]
        found += list(_cut(own[np.lexsort((lengths[own, 0], lengths[own, 1]))], lengths, tokens))
    return [found[place] for place in generator.permutation(len(found))]


def _cut(order: NDArray[np.intp], lengths: NDArray[np.int64], tokens: int) -> Iterator[NDArray[np.intp]]:
    """Runs of examples, the padding of whose sources or targets included, of at most so many tokens."""
    first, most = 0, 0
    for place in range(len(order)):
        most = max(most, int(lengths[order[place]].max()))
        if place > first and most * (place + 1 - first) > tokens:
            yield order[first:place]
            first, most = place, int(lengths[order[place]].max())
    yield order[first:]


def _padded(rows: list[list[int]], padding: int) -> NDArray[np.int64]:
    width = max(map(len, rows))
    return np.array([[*row, *[padding] * (width - len(row))] for row in rows], np.int64)
