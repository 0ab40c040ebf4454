"""How well the words of one text are matched by words of another, a rare word counting more than a common one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....compute.features import Encoding
from ....compute.workspace import Workspace
from ....metric import Floats
from ....models.encoders.encoder import Encoded
from ....models.encoders.load import load_encoder
from ....models.pairs.learned import LearnedMeaning, Pieces

LAYER = 2  # of the default encoder: still near the words themselves, and a third of its work


class Words(NamedTuple):
    """The words of a text."""

    vectors: NDArray[np.float32]  # [n, d], each of length 1: the mean of a word's pieces
    weights: Floats  # [n]: how rare each is


def words_of(encoded: Encoded, pieces: Pieces, special: frozenset[int]) -> Words:
    """Pieces put together to words; one of several pieces is as rare as its rarest, and a little more."""
    kept = ~np.isin(encoded.ids, list(special))
    ids, vectors = encoded.ids[kept], encoded.vectors[kept]
    if not len(ids):
        return Words(vectors, np.empty(0))
    first = ~pieces.continues[ids]
    first[0] = True
    starts = np.flatnonzero(first)
    counts = np.diff(np.append(starts, len(ids)))
    sums = np.add.reduceat(vectors, starts)
    lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
    return Words(sums / lengths, np.maximum.reduceat(pieces.rarity[ids], starts) + np.log(counts))


def matched(candidate: Words, other: Words) -> float:
    """The mean, over the other text's words, of the best cosine with a word of the candidate; NaN without words."""
    if not len(candidate.weights) or not other.weights.sum():
        return float("nan")
    best = (candidate.vectors @ other.vectors.T).max(axis=0)
    return float(best @ other.weights / other.weights.sum())


def word_recall(
    pairs: Sequence[tuple[str, str]], learned: LearnedMeaning, precision: str, long: str, work: Workspace
) -> Floats:
    """`matched` for each pair of a candidate and another text, by the encoder that the learned model is based on."""
    encoder = load_encoder(learned.settings["base"], LAYER, precision, long)
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    found = work.get(Encoding(encoder), texts)
    words = {
        text: words_of(encoded, learned.pieces, encoder.special_ids) for text, encoded in zip(texts, found, strict=True)
    }
    return np.array([matched(words[text], words[other]) for text, other in pairs], np.float64)
