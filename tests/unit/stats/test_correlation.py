"""Correlations against scipy, at each level, and what is said where there is none."""

import math
from functools import partial

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge.stats.agreement import resample
from paragauge.stats.correlation import correlate, correlate_many, correlation
from paragauge.stats.correlations import names

# scipy sums in another order: agreement to a few units in the last place of a sum of up to 300 terms
CLOSE = {"rel": 0, "abs": 1e-12}

ORACLES = {
    "pearson": lambda x, y: scipy.stats.pearsonr(x, y)[0],
    "spearman": lambda x, y: scipy.stats.spearmanr(x, y)[0],
    "kendall-b": lambda x, y: scipy.stats.kendalltau(x, y)[0],
    "kendall-c": lambda x, y: scipy.stats.kendalltau(x, y, variant="c")[0],
}


def table(seed: int, rows: int = 300, sources: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Four metrics, one of them with many ties; ratings on a scale of six; sources of unequal size; five systems."""
    random = np.random.default_rng(seed)
    source = random.integers(0, sources, rows)
    human = random.integers(0, 6, rows) / 5
    scores = human + random.normal(size=(4, rows))
    scores[1] = np.round(scores[1])
    return scores, human, source, random.integers(0, 5, rows)


def defined(oracle, x, y) -> float:
    constant = len(x) < 2 or min(x) == max(x) or min(y) == max(y)
    return math.nan if constant else oracle(x, y)


def test_every_statistic_has_an_oracle():
    assert set(names()) == set(ORACLES)


@pytest.mark.parametrize("statistic", names())
@pytest.mark.parametrize("rows", [2, 3, 17, 200, 201, 300])  # pairs are counted otherwise above 200 rows
def test_pooled_is_as_scipy_has_it(statistic, rows):
    scores, human, *_ = table(rows, rows)
    human[:2] = 0, 1
    for row in scores:
        row[0] += 7  # no constant scores among two rows
        found = correlation(row, human, statistic)
        assert found.value == pytest.approx(ORACLES[statistic](row, human), **CLOSE)
        assert (found.rows, found.reason) == (rows, "")
        assert correlate(row, human, statistic).value == found.value


@pytest.mark.parametrize("statistic", names())
def test_within_sources_is_the_mean_of_what_scipy_defines(statistic):
    scores, human, sources, _ = table(1)
    expected, left_out = [], []
    for row in scores:
        each = [defined(ORACLES[statistic], row[sources == s], human[sources == s]) for s in np.unique(sources)]
        expected.append(np.nanmean(each))
        left_out.append(int(np.isnan(each).sum()))
    assert correlate_many(scores, human, statistic, "source", sources) == pytest.approx(expected, **CLOSE)
    for row, value, missing in zip(scores, expected, left_out, strict=True):
        found = correlate(row, human, statistic, "source", sources)
        assert found.value == pytest.approx(value, **CLOSE)
        assert (found.groups + found.left_out, found.left_out) == (len(np.unique(sources)), missing)
    assert max(left_out) > 0  # else the counting was not tested


@pytest.mark.parametrize("statistic", names())
def test_a_large_source_is_as_scipy_has_it(statistic):
    scores, human, _, _ = table(2)
    sources = (np.arange(300) >= 250).astype(int)  # 250 and 50 rows
    expected = [
        np.mean([ORACLES[statistic](row[:250], human[:250]), ORACLES[statistic](row[250:], human[250:])])
        for row in scores
    ]
    assert correlate_many(scores, human, statistic, "source", sources) == pytest.approx(expected, **CLOSE)


@pytest.mark.parametrize("statistic", names())
def test_of_systems_is_the_correlation_of_their_means(statistic):
    scores, human, _, systems = table(3)
    means = [[row[systems == one].mean() for one in range(5)] for row in [*scores, human]]
    expected = [ORACLES[statistic](row, means[-1]) for row in means[:-1]]
    assert correlate_many(scores, human, statistic, "system", systems=systems) == pytest.approx(expected, **CLOSE)
    found = correlate(scores[0], human, statistic, "system", systems=systems)
    assert found.value == pytest.approx(expected[0], **CLOSE)
    assert (found.groups, found.left_out) == (5, 0)


numbers = st.integers(-5, 5).map(float)
rows = st.lists(st.tuples(numbers, numbers, st.integers(0, 3)), min_size=2, max_size=25)


@given(rows, st.sampled_from(names()), st.sampled_from(["pooled", "source", "system"]), st.randoms())
def test_order_scale_and_labels_do_not_matter(data, statistic, level, random):
    scores, human, groups = (np.array(part) for part in zip(*data, strict=True))

    def value(one, two, labels):
        return correlate(one, two, statistic, level, labels, labels).value

    before = value(scores, human, groups)
    order = list(range(len(data)))
    random.shuffle(order)
    after = [
        value(scores[order], human[order], groups[order]),
        value(scores * 3.5, human, groups),
        # a constant added before a mean is taken may round two equal means apart, and so change their ranks
        value(scores, human * 2 + 8, groups) if level != "system" else before,
        value(scores, human, 10 - 2 * groups),
    ]
    assert after == pytest.approx([before] * 4, nan_ok=True, **CLOSE)
    assert math.isnan(before) or -1 <= before <= 1


@given(rows, st.sampled_from(names()))
def test_small_tables_are_as_scipy_has_them(data, statistic):
    scores, human, groups = (np.array(part) for part in zip(*data, strict=True))
    expected = defined(ORACLES[statistic], scores, human)
    assert correlate(scores, human, statistic).value == pytest.approx(expected, nan_ok=True, **CLOSE)
    each = [defined(ORACLES[statistic], scores[groups == g], human[groups == g]) for g in np.unique(groups)]
    each = [one for one in each if not math.isnan(one)]
    expected = np.mean(each) if each else math.nan
    assert correlate(scores, human, statistic, "source", groups).value == pytest.approx(expected, nan_ok=True, **CLOSE)


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e200])
def test_very_small_and_very_large_scores_correlate(scale):
    assert correlate(np.array([1.0, 2, 4]) * scale, [1, 2, 4]).value == pytest.approx(
        1, abs=1e-3 if scale < 1e-300 else 1e-12
    )


@pytest.mark.parametrize("statistic", names())
def test_where_there_is_no_correlation_the_reason_is_said(statistic):
    one = partial(correlation, statistic=statistic)
    assert one([0.1] * 3, [1, 2, 3])[1:] == (3, "the scores are constant")
    assert one([1, 2, 3], [0.1] * 3)[1:] == (3, "the ratings are constant")
    assert one([1], [2])[1:] == (1, "there are fewer than 2 rows")
    assert one([], [])[1:] == (0, "there are fewer than 2 rows")
    found = correlate([1, 2, 3], [1, 2, 3], statistic, "source", [0, 1, 2])
    assert math.isnan(found.value)
    assert found[1:] == (0, 3, "in no source are there two rows that differ in score and in rating")
    found = correlate([1, 2], [1, 2], statistic, "system", systems=[0, 0])
    assert found[1:] == (1, 0, "there are fewer than 2 systems")
    # each system's mean is 0.1, and must not differ by rounding
    found = correlate([0.1] * 7, range(7), statistic, "system", systems=[0, 0, 0, 1, 1, 2, 2])
    assert found.reason == "the scores are constant"
    many = correlate_many([[1.0, 1, 1], [1, 2, 3]], [1, 2, 3], statistic)
    assert np.isnan(many).tolist() == [True, False]
    assert math.isnan(correlate_many([[]], [], statistic)[0])
    for level in ("source", "system"):
        assert math.isnan(correlate_many([[]], [], statistic, level, [], [])[0])
        assert correlate_many(np.empty((0, 3)), [1, 2, 3], statistic, level, [0, 0, 1], [0, 0, 1]).shape == (0,)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: correlate([1, 2], [1, 2, 3]), "there are 2 scores and 3 ratings"),
        (lambda: correlate([1, math.nan], [1, 2]), "1 of 2 values that are NaN or infinite, the first at 1"),
        (lambda: correlate([1, 2], [1, math.inf]), "the ratings hold 1 of 2 values"),
        (lambda: correlate([[1, 2]], [1, 2]), r"shape \(1, 2\); expected one number per row"),
        (lambda: correlate(["a", "b"], [1, 2]), "not all numbers"),
        (lambda: correlate([1, 2], [1, 2], "kendal-b"), "did you mean 'kendall-b'"),
        (lambda: correlate([1, 2], [1, 2], level="sources"), "did you mean 'source'"),
        (lambda: correlate([1, 2], [1, 2], level="source"), "there are no sources"),
        (lambda: correlate([1, 2], [1, 2], level="system"), "there are no systems"),
        (lambda: correlate([1, 2], [1, 2], level="source", sources=[1]), "one for each of the 2 rows"),
        (lambda: correlate([1, 2], [1, 2], level="source", sources=[1, math.nan]), "not finite"),
        (lambda: correlate_many([1, 2], [1, 2]), r"expected \(metrics, 2\)"),
        (lambda: correlate_many([[1, 2, 3]], [1, 2]), r"expected \(metrics, 2\)"),
        (lambda: correlate_many([[1, math.nan]], [1, 2]), r"the first at \(0, 1\)"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("statistic", names())
def test_systems_that_are_rated_alike_have_no_correlation(statistic):
    """Each has the same ratings in another order: sums differ in their last bits, and that is not a difference."""
    random = np.random.default_rng(5)
    ratings = random.choice([0.1, 0.2, 0.3, 0.7], 40)
    human = np.concatenate([random.permutation(ratings) for _ in range(5)])
    scores, systems = random.normal(size=200), np.repeat(np.arange(5), 40)
    assert len(set(np.bincount(systems, human))) > 1
    found = correlate(scores, human, statistic, "system", systems=systems)
    assert math.isnan(found.value)
    assert found.reason == "the ratings are constant"
    sources = np.tile(np.arange(40), 5)
    order = random.permutation(200)  # a source's rating is the same for all systems, so all means are
    same = np.tile(ratings, 5)[order]
    drawn = resample(scores[None, order], same, sources[order], statistic, "system", systems[order], 50)
    assert np.isnan(drawn.values).all()
