"""ROUGE-1, -2 and -L against the installed rouge-score."""

from typing import Any

import numpy as np
import pytest
from rouge_score.rouge_scorer import RougeScorer

from paragauge.compute.workspace import Workspace
from paragauge.metrics import parse
from paragauge.tables.samples import Samples

NAMES = ["rouge1", "rouge2", "rougeL"]
PARTS = {"precision": "precision", "recall": "recall", "f1": "fmeasure"}
# the same divisions of the same whole numbers, in double precision
WITHIN = 1e-9


@pytest.fixture(scope="module", params=[5, pytest.param(1, marks=pytest.mark.thorough)])
def samples(twitter, request) -> Samples:
    """Every so many rows, with one to three references."""
    size = len(twitter.candidates)
    references = [
        [text, *(twitter.candidates[(row * 31 + extra) % size] for extra in range(row % 3))]
        for row, text in enumerate(twitter.references)
    ]
    every = Samples.of(twitter.sources, twitter.candidates, references)
    return every.rows(range(0, len(every), request.param))


@pytest.fixture(scope="module")
def expected(samples) -> list[dict[str, Any]]:
    """What rouge-score says of every row."""
    scorer = RougeScorer(NAMES)
    rows = zip(samples.candidates, samples.references, strict=True)
    return [scorer.score_multi(list(group), candidate) for candidate, group in rows]


@pytest.mark.parametrize("name", NAMES)
def test_twitter(name, samples, expected):
    ascii_rows = np.array([
        all(map(str.isascii, (candidate, *group)))
        for candidate, group in zip(samples.candidates, samples.references, strict=True)
    ])  # fmt: skip
    assert ascii_rows.mean() > 0.97
    work = Workspace()
    for part, theirs in PARTS.items():
        values = np.array([getattr(scores[name], theirs) for scores in expected])
        found = parse(f"{name}:part={part},tokenizer=rouge-score").score(samples, work)
        undefined = np.isnan(found)  # where no reference has a word, or for ROUGE-2 two, rouge-score says 0
        assert undefined.sum() < 10
        assert not values[undefined].any()
        np.testing.assert_allclose(found[~undefined], values[~undefined], rtol=0, atol=WITHIN)
        every_script = parse(f"{name}:part={part}").score(samples, work)
        np.testing.assert_array_equal(every_script[ascii_rows], found[ascii_rows])
