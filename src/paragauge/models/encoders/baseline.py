"""BERTScore's baseline: what randomly paired lines score, so that scores can be rescaled to a wider range."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from ...errors import InputError
from .encoder import Encoder, load_encoder
from .matching import match_pairs

_CHUNK = 4000  # pairs whose vectors are held at once

Baseline = tuple[float, float, float]


def measure_baseline(
    encoder: Encoder,
    lines: Sequence[str],
    pairs: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> Baseline:
    """Mean P, R and F of random pairs of different lines; `progress` hears how many texts are encoded, of how many."""
    lines = list(dict.fromkeys(line.strip() for line in lines if line.strip()))
    if len(lines) < 2:
        raise InputError(f"{len(lines)} different lines of text; a baseline needs at least two, and better thousands")
    if pairs < 1:
        raise InputError(f"{pairs} pairs; expected at least one")
    generator = np.random.default_rng(seed)
    first = generator.integers(len(lines), size=pairs)
    second = (first + generator.integers(1, len(lines), size=pairs)) % len(lines)  # never the line itself
    chunks = [(first[start : start + _CHUNK], second[start : start + _CHUNK]) for start in range(0, pairs, _CHUNK)]
    needed = [np.union1d(*chunk).tolist() for chunk in chunks]
    done, total = 0, sum(map(len, needed))
    scores = []
    for chunk, numbers in zip(chunks, needed, strict=True):
        numbers.sort(key=lambda number: len(lines[number]))
        known = {}
        for number, encoded in zip(numbers, encoder.encode([lines[number] for number in numbers]), strict=True):
            known[number] = encoded
            done += 1
            if progress is not None:
                progress(done, total)
        candidates, others = ([known[number] for number in side.tolist()] for side in chunk)
        scores.append(match_pairs(candidates, others, encoder.special_ids))
    table = np.concatenate(scores)
    table = table[~np.isnan(table).any(axis=1)]
    if not len(table):
        raise InputError("no pair of lines has a token to match")
    precision, recall, f = table.mean(axis=0).tolist()
    return precision, recall, f


def measure_layers(
    encoder: str,
    layer: int | None,
    lines: Sequence[str],
    pairs: int,
    seed: int,
    progress: Callable[[str, int, int], None] | None = None,
) -> str:
    """One layer of an encoder, or all of them, in the form of `written`."""
    layers = load_encoder(encoder).layers
    measured = {}
    for number in range(1, layers + 1) if layer is None else [layer]:
        told = None if progress is None else partial(progress, f"layer {number}")
        measured[number] = measure_baseline(load_encoder(encoder, number), lines, pairs, seed, told)
    return written(measured, layers)


def written(baselines: Mapping[int, Baseline], layers: int) -> str:
    """The file that bert_score reads: row k is layer k, from 0, the embeddings; nan where it was not measured."""
    rows = ["LAYER,P,R,F"]
    for layer in range(layers + 1):
        values = baselines.get(layer, (float("nan"),) * 3)
        rows.append(",".join([str(layer), *(f"{value:.8f}" for value in values)]))
    return "\n".join(rows) + "\n"
