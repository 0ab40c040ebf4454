"""Gains in agreement with people, on made data."""

import math

import numpy as np
import pytest
from scipy import stats

from paragauge.errors import InputError
from paragauge.metrics import parse
from paragauge.references.gains import (
    scored_segments_gain,
    segment_gain,
    spread,
    system_gain,
)
from paragauge.references.human import Rankings
from paragauge.references.scoring import SystemScores
from paragauge.stats.interval import widen_p, widen_tail
from paragauge.stats.resample import draw

SYSTEMS = [f"s{place}" for place in range(8)]
QUALITY = np.linspace(-1, 1, 8)
HUMAN = dict(zip(SYSTEMS, QUALITY.tolist(), strict=True))


def scored(segments, extras=0, spec="rougeL"):
    metric = parse(spec)
    segments = np.asarray(segments, dtype=np.float64)
    return SystemScores(metric, "", extras, SYSTEMS[: len(segments)], segments, np.nanmean(segments, axis=1))


def noisy(noise, seed=0, segments=200):
    """Scores that follow the quality of the systems, with noise of each system and of each segment."""
    random = np.random.default_rng(seed)
    return QUALITY[:, None] + noise * random.normal(size=(8, 1)) + random.normal(size=(8, segments))


def test_the_gain_of_systems_is_pearsons_with_williams_test():
    single, augmented = scored(noisy(0.8)), scored(noisy(0.1, 1), 3)
    found = system_gain(single, augmented, HUMAN, "t")
    before, after = (stats.pearsonr(one.corpus, QUALITY)[0] for one in (single, augmented))
    between = stats.pearsonr(single.corpus, augmented.corpus)[0]
    # Williams 1959, written out
    determinant = 1 - after**2 - before**2 - between**2 + 2 * after * before * between
    t = (after - before) * math.sqrt(7 * (1 + between)) / math.sqrt(
        2 * determinant * 7 / 5 + ((after + before) / 2) ** 2 * (1 - between) ** 3
    )  # fmt: skip
    assert found.p == pytest.approx(stats.t.sf(t, 5), rel=1e-9)
    assert (found.single, found.augmented) == (pytest.approx(before), pytest.approx(after))
    assert found.gain == pytest.approx(after - before)
    assert found.relative == pytest.approx(100 * (after - before) / before)
    assert found.low < found.gain < found.high
    assert (found.task, found.extras, found.systems, found.reason) == ("t", 3, 8, "")
    # of 28 pairs of systems
    right = sum(augmented.corpus[i] < augmented.corpus[j] for i in range(8) for j in range(i + 1, 8))
    assert found.accuracy_augmented == right / 28


def test_the_interval_is_of_resampled_segments():
    """Against the same resamples, drawn and correlated one by one."""
    single, augmented = scored(noisy(0.8)), scored(noisy(0.1, 1), 3)
    found = system_gain(single, augmented, HUMAN, resamples=50, seed=7)
    gains, tail = [], widen_tail(0.025, 200)
    for weights in draw(200, 50, 7):
        rows = np.repeat(np.arange(200), weights.astype(int))
        gains.append(
            stats.pearsonr(augmented.segments[:, rows].mean(axis=1), QUALITY)[0]
            - stats.pearsonr(single.segments[:, rows].mean(axis=1), QUALITY)[0]
        )
    np.testing.assert_allclose((found.low, found.high), np.quantile(gains, [tail, 1 - tail]), rtol=1e-9)


def test_where_lower_is_better_the_sign_is_turned():
    up = system_gain(scored(noisy(0.8)), scored(noisy(0.1, 1), 3), HUMAN)
    down = system_gain(scored(-noisy(0.8), spec="ter"), scored(-noisy(0.1, 1), 3, spec="ter"), HUMAN)
    assert (down.single, down.augmented, down.p) == (up.single, up.augmented, up.p)


