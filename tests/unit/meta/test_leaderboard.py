"""The leaderboard: order, intervals, clusters, and what would make a table of nothing."""

import math

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.evaluate.engines.local import Local
from paragauge.meta.leaderboard import ceiling_of, leaderboard, light_metrics
from paragauge.meta.scored import RatedScores, score_ratings
from paragauge.stats.correlation import correlate
from paragauge.stats.tests import resamples_needed
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples


def made(sources: int = 80, candidates: int = 6, noise: dict[str, float] | None = None, seed: int = 1) -> RatedScores:
    """Metrics that are the truth with more or less noise."""
    random = np.random.default_rng(seed)
    number = sources * candidates
    truth = np.repeat(random.normal(size=sources), candidates) + random.normal(size=number)
    systems = [f"system {row % candidates}" for row in range(number)]
    texts = [f"source {row // candidates}" for row in range(number)]
    samples = Samples.of(texts, [f"candidate {row}" for row in range(number)], systems=systems)
    noise = {"good": 0.3, "fair": 1.0, "bad": 3.0} if noise is None else noise
    scores = {name: truth + random.normal(0, spread, number) for name, spread in noise.items()}
    return RatedScores(Ratings(samples, truth, "made"), scores, {})


def test_metrics_stand_in_order_with_their_intervals_and_clusters():
    found = leaderboard(made())
    assert [row.metric for row in found.standings] == ["good", "fair", "bad"]
    assert [row.cluster for row in found.standings] == [1, 2, 3]
    for row in found.standings:
        assert row.low < row.value < row.high
        assert row.value == row.pearson
    assert (found.rows, found.sources, found.systems, found.left_out) == (480, 80, 6, 0)
    assert [(gap.better, gap.worse) for gap in found.gaps] == [("good", "fair"), ("good", "bad"), ("fair", "bad")]
    assert all(gap.adjusted >= gap.p for gap in found.gaps)


def test_workers_give_the_same_numbers():
    """Two processes draw no other resamples: intervals to the rounding of their sums, permutations exactly."""
    for level, statistic, test in (("pooled", "kendall-b", "permutation"), ("system", "pearson", "bootstrap")):
        alone, together = (leaderboard(made(20), statistic, level, test, 200, engine=by) for by in (None, Local(2)))
        for one, other in zip([*alone.standings, *alone.gaps], [*together.standings, *together.gaps], strict=True):
            numbers, others = ([value for value in row if isinstance(value, float)] for row in (one, other))
            assert numbers == pytest.approx(others, abs=1e-12, nan_ok=True)


def test_the_sources_behind_the_mean_within_sources_are_counted():
    scored = made(20, 4)
    human = scored.ratings.human.copy()
    human[:8] = 1  # two sources rated alike throughout
    flat = scored["good"].copy()
    flat[8:12] = 0  # and one where a metric says nothing
    ratings = Ratings(scored.ratings.samples, human, "made")
    found = leaderboard(RatedScores(ratings, {"good": scored["good"], "flat": flat}, {}), resamples=100)
    assert {row.metric: row.sources for row in found.standings} == {"good": 18, "flat": 17}


@pytest.mark.parametrize("level", ["pooled", "source", "system"])
@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall-b", "kendall-c"])
def test_every_level_and_statistic_is_what_correlate_says(level, statistic):
    scored = made(20, 5)
    found = leaderboard(scored, statistic, level, resamples=100)
    ratings = scored.ratings
    for row in found.standings:
        expected = correlate(scored[row.metric], ratings.human, statistic, level, ratings.sources(), ratings.systems())
        assert row.value == pytest.approx(expected.value, abs=1e-12)


@pytest.mark.parametrize("test", ["bootstrap", "williams", "permutation", "perm-both"])
def test_every_test_tells_good_from_bad_and_not_twins(test):
    scored = made()
    random = np.random.default_rng(0)
    twin = scored["good"] + random.normal(0, 1e-3, len(scored))
    found = leaderboard(RatedScores(scored.ratings, {**scored.scores, "twin": twin}, {}), test=test, resamples=500)
    cluster = {row.metric: row.cluster for row in found.standings}
    assert cluster["good"] == cluster["twin"] == 1
    assert cluster["bad"] > cluster["fair"] > 1


