"""Sampling: frequencies fit the truncated distribution, and nothing depends on the batch."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from paragauge.paraphrasers.decoding.sampling import sample, top_mass


def test_the_fewest_tokens_that_have_the_mass_are_kept():
    rows = np.log(np.array([[0.5, 0.25, 0.15, 0.1], [0.05, 0.05, 0.85, 0.05], [0.25, 0.25, 0.25, 0.25]], np.float32))
    kept = top_mass(rows, 0.8)
    np.testing.assert_allclose(kept[0], [0.5 / 0.9, 0.25 / 0.9, 0.15 / 0.9, 0], atol=1e-6)
    np.testing.assert_allclose(kept[1], [0, 0, 1, 0], atol=1e-6)
    np.testing.assert_allclose(kept[2], [0.25, 0.25, 0.25, 0.25], atol=1e-6)
    np.testing.assert_allclose(top_mass(rows, 1.0), np.exp(rows), atol=1e-6)


@pytest.mark.parametrize("mass", [0.8, 0.5, 1.0])
def test_frequencies_of_whole_sequences_fit_the_truncated_distribution(toy, mass):
    """Chi-square with a fixed seed over every sequence of at most two tokens that can be drawn."""
    model, draws = toy(seed=4), 4000
    (found,) = sample(model, [[1]], draws, mass=mass, longest=2)
    counts = Counter((one.tokens, one.ended) for one in found)
    expected = {}
    for tokens, _, ended in model.all_sequences([1], 2):
        steps = [*tokens, model.end] if ended else list(tokens)
        shares = [top_mass(model.after([1], tokens[:place])[None], mass)[0, token] for place, token in enumerate(steps)]
        if math.prod(shares) > 0:
            expected[tokens, ended] = math.prod(shares) * draws
    assert set(counts) <= set(expected)
    rare = [key for key, value in expected.items() if value < 5]
    observed = [counts[key] for key in expected if key not in rare] + [sum(counts[key] for key in rare)] * bool(rare)
    hoped = [value for key, value in expected.items() if key not in rare] + [sum(expected[key] for key in rare)] * bool(
        rare
    )
    assert stats.chisquare(observed, hoped).pvalue > 0.01  # the seed is fixed: it fails always or never


def test_a_batch_of_one_equals_a_batch_of_many(toy):
    model = toy(seed=5)
    sources = [[1], [2], [3, 3], [2]]
    together = sample(model, sources, 3, seed=11)
    assert together == [sample(model, [source], 3, seed=11)[0] for source in sources]
    assert together[1] == together[3]
    assert sample(model, sources, 3, seed=12) != together
    assert sample(model, [], 3) == []


def test_fewer_draws_are_the_first_of_more(toy):
    model = toy(seed=6)
    assert sample(model, [[1]], 5)[0][:2] == sample(model, [[1]], 2)[0]


def test_the_log_probability_is_the_models_own(toy):
    model = toy(seed=7)
    for one in sample(model, [[1]], 20, longest=4)[0]:
        total = sum(float(model.after([1], one.tokens[:place])[token]) for place, token in enumerate(one.tokens))
        total += float(model.after([1], one.tokens)[model.end]) if one.ended else 0
        assert one.log_probability == pytest.approx(total, abs=1e-5)


@given(arrays(np.float32, (3, 50), elements=st.floats(-30, 5, width=32)), st.sampled_from([0.01, 0.3, 0.8, 0.999, 1.0]))
def test_tokens_that_are_not_sorted_are_not_needed(scores, mass):
    scores -= np.log(np.exp(scores.astype(np.float64)).sum(axis=1, keepdims=True)).astype(np.float32)
    expected = []
    for row in scores:
        shares = np.exp(row.astype(np.float64))
        shares /= shares.sum()
        before, kept = 0.0, np.zeros_like(shares)
        for token in sorted(range(len(shares)), key=lambda token: -shares[token]):
            if before < mass - 1e-7:
                kept[token] = shares[token]
            before += shares[token]
        expected.append(kept / kept.sum())
    np.testing.assert_allclose(top_mass(scores, mass), expected, atol=1e-12)  # sums of float64
