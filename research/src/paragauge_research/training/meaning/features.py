"""Scores of pairs from the weights as they ship, so that blend and calibration are fitted to what users run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from paragauge.compute.workspace import Workspace
from paragauge.metrics.meaning.meaning import Meaning
from paragauge.metrics.shared.evidence import evidence
from paragauge.models.pairs.reader import PairReader

from .development import Graded, Pair, Triples

Floats = NDArray[np.float64]
_PART = 512  # pairs whose token vectors are held at a time


def pair_scores(reader: PairReader, pairs: Sequence[Pair], encoder: str) -> Floats:
    """What `meaning` blends, for each pair of a source and a candidate [n, k], in the order of `EVIDENCE`."""
    metric, turned = Meaning(encoder=encoder), [(candidate, source) for source, candidate in pairs]
    parts = (turned[start : start + _PART] for start in range(0, len(turned), _PART))
    return np.concatenate([evidence(metric, part, reader, Workspace()) for part in parts])


def blended(scores: Floats, blend: Mapping[str, float]) -> Floats:
    """The logit of meaning; the weights of a blend are in the order of its evidence."""
    weights = [weight for name, weight in blend.items() if name != "offset"]
    found: Floats = scores @ np.array(weights) + blend.get("offset", 0.0)
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
