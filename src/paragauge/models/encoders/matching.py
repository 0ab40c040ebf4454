"""Greedy matching of token vectors, as BERTScore does it, and its baseline: what randomly paired lines score."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from .encoder import Encoded, Encoder, load_encoder

Floats = NDArray[np.float64]

_COSINES = 1 << 24  # of a pair that are held at once: 64 MB, so that long texts in windows stay within memory

_CHUNK = 4000  # pairs whose vectors are held at once

Baseline = tuple[float, float, float]


class Spelled(NamedTuple):
    """Where the unknown tokens of a text are, and the text that each stands for."""

    places: NDArray[np.intp]
    texts: NDArray[np.str_]


def unlike(candidate: Spelled, other: Spelled) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The pairs of unknown tokens that stand for different texts: they have one id, and nothing in common."""
    first, second = np.nonzero(candidate.texts[:, None] != other.texts[None, :])
    return candidate.places[first], other.places[second]


def greedy_match(
    candidate: Encoded, other: Encoded, special_ids: Collection[int], weights: Mapping[int, float] | None = None
) -> tuple[float, float, float]:
    """Precision, recall and F of one pair; see `match_pairs`."""
    precision, recall, f = match_pairs([candidate], [other], special_ids, weights)[0]
    return float(precision), float(recall), float(f)


class Matches(NamedTuple):
    """Of each token of a text: the place of the most similar token of the other text, and their cosine."""

    places: NDArray[np.intp]
    cosines: NDArray[np.float32]


def matches(
    candidate: Encoded, other: Encoded, spelled: tuple[Spelled, Spelled] | None = None
) -> tuple[Matches, Matches]:
    """Which tokens `match_pairs` takes: of the candidate in the other text, and of the other text in the candidate."""
    cosines = candidate.vectors @ other.vectors.T
    if spelled is not None:
        places = unlike(*spelled)
        cosines[places] = np.minimum(cosines[places], 0)
    return Matches(cosines.argmax(axis=1), cosines.max(axis=1)), Matches(cosines.argmax(axis=0), cosines.max(axis=0))


def match_pairs(
    candidates: Sequence[Encoded],
    others: Sequence[Encoded],
    special_ids: Collection[int],
    weights: Mapping[int, float] | None = None,
    spelled: tuple[Sequence[Spelled], Sequence[Spelled]] | None = None,
    held: int = _COSINES,
) -> Floats:
    """P, R, F of every pair [n, 3]: each token takes its best cosine among all tokens of the other side.

    Special tokens weigh nothing but can be chosen, as in bert_score. `weights` gives the weight of a token id (a
    defaultdict may answer for unseen ones). NaN where a side has no token that weighs anything; bert_score says 0.
    With `spelled`, of the candidates and of the others, unknown tokens match only where their text is equal.
    `held` cosines of a pair are in memory at once.
    """
    scores = np.full((len(candidates), 3), np.nan)
    filled = [
        row for row, pair in enumerate(zip(candidates, others, strict=True)) if all(len(text.ids) for text in pair)
    ]
    if filled:
        scores[filled] = _match(
            [candidates[row] for row in filled],
            [others[row] for row in filled],
            special_ids,
            weights,
            None if spelled is None else [(spelled[0][row], spelled[1][row]) for row in filled],
            held,
        )
    return scores


def _match(
    candidates: Sequence[Encoded],
    others: Sequence[Encoded],
    special_ids: Collection[int],
    weights: Mapping[int, float] | None,
    spelled: Sequence[tuple[Spelled, Spelled]] | None,
    held: int,
) -> Floats:
    best_candidate = np.empty(sum(len(text.ids) for text in candidates), np.float32)
    best_other = np.empty(sum(len(text.ids) for text in others), np.float32)
    row = column = 0
    # One product per pair: the result cannot depend on the rest of the call, and at these sizes it is as fast as
    # products of stacked pairs, which must first be copied together.
    for number, (candidate, other) in enumerate(zip(candidates, others, strict=True)):
        apart = None if spelled is None else unlike(*spelled[number])
        rows, columns = len(candidate.vectors), len(other.vectors)
        step = max(1, held // columns)
        for start in range(0, rows, step):
            cosines = candidate.vectors[start : start + step] @ other.vectors.T
            if apart is not None:
                here = (apart[0] >= start) & (apart[0] < start + step)
                places = apart[0][here] - start, apart[1][here]
                cosines[places] = np.minimum(cosines[places], 0)
            np.maximum.reduce(cosines, axis=1, out=best_candidate[row + start : row + start + len(cosines)])
            among = np.maximum.reduce(cosines, axis=0)
            best = best_other[column : column + columns]
            np.maximum(best, among, out=best) if start else np.copyto(best, among)
        row += rows
        column += columns
    precision = _means(best_candidate, candidates, special_ids, weights)
    recall = _means(best_other, others, special_ids, weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.column_stack((precision, recall, 2 * precision * recall / (precision + recall)))


def _means(
    values: NDArray[np.float32],
    texts: Sequence[Encoded],
    special_ids: Collection[int],
    weights: Mapping[int, float] | None,
) -> Floats:
    ids, place = np.unique(np.concatenate([text.ids for text in texts]), return_inverse=True)
    known = [1.0 if weights is None else weights[number] for number in ids.tolist()]
    weight = np.where(np.isin(ids, list(special_ids)), 0.0, known)[place]
    lengths = [len(text.ids) for text in texts]
    starts = np.cumsum([0, *lengths[:-1]])
    total = np.add.reduceat(weight, starts)
    with np.errstate(invalid="ignore"):
        means: Floats = np.add.reduceat(weight * values, starts) / total
    return means


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