def test_metrics_of_pure_noise_are_not_told_apart():
    scored = made(noise={"one": 50.0, "two": 50.0, "three": 50.0})
    assert {row.cluster for row in leaderboard(scored).standings} == {1}


def test_the_order_of_the_rows_and_the_names_of_the_sources_do_not_matter():
    scored = made(30)
    order = np.random.default_rng(2).permutation(len(scored))
    one, other = leaderboard(scored, resamples=100), leaderboard(scored.rows(order), resamples=100)
    for row, moved in zip(one.standings, other.standings, strict=True):
        assert row.metric == moved.metric
        assert row.value == pytest.approx(moved.value, abs=1e-12)
        assert row.within == pytest.approx(moved.within, abs=1e-12)
        assert row.accuracy == moved.accuracy


def test_a_constant_metric_is_last_with_its_reason_and_in_no_cluster():
    scored = made(20)
    scored = RatedScores(scored.ratings, {"flat": np.ones(len(scored)), **scored.scores}, {})
    last = leaderboard(scored, resamples=100).standings[-1]
    assert last.metric == "flat"
    assert math.isnan(last.value)
    assert last.cluster is None
    assert last.reason == "its score is 1 for every row"


def test_rows_where_a_metric_is_undefined_are_left_out_for_all_and_counted():
    scored = made(20)
    scored["bad"][:7] = np.nan
    found = leaderboard(scored, resamples=100)
    assert (found.rows, found.left_out) == (113, 7)
    rest = scored.rows(range(7, 120))
    assert found.standings[0].value == pytest.approx(np.corrcoef(rest["good"], rest.ratings.human)[0, 1], abs=1e-12)


def of(scored: RatedScores, human: list[float] | np.ndarray, rows: int | None = None) -> RatedScores:
    chosen = scored.rows(range(len(scored) if rows is None else rows))
    return RatedScores(Ratings(chosen.ratings.samples, np.asarray(human, dtype=float)), chosen.scores, {})


def test_bad_input_is_one_clear_sentence():
    scored = made(20)
    with pytest.raises(InputError, match=r"all 120 human scores are 3; nothing can agree with what never varies"):
        leaderboard(of(scored, np.full(120, 3.0)))
    with pytest.raises(InputError, match="rows with a human score and the scores of all metrics: 2"):
        leaderboard(of(scored, [1, 2], rows=2))
    broken = made(20)
    broken["bad"][:] = np.nan
    with pytest.raises(InputError, match="bad is undefined for 120 of 120 rows"):
        leaderboard(broken)
    with pytest.raises(InputError, match="every source has one candidate"):
        leaderboard(made(40, 1), level="source")
    with pytest.raises(InputError, match="a correlation of systems needs at least 3 of them, found 1"):
        leaderboard(made(40, 1), level="system")
    with pytest.raises(InputError, match="no test named 'ttest'"):
        leaderboard(scored, test="ttest")
    with pytest.raises(InputError, match="no metric to judge"):
        leaderboard(RatedScores(scored.ratings, {}, {}))
    with pytest.raises(InputError, match="Williams' test compares single correlations"):
        leaderboard(scored, level="source", test="williams")


def test_one_candidate_per_source_is_judged_pooled_without_numbers_within_sources():
    found = leaderboard(made(60, 1), resamples=100)
    assert all(math.isnan(row.within) and math.isnan(row.accuracy) for row in found.standings)
    assert math.isnan(found.intraclass)


def test_too_few_resamples_for_so_many_metrics_are_said():
    # 496 pairs, two tails of 0.025/496 each; of very many sources the t and the normal distribution are one
    assert resamples_needed(32, 10**9) == pytest.approx(24_800, abs=1)
    assert resamples_needed(32) == 12_400  # permutations: 25 each
    assert resamples_needed(1, 20) == resamples_needed(9, 1) == 1
    noise = {f"metric {number}": 0.5 + number for number in range(20)}
    assert any("too few" in note for note in leaderboard(made(60, noise=noise), resamples=1000).notes)
    found = leaderboard(made(60, noise=noise))
    assert not found.notes
    assert min(gap.adjusted for gap in found.gaps) < 0.05


