"""WEEM4PG, by hand on five words, and what it agrees with in the human judgments of PPDB phrase pairs."""

import math
from pathlib import Path

import numpy as np
import pytest

from paragauge.metrics.overall.weem4pg import Weem4pg
from paragauge.tables.samples import Samples

WITHIN = 1e-12  # a handful of operations in double precision


# cosines: a–c 0.6, b–c 0.8, a–b 0, a–d −1, b–e 0.6
@pytest.mark.parametrize(
    "source, candidate, expected",
    [
        ("c a", "a b", 0.9),  # w = 1, 0.8; N = 1
        ("c a", "a c", 1 / math.sqrt(2)),  # a copy: w = 1, 1; N = 2, so √2/2 · 2/2
        ("c a", "a a c", 1 / math.sqrt(2)),  # N counts different words, |C| all
        ("c", "a b", 0.7),  # N = 0: the factor is 1; (0.6 + 0.8)/2
        ("c", "b strange", 0.4),  # a word without a vector is worth 0, and counts in |C|
        ("strange c", "strange strange b", 2.8 / 3),  # … but 1 where the source has it: w = 1, 1, 0.8; N = 1
        ("strange c", "strange c", 1 / math.sqrt(2)),  # and it is a shared word
        ("a", "d", -1),
        ("a strange", "d", 0),  # the nearest word of the source is the one of cosine 0
        ("strange", "a", 0),
        ("", "a", math.nan),
        ("a", " ", math.nan),
    ],
)
def test_by_hand(source, candidate, expected, tiny_vectors):
    found = Weem4pg(vectors=tiny_vectors).score(sources=[source], candidates=[candidate])[0]
    assert found == pytest.approx(expected, abs=WITHIN, nan_ok=True)


def test_without_the_factor(tiny_vectors):
    metric = Weem4pg(vectors=tiny_vectors, overlap_factor=False)
    found = metric.score(sources=["c a", "c a"], candidates=["a c", "a b"])
    np.testing.assert_allclose(found, [1, 0.9], rtol=0, atol=WITHIN)


def test_the_paper_has_no_value_where_nothing_is_shared(tiny_vectors):
    metric = Weem4pg(vectors=tiny_vectors, compat="paper")
    samples = Samples.of(["c", "c a", "", "a"], ["a b", "a b", "a", ""])
    np.testing.assert_allclose(metric.score(samples), [np.nan, 0.9, np.nan, np.nan], rtol=0, atol=WITHIN)
    assert metric.reason(samples, 0) == "the candidate and the source share no word"
    assert metric.reason(samples, 2) == "the source is empty"
    assert metric.reason(samples, 3) == "the candidate is empty"


def ranks(values: np.ndarray) -> np.ndarray:
    """Equal values share the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


@pytest.mark.parametrize(
    "name, rows, with_factor, without",
    [
        pytest.param("ppdb-sample.tsv", 26_456, 0.2486, 0.3604, marks=pytest.mark.thorough),
        ("wiki-sample.tsv", 13_954, 0.2723, 0.2779),
    ],
)
@pytest.mark.usefixtures("glove")
def test_rank_correlation_with_the_judgments_of_phrase_pairs(data: Path, name, rows, with_factor, without):
    """Spearman, words cut at white space; the factor lowers it on both samples. Checked once against scipy 1.17.1."""
    file = data / "ppdb-human" / name
    if not file.is_file():
        pytest.skip(f"needs {file}")
    lines = [line.split("\t") for line in file.read_text(encoding="utf-8").rstrip("\n").split("\n")]
    assert len(lines) == rows
    human = ranks(np.array([float(line[0]) for line in lines]))
    samples = Samples.of([line[2] for line in lines], [line[3] for line in lines])
    for factor, expected in ((True, with_factor), (False, without)):
        scores = Weem4pg(tokenizer="none", overlap_factor=factor).score(samples)
        assert np.corrcoef(ranks(scores), human)[0, 1] == pytest.approx(expected, abs=5e-5)  # four digits
