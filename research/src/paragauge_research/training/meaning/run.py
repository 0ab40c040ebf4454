"""Trained weights to the blend of all evidence, its calibration, and the limits of the reader's findings."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import InputError
from paragauge.metrics.shared.evidence import EVIDENCE
from paragauge.models.pairs.reader import SETTINGS, load_reader, read_settings

from ..wordnet import open_wordnet
from .blend import Labelled, fit_blend, fit_platt
from .configuration import Configuration
from .development import (
    Graded,
    Written,
    benchmark_rows,
    foreign_rows,
    own_rows,
    perturbed_rows,
    twitter_rows,
    written_pairs,
)
from .features import Floats, all_pairs, best_of_rows, blended, pair_scores
from .perturb import read_lexicon

WRITTEN = "written"
_LARGEST = {"stsb-dev": 5.0, "parade": 3.0, "simpeval_lens": 100.0}  # scores; 1 elsewhere


def blend_weights(configuration: Configuration, folder: Path, progress: Callable[[str], None]) -> Path:
    """Fit blend and limits of each reader in a folder; they stay there, next to its weights."""
    settings = dict(read_settings(folder))
    for name in settings["readers"]:
        progress(f"blending with {name}")
        settings["readers"][name] = {**settings["readers"][name], **fitted(configuration, folder, name)}
        write_settings(folder, settings)
    return folder


def write_settings(folder: Path, settings: Mapping[str, Any]) -> None:
    """What is known of the weights in a folder, next to them."""
    temporary = folder / f"part-{SETTINGS}"  # so that a stopped command leaves those that were there
    temporary.write_text(json.dumps(settings, indent=1) + "\n", "utf-8")
    temporary.replace(folder / SETTINGS)


def fitted(configuration: Configuration, folder: Path, encoder: str) -> dict[str, Any]:
    """The weights of a blend, scaled and shifted to the logit of what people say, and the reader's limits.

    The weights are fitted to graded and labelled pairs, to pairs written for the purpose that were not trained on, and
    to perturbations; slope and offset to Twitter-Para, the written pairs and the sets to calibrate to. Each set counts
    alike.
    """
    data, settings = configuration.data_folder, configuration.blend
    reader = load_reader(encoder, folder=folder)
    written = written_pairs(configuration, ("dev", "calibration"))
    if not written:
        raise InputError(f"{configuration.written} has no written pairs to blend with")
    own = Graded(WRITTEN, [(row.pair,) for row in written], [float(row.good) for row in written])
    twitter, benchmark = twitter_rows(data, "dev"), _scaled(benchmark_rows(data, "dev"))
    labelled, others = (
        [_calibration_rows(configuration, name) for name in names] for names in (settings.labelled, settings.calibrated)
    )
    lexicon = read_lexicon(open_wordnet())
    triples = [
        rows
        for name in settings.perturbed
        for rows in perturbed_rows(configuration, lexicon, "calibration", settings.rows // 10, (name,))
    ]
    pairs = all_pairs([twitter, benchmark, own, *labelled, *others], triples)
    place = {pair: row for row, pair in enumerate(pairs)}
    scores = pair_scores(reader, pairs, encoder)

    def rows_of(rows: Graded) -> Labelled:  # of several pairs in a row, that of the highest BERTScore
        chosen = [max((place[pair] for pair in row), key=lambda number: scores[number, 0]) for row in rows.pairs]
        return Labelled(scores[chosen], np.array(rows.scores))

    ahead = [
        scores[[place[pair] for pair in rows.better]] - scores[[place[pair] for pair in rows.worse]] for rows in triples
    ]
    weights = fit_blend(
        EVIDENCE, [rows_of(rows) for rows in (twitter, benchmark, *labelled)], np.concatenate(ahead), settings.order
    )
    raw = blended(scores, weights)
    fitted_to = [(rows, best_of_rows(rows, place, raw), np.array(rows.scores)) for rows in (twitter, own, *others)]
    slope, offset = fit_platt(
        np.concatenate([values for _, values, _ in fitted_to]),
        np.concatenate([shares for _, _, shares in fitted_to]),
        np.concatenate([_weights(rows, shares) for rows, _, shares in fitted_to]),
    )
    blend = {name: slope * weight for name, weight in weights.items()} | {"offset": offset}
    return {"blend": blend, **_limits(written, scores[[place[row.pair] for row in written]], settings.spare)}


def _weights(rows: Graded, shares: Floats) -> Floats:
    """Each set counts alike. Of the written pairs, of which more are bad than any generator writes, two good ones count
    for one bad one."""
    if rows.name != WRITTEN:
        return np.full(len(shares), 1 / len(shares))
    found: Floats = 2 * shares / shares.sum() + (1 - shares) / (1 - shares).sum()
    return found / 3


def _limits(written: list[Written], scores: Floats, spare: Mapping[str, float]) -> dict[str, float]:
    """The logits above which the reader's word decides, so that it is wrong of these shares of good pairs.

    And the one above which it is sure that a pair says the same: half of the good pairs are beyond it.
    """
    logits = 5 * np.arctanh(np.clip(scores, -1 + 1e-12, 1 - 1e-12))
    good = np.array([row.good for row in written])
    limits = {
        limit: float(np.quantile(-logits[good, EVIDENCE.index(name)], 1 - spare[limit]))
        for limit, name in (("lost", "weaker"), ("broken", "fluent"))
    }
    return limits | {"sure": float(np.median(logits[good, EVIDENCE.index("weaker")]))}


def _calibration_rows(configuration: Configuration, name: str) -> Graded:
    """Rows of a set of the configuration, or of one that is never trained on."""
    count = configuration.blend.rows
    if name in configuration.sets:
        return own_rows(configuration, name, "calibration", count)
    return _scaled(foreign_rows(configuration.data_folder, name, count, configuration.seed, ("calibration",)))


def _scaled(rows: Graded) -> Graded:
    return rows._replace(scores=[score / _LARGEST.get(rows.name, 1.0) for score in rows.scores])
