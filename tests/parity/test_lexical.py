"""Word position deviation, lexical deviation and compression ratio against stored values of the named packages.

golden/lexical.json says which packages, and the command that made it.
"""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge.metrics.diversity.compression_ratio import CompressionRatio
from paragauge.metrics.form.deviation import LexicalDeviation, WordPositionDeviation
from paragauge.tables.samples import Samples

# sums of at most a few dozen numbers up to 1, in double precision, in another order
WITHIN = 1e-12


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    return json.loads((Path(__file__).parent / "golden" / "lexical.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def samples(golden, twitter) -> Samples:
    return Samples.of(twitter.sources, twitter.candidates).rows(range(0, 7_159, golden["every_row"]))


def test_word_position_deviation_on_the_same_tokens(golden, samples):
    assert len(samples) == 239
    found = WordPositionDeviation(punctuation=True).score(samples)
    np.testing.assert_allclose(found, golden["wpd_tokens"], rtol=0, atol=WITHIN)


def test_lexical_deviation_on_the_same_tokens(golden, samples):
    np.testing.assert_allclose(LexicalDeviation().score(samples), golden["ld_tokens"], rtol=0, atol=WITHIN)


@pytest.mark.parametrize(
    ("metric", "column", "correlation", "mean", "theirs"),
    [
        (LexicalDeviation(), "ld_lemmas", 0.791, 0.730, 0.777),
        (WordPositionDeviation(punctuation=True), "wpd_lemmas", 0.800, 0.305, 0.329),
    ],
    ids=["ld", "wpd"],
)
def test_how_far_word_forms_are_from_lemmas(golden, samples, metric, column, correlation, mean, theirs):
    """Recorded in differences.md, to three digits."""
    found, lemmas = metric.score(samples), np.array(golden[column])
    assert np.corrcoef(found, lemmas)[0, 1] == pytest.approx(correlation, abs=5e-4)
    assert (found.mean(), lemmas.mean()) == pytest.approx((mean, theirs), abs=5e-4)


def test_lemmas_keep_the_capitals_of_names(golden, samples):
    """No word of these is shared by spaCy's lemmas, as 'Barca' and 'BARCA' are two; by ours that one is."""
    row = samples.candidates.index("LETS GO BARCA EVERYONE BELIEVES YOU COULD DO IT")
    assert samples.sources[row] == "Wonder if Barca will make a comeback"
    assert (golden["wpd_lemmas"][row], golden["ld_lemmas"][row]) == (1, 1)
    # barca at 2/6 of the source and 2/8 of the candidate; one of 7 + 9 − 1 words
    assert WordPositionDeviation().score(samples)[row] == pytest.approx(2 / 6 - 2 / 8, abs=WITHIN)
    assert LexicalDeviation().score(samples)[row] == pytest.approx(1 - 1 / 15, abs=WITHIN)


def compressed_twice(texts: list[str]) -> float:
    """What diversity 0.3.1 computes: a gzip of the gzip of the texts joined by spaces, a file name in its header."""
    data = " ".join(texts).encode()
    outer = io.BytesIO()
    with gzip.GzipFile("compressed.gz", "wb", fileobj=outer) as file:
        file.write(gzip.compress(data))
    return len(data) / len(outer.getvalue())


def test_diversity_compresses_twice(golden, twitter):
    sets: dict[str, list[str]] = {}
    for source, candidate in zip(twitter.sources, twitter.candidates, strict=True):
        sets.setdefault(source, []).append(candidate)
    chosen = [(source, sorted(texts)) for source, texts in sets.items()][:: golden["every_set"]]
    expected = np.array(golden["compression_ratio"])
    twice = np.array([compressed_twice(texts) for _, texts in chosen])
    np.testing.assert_allclose(twice, expected, rtol=0, atol=5.001e-4)  # the package rounds to three digits
    samples = Samples.of(
        [source for source, texts in chosen for _ in texts], [text for _, texts in chosen for text in texts]
    )
    found = CompressionRatio().score(samples)[np.cumsum([0] + [len(texts) for _, texts in chosen[:-1]])]
    assert (found > expected).all(), "once is smaller"
