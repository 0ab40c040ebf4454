"""BLEU's counts of many systems against the same references, with growing numbers of them, in one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..compute.features import Tokens
from ..compute.workspace import Workspace
from ..metrics.form.bleu import Bleu
from ..text.ngrams import Integers, Sequences, gram_keys, sequences_of_tokens, totals
from .task import Task

Floats = NDArray[np.float64]
SEGMENTS = 256  # at a time: more do not fit the processor's cache, and are slower
_FAR = 1 << 32  # longer than any text


def bleu_counts(task: Task, metric: Bleu, sizes: Sequence[int], work: Workspace) -> Mapping[int, Floats]:
    """What `Bleu.counts` gives, for every system and with the first N extra references.

    One matrix of shape (systems, segments, counts) for each of `sizes`. The references of a segment are cut and counted
    once for all systems and all sizes, where `Bleu.counts` does so once for each.
    """
    systems, order = len(task.outputs), metric.order
    feature = Tokens(metric.tokenizer, metric.lowercase)
    columns = [*task.outputs.values(), *task.references]
    tokens = [work.get(feature, column) for column in columns]
    lengths = np.array([[len(text) for text in column] for column in tokens], dtype=np.int64)
    present = np.array([[bool(text.strip()) for text in column] for column in task.references])
    matched = {size: np.zeros((systems, task.segments, order), dtype=np.int64) for size in sizes}
    for start in range(0, task.segments, SEGMENTS):
        part = range(start, min(start + SEGMENTS, task.segments))
        sequences = sequences_of_tokens([[column[segment] for column in tokens] for segment in part])
        for size, counts in _matches(sequences, systems, order, sizes).items():
            matched[size][:, part.start : part.stop] = counts
    own = lengths[:systems]
    total = totals(own.ravel(), order).reshape(systems, task.segments, order)
    result: dict[int, Floats] = {}
    for size in sizes:
        closest = _closest(own, lengths[systems : systems + size + 1], present[: size + 1])
        parts = [own[:, :, None], closest[:, :, None], matched[size], total]
        result[size] = np.concatenate(parts, axis=2).astype(np.float64)
        result[size][:, ~present[: size + 1].any(axis=0)] = np.nan
    return result


def _matches(sequences: Sequences, systems: int, order: int, sizes: Sequence[int]) -> dict[int, Integers]:
    """Clipped matches; places below `systems` are outputs, the others references. Shape (systems, rows, order)."""
    rows = sequences.rows
    result = {size: np.zeros((systems, rows, order), dtype=np.int64) for size in sizes}
    for n, (keys, place_bits, gram_bits) in enumerate(gram_keys(sequences, order)):
        if not len(keys):
            break
        keys.sort()
        first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        counts = np.diff(np.append(first, len(keys)))
        keys = keys[first]
        grams, places = keys >> place_bits, keys & ((1 << place_bits) - 1)
        number = np.cumsum(np.concatenate(([0], grams[1:] != grams[:-1])))
        output = places < systems
        owner = places[output] * rows + (grams[output] >> gram_bits)
        most = np.zeros(int(number[-1]) + 1, dtype=np.int64)  # of each n-gram in one reference
        done = systems
        for size in sorted(sizes):
            fresh = (places >= done) & (places <= systems + size)
            np.maximum.at(most, number[fresh], counts[fresh])
            done = systems + size + 1
            shared = np.minimum(counts[output], most[number[output]])
            summed = np.bincount(owner, weights=shared, minlength=systems * rows)
            result[size][:, :, n] = summed.astype(np.int64).reshape(systems, rows)
    return result


def _closest(own: Integers, references: Integers, present: NDArray[np.bool_]) -> Integers:
    """Length of the reference closest in length, the shorter of two equally close; shape (systems, segments)."""
    best = np.full(own.shape, np.iinfo(np.int64).max)
    for lengths, there in zip(references, present, strict=True):
        # the distance first, then the length: the smallest of these numbers is of the closest, and then the shortest
        rank = np.abs(lengths[None, :] - own) * _FAR + lengths[None, :]
        best = np.where(there[None, :], np.minimum(best, rank), best)
    return best % _FAR
