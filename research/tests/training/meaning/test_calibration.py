"""Calibration: the curve, its error, and that of the weights that come with the package."""

from pathlib import Path

import numpy as np
import pytest

from paragauge.metrics.meaning.meaning import Meaning
from paragauge.models.encoders.encoder import Encoder
from paragauge_research.training.meaning.blend import expected_error, fit_platt, reliability
from paragauge_research.training.meaning.development import foreign_rows


def test_the_curve_that_made_the_labels_is_found() -> None:
    raw = np.linspace(-3, 3, 201)
    slope, offset = fit_platt(raw, 1 / (1 + np.exp(-(1.7 * raw - 0.4))))
    assert slope == pytest.approx(1.7, abs=1e-6)
    assert offset == pytest.approx(-0.4, abs=1e-6)


def test_weights_count_as_repetition() -> None:
    raw, labels = np.array([-1.0, 0.0, 1.0, 0.5]), np.array([0.0, 1.0, 1.0, 0.0])
    weighted = fit_platt(raw, labels, np.array([2.0, 1.0, 1.0, 3.0]))
    repeated = fit_platt(np.repeat(raw, [2, 1, 1, 3]), np.repeat(labels, [2, 1, 1, 3]))
    assert weighted == pytest.approx(repeated, abs=1e-6)


def test_expected_error_by_hand() -> None:
    # bin 0.1-0.2: stated 0.15, observed 1/2, a half of the pairs; bin 0.9-1: stated 1, observed 1
    stated, labels = np.array([0.1, 0.2 - 1e-9, 1.0, 1.0]), np.array([0.0, 1.0, 1.0, 1.0])
    assert expected_error(stated, labels) == pytest.approx(0.5 * 0.35, abs=1e-6)
    assert [entry.share for entry in reliability(stated, labels)] == [0.5, 0.5]


def test_what_is_stated_is_near_what_people_say(encoder: Encoder, data: Path) -> None:  # noqa: ARG001
    rows = foreign_rows(data, "mrpc", 300, 11, ("train", "held-out"))
    sources, candidates = zip(*(row[0] for row in rows.pairs), strict=True)
    stated = Meaning().score(sources=sources, candidates=candidates)
    # 0.098 here, of a set that nothing was fitted to; 300 rows would give 0.057 if every probability were right, and
    # 0.14 if each were stated a quarter of a logit higher
    assert expected_error(stated, np.array(rows.scores)) < 0.12