def test_systems_that_nobody_judged_do_not_count():
    some = {name: HUMAN[name] for name in SYSTEMS[:6]}
    found = system_gain(scored(noisy(0.8)), scored(noisy(0.1, 1)), some)
    few = system_gain(scored(noisy(0.8)[:6]), scored(noisy(0.1, 1)[:6]), some)
    assert found == few
    assert found.systems == 6


def test_what_is_undefined_has_a_reason():
    same = system_gain(scored(noisy(1)), scored(noisy(1), 1), HUMAN)
    assert same.gain == 0
    assert math.isnan(same.p)
    assert same.reason == "both give every system the same score"
    three = {name: HUMAN[name] for name in SYSTEMS[:3]}
    few = system_gain(scored(noisy(1)), scored(noisy(1, 1)), three)
    assert few.reason == "Williams's test needs 4 systems, and there are 3"
    two = system_gain(scored(noisy(1)), scored(noisy(1, 1)), {name: HUMAN[name] for name in SYSTEMS[:2]})
    assert math.isnan(two.single)  # two points lie on a line
    assert two.reason == "people judged 2 of the systems with outputs; a correlation needs 3"
    alike = system_gain(scored(noisy(1)), scored(noisy(1, 1)), dict.fromkeys(SYSTEMS, 1.0))
    assert math.isnan(alike.accuracy_single)  # there is no order to get right
    assert alike.reason == "people judged all systems alike"
    flat = system_gain(scored(np.ones((8, 5))), scored(noisy(1, segments=5)), HUMAN)
    assert math.isnan(flat.gain)
    assert math.isnan(flat.low)
    assert "constant" in flat.reason


# people prefer the system with the higher number in every pair of every segment
PAIRS = [(i, j) for j in range(8) for i in range(j)]
EVERY = Rankings(
    np.repeat(np.arange(200), len(PAIRS)),
    np.tile([j for _, j in PAIRS], 200),
    np.tile([i for i, _ in PAIRS], 200),
)


def test_the_gain_of_segments():
    single, augmented = scored(noisy(0.8)), scored(noisy(0.1, 1) + 2 * QUALITY[:, None], 3)
    found = segment_gain(single, augmented, EVERY, "t", seed=3)
    margins = [one.segments[EVERY.better, EVERY.segment] - one.segments[EVERY.worse, EVERY.segment]
               for one in (single, augmented)]  # fmt: skip
    before, after = ((margin > 0) for margin in margins)
    assert found.single == pytest.approx(2 * before.mean() - 1)
    assert found.gain == pytest.approx(2 * (after.mean() - before.mean()))
    assert found.improved == pytest.approx((after & ~before).mean())
    assert found.degraded == pytest.approx((before & ~after).mean())
    assert found.low < found.gain < found.high
    assert found.p == widen_p([1 / 1001], 200)[0]  # the least that 1,000 resamples can give
    worse = segment_gain(augmented, single, EVERY, seed=3)
    assert worse.p == pytest.approx(1)


def test_rankings_of_one_segment_are_not_independent():
    """Where a segment's rankings all change together, an interval of single rankings would be far too narrow."""
    random = np.random.default_rng(0)
    before = np.tile(np.arange(8.0)[:, None], 200)
    flipped = random.random(200) < 0.5
    single = scored(np.where(np.roll(flipped, 7), -before, before))
    augmented = scored(np.where(flipped, -before, before), 1)
    found = segment_gain(single, augmented, EVERY)
    changes = 2.0 * (np.roll(flipped, 7).astype(float) - flipped)  # of each segment
    clustered = 1.96 * changes.std() / math.sqrt(200)
    alone = 1.96 * changes.std() / math.sqrt(200 * len(PAIRS))
    assert (found.high - found.low) / 2 == pytest.approx(clustered, rel=0.1)  # of 1,000 resamples
    assert (found.high - found.low) / 2 > 4 * alone