def test_light_metrics_hold_both_sides_and_the_sentinels():
    specs = {metric.spec for metric in light_metrics(True)}
    assert {"parascore", "parascore-free", "bertscore", "bertscore.free", "bleu", "bleu.free", "source-only"} <= specs
    assert not specs & {"meteor", "meteor15", "wmd", "nli", "perplexity", "moverscore", "distinct"}
    without = {metric.spec for metric in light_metrics(False)}
    assert "bleu.free" in without
    assert not without & {"bleu", "parascore", "ibleu"}


def test_sentinels_are_marked(twitter):
    samples = Samples.of(twitter.sources[:100], twitter.candidates[:100], [[text] for text in twitter.references[:100]])
    scored = score_ratings(Ratings(samples, np.array(twitter.ratings[:100])), ["bleu", "source-only"])
    found = {row.metric: row.sentinel for row in leaderboard(scored, resamples=100).standings}
    assert found == {"bleu": False, "source-only": True}


def test_the_ceiling_of_twitter_para(data):
    from paragauge.benchmarks import benchmark

    # the scores are shares of five votes; about 0.87
    assert ceiling_of(benchmark("twitter-para").load(data)) == pytest.approx(0.865, abs=0.005)
    assert 0.8 < ceiling_of(benchmark("ppdb").load(data)) < 1
    # nobody says that the fifths of BQ-Para are votes, or what is behind those of STS
    assert math.isnan(ceiling_of(benchmark("bq-para").load(data)))
    assert math.isnan(ceiling_of(benchmark("stsb").load(data)))


def alike(random: np.random.Generator, sources: int, size: int = 6) -> RatedScores:
    """Two equally good metrics on clustered data: the errors of a metric are alike within a source."""

    def clustered() -> np.ndarray:
        return (0.8 * random.normal(size=(sources, 1)) + 0.6 * random.normal(size=(sources, size))).ravel()

    truth = clustered()
    texts = [f"source {row // size}" for row in range(len(truth))]
    ratings = Ratings(Samples.of(texts, [f"candidate {row}" for row in range(len(truth))]), truth)
    return RatedScores(ratings, {"one": truth + clustered(), "two": truth + clustered()}, {})


@pytest.mark.parametrize(
    ("test", "trials"),
    [
        ("bootstrap", 100),
        ("permutation", 60),
        pytest.param("bootstrap", 500, marks=pytest.mark.thorough),
        pytest.param("permutation", 300, marks=pytest.mark.thorough),
    ],
)
def test_two_equally_good_metrics_are_told_apart_in_5_percent_of_all_cases(test, trials):
    """The order is read off the same data, so a one-sided test in that direction would err in 10%."""
    random = np.random.default_rng(11)
    wrong = 0
    for trial in range(trials):
        found = leaderboard(alike(random, 25), test=test, resamples=199, seed=trial)
        wrong += found.standings[1].cluster == 2
    assert wrong / trials < 0.05 + 2 * math.sqrt(0.05 * 0.95 / trials)


def test_williams_on_several_candidates_of_a_source_is_called_too_sure_of_itself():
    random = np.random.default_rng(12)
    found = [leaderboard(alike(random, 25), test="williams", resamples=20) for _ in range(60)]
    assert sum(board.standings[1].cluster == 2 for board in found) > 9  # 15% and more, not 5%
    assert all("assumes independent rows" in board.notes[-1] for board in found)
    alone = leaderboard(alike(random, 60, 1), test="williams", resamples=20)
    assert not any("independent" in note for note in alone.notes)


def test_one_source_of_very_many_candidates_has_no_pairwise_accuracy():
    found = leaderboard(made(1, 5_000), resamples=20)
    assert any("make 12,497,500 pairs" in note for note in found.notes)
    assert all(math.isnan(row.accuracy) for row in found.standings)
    assert found.standings[0].pearson == found.standings[0].value > 0.8


def test_sources_that_a_metric_does_not_order_are_counted():
    scored = made(20, 4)
    sources = scored.ratings.sources()
    scored["bad"][np.isin(sources, [3, 4, 5])] = 1.0
    scored.ratings.human[sources == 5] = 0.0  # here nobody can be right
    found = leaderboard(scored, level="source", resamples=50)
    assert any("leaves out: bad (2)" in note for note in found.notes)
    assert not any("leaves out" in note for note in leaderboard(scored, resamples=50).notes)
