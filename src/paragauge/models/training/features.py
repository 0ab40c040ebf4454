"""Scores of pairs from the weights as they ship, so that blend and calibration are fitted to what users run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..encoders.load import load_encoder
from ..pairs.learned import SCORES, LearnedMeaning
from .development import Graded, Pair, Triples
from .teacher import greedy_f

Floats = NDArray[np.float64]


def pair_scores(model: LearnedMeaning, pairs: Sequence[Pair], encoder: str) -> Floats:
    """F of a frozen encoder and what was learned [n, 2]."""
    learned = np.array([judged.values for judged in model.judge(pairs)])
    return np.column_stack((greedy_f(pairs, load_encoder(encoder)), learned))


def blended(scores: Floats, blend: Mapping[str, float]) -> Floats:
    """The logit of meaning."""
    found: Floats = scores @ np.array([blend[name] for name in SCORES]) + blend.get("offset", 0.0)
    return found


def all_pairs(graded: Sequence[Graded], triples: Sequence[Triples] = ()) -> list[Pair]:
    """Every pair of the sets once."""
    found = dict.fromkeys(pair for rows in graded for row in rows.pairs for pair in row)
    found |= dict.fromkeys(pair for rows in triples for pair in (*rows.better, *rows.worse))
    return list(found)


def best_of_rows(rows: Graded, place: Mapping[Pair, int], values: Floats) -> Floats:
    """The best pair of every row."""
    return np.array([max(values[place[pair]] for pair in row) for row in rows.pairs])


def ranked_right(rows: Triples, place: Mapping[Pair, int], values: Floats) -> float:
    """The share of rows whose paraphrase outscores what is worse; a tie is wrong."""
    better, worse = ([values[place[pair]] for pair in side] for side in (rows.better, rows.worse))
    return float(np.mean(np.array(better) > np.array(worse)))