def test_a_gain_is_over_segments_that_both_have_scores_of():
    """A line without a first reference has no score until an extra one is there: it cannot show a gain."""
    single, augmented = noisy(0.8), noisy(0.1, 1)
    single[:, 150:] = np.nan
    half = Rankings(*(column[EVERY.segment < 150] for column in (EVERY.segment, EVERY.better, EVERY.worse)))
    found = segment_gain(scored(single), scored(augmented, 3), EVERY, resamples=50)
    expected = segment_gain(scored(single[:, :150]), scored(augmented[:, :150], 3), half, resamples=50)
    assert found == expected
    assert found.gain == pytest.approx(2 * (found.improved - found.degraded), abs=1e-12)
    systems = system_gain(scored(single), scored(augmented, 3), HUMAN, resamples=50)
    expected = system_gain(scored(single[:, :150]), scored(augmented[:, :150], 3), HUMAN, resamples=50)
    for one, other in zip(systems[3:-1], expected[3:-1], strict=True):
        assert one == pytest.approx(other, abs=1e-12)


def test_scores_of_segments_are_compared_where_both_are_there():
    single, augmented = noisy(0.8, segments=40), noisy(0.1, 1, segments=40)
    human = noisy(0.2, 2, segments=40)
    single[:, 30:] = np.nan
    found = scored_segments_gain(scored(single), scored(augmented, 3), human)
    cut = human.copy()
    cut[:, 30:] = np.nan
    expected = scored_segments_gain(scored(single), scored(augmented, 3), cut)
    assert found == expected
    assert found.tied_augmented == scored_segments_gain(scored(augmented), scored(augmented, 3), cut).tied_augmented


def test_resamples_without_a_score_of_some_system_are_left_out():
    few = noisy(0.8, segments=4)
    few[2, :3] = np.nan
    found = system_gain(scored(few), scored(few + noisy(0.1, 1, segments=4), 1), HUMAN, resamples=100)
    assert found.low <= found.high


def test_a_percentage_of_a_negative_correlation_is_undefined():
    found = system_gain(scored(-noisy(0.3)), scored(noisy(0.1, 1), 1), HUMAN, resamples=10)
    assert found.single < 0 < found.gain
    assert math.isnan(found.relative)


def test_few_rankings():
    one = Rankings(*(np.array([place]) for place in (0, 1, 0)))
    found = segment_gain(scored(noisy(1)), scored(noisy(1, 1)), one)
    assert math.isnan(found.p)
    assert found.reason == "all rankings are of one segment: there is nothing to resample"
    gap = scored(np.where(np.arange(200) == 0, np.nan, noisy(1)))
    assert segment_gain(gap, gap, one).reason == "no ranking could be compared"


def test_scores_of_segments_by_people():
    human = noisy(0)
    human[2, :50] = np.nan  # not all were judged
    found = scored_segments_gain(scored(noisy(2, 1)), scored(np.nan_to_num(human), 2), human, "t")
    assert found.soft_augmented == 1  # the scores are those of people
    assert found.tied_augmented == 1
    assert found.epsilon_augmented == 0
    assert found.soft_single < 1
    assert found.tied_single < 1
    assert (found.systems, found.extras, found.reason) == (8, 2, "")


def test_spread():
    assert spread([1.0, 2.0, math.nan, 6.0]) == (3.0, 1.0, 6.0, 1)
    assert math.isnan(spread([math.nan]).mean)
    assert spread([]).left_out == 0


def test_what_is_refused():
    one = scored(noisy(1))
    with pytest.raises(InputError, match="expected the same task"):
        system_gain(one, scored(noisy(1)[:4]), HUMAN)
    with pytest.raises(InputError, match="by rougeL and ned; expected one metric"):
        segment_gain(one, scored(noisy(1), spec="ned"), EVERY)
    with pytest.raises(InputError, match="human scores for"):
        scored_segments_gain(one, one, np.ones((8, 3)))
    with pytest.raises(InputError, match="the number of resamples is 0"):
        segment_gain(one, one, EVERY, resamples=0)
    gap = noisy(1)
    gap[0] = np.nan
    empty = SystemScores(one.metric, "", 1, SYSTEMS, gap, gap.mean(axis=1))
    with pytest.raises(InputError, match="a system has no corpus score"):
        system_gain(one, empty, HUMAN)
