"""Accuracies over seeds and texts, McNemar's test, scores against answers, metrics against gains."""

import math
from itertools import permutations

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.extrinsic.accuracy import crossed_mean, mcnemar, mean_accuracy, mean_difference
from paragauge.extrinsic.association import associations, mean_scores, point_biserial, stars
from paragauge.extrinsic.finding import findings
from paragauge.extrinsic.prediction import Gain, Prediction, fisher_interval, predict
from paragauge.extrinsic.results import TaskOutcome

EXACT = 1e-12


def test_one_seed_is_the_t_interval_of_the_texts():
    from scipy import stats

    values = np.random.default_rng(0).normal(0.1, 1, 40)
    found = crossed_mean(values[None])
    expected = stats.ttest_1samp(values, 0)
    assert found.p == pytest.approx(expected.pvalue, abs=EXACT)
    assert found[1:3] == pytest.approx(tuple(expected.confidence_interval()), abs=EXACT)
    assert math.isnan(found.spread)


def test_a_table_of_four_by_hand():
    """Rows 0.5 and 0, so 0.125 / 2; columns the same; residuals ±0.25, so 0.25 / 1 / 4: all three 0.0625."""
    found = crossed_mean([[1, 0], [0, 0]])
    assert (found.value, found.error) == (0.25, 0.25)  # √(0.0625 + 0.0625 − 0.0625)
    from scipy.stats import t

    assert found.p == pytest.approx(2 * t.sf(1, 1 / 3), abs=EXACT)  # 0.0625² / (3 · 0.0625²) degrees of freedom


def test_seeds_that_agree_tell_no_more_than_one():
    values = np.random.default_rng(1).normal(0.1, 1, 40)
    once, often = crossed_mean(values[None]), crossed_mean(np.tile(values, (5, 1)))
    assert often.error >= once.error
    assert often.error == pytest.approx(once.error, rel=1e-2)
    assert often.spread == pytest.approx(0, abs=EXACT)


def test_seeds_that_differ_widen_the_interval():
    random = np.random.default_rng(2)
    texts = random.normal(0, 1, 200)
    calm = crossed_mean(texts + random.normal(0, 1, (4, 200)))
    moved = crossed_mean(texts + random.normal(0, 1, (4, 200)) + np.array([[-1], [0], [0], [1]]))
    assert moved.high - moved.low > 3 * (calm.high - calm.low)


def _coverage(samples: int, seeds: int) -> float:
    """How often the interval holds the truth, where seeds and texts both vary."""
    random = np.random.default_rng(3)
    held = 0
    for _ in range(samples):
        values = random.normal(0, 1, 60) + random.normal(0, 0.1, (seeds, 1)) + random.normal(0, 1, (seeds, 60))
        low, high = crossed_mean(values)[1:3]
        held += low <= 0 <= high
    return held / samples


def test_the_interval_holds_the_truth():
    assert _coverage(400, 3) == pytest.approx(0.95, abs=0.035)  # three standard errors


@pytest.mark.thorough
@pytest.mark.parametrize("seeds", [1, 2, 3, 5])
def test_the_interval_holds_the_truth_with_few_seeds(seeds):
    within = 0.02 if seeds > 1 else 0.06  # one seed knows nothing of the others: a little too narrow, as documented
    assert _coverage(4_000, seeds) == pytest.approx(0.95, abs=within)


def test_no_variation_and_nothing_to_go_by():
    same = crossed_mean(np.zeros((3, 10)))
    assert same[:5] == (0.0, 0.0, 0.0, 1.0, 0.0)
    assert math.isnan(crossed_mean(np.ones((3, 1))).low)
    with pytest.raises(InputError, match=r"expected \(seeds, texts\)"):
        crossed_mean(np.zeros(3))


def test_nothing_but_right_answers_prove_no_perfection():
    """As scipy's exact interval of as many of as many."""
    scipy = pytest.importorskip("scipy.stats")
    for right in (0, 40):
        expected = scipy.binomtest(right, 40).proportion_ci(method="exact")
        found = mean_accuracy(np.full((3, 40), right / 40))
        assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-12)
    mixed = np.tile([1.0, 0.0, 1.0, 1.0], (2, 5))
    assert mean_accuracy(mixed) == crossed_mean(mixed)
    one_wrong = np.array([[0.0] + [1.0] * 19])
    assert crossed_mean(one_wrong).high > 1 == mean_accuracy(one_wrong).high


def test_answers_that_are_the_same_may_differ_in_other_texts():
    same = mean_difference(np.ones((2, 40)), np.ones((2, 40)))
    assert (same.value, same.p) == (0, 1)
    assert -same.low == same.high == pytest.approx(1 - 0.025 ** (1 / 40))
    one, two = np.eye(2, 40), np.zeros((2, 40))
    assert mean_difference(one, two) == crossed_mean(one - two)


def test_a_difference_is_a_hundred_points_at_most():
    right, base = np.array([[0, 0, 0, 0, 1.0], [0, 0, 0, 1, 1.0]]), np.ones((2, 5))
    assert crossed_mean(right - base).low < -1 == mean_difference(right, base).low
    assert mean_difference(base, right).high == 1


@pytest.mark.parametrize("seeds", [1, 3])
def test_three_texts_all_lost_are_three_texts(seeds):
    """Clopper and Pearson leave 70.8% of other texts open, which might be gained: −1 + 2 · 0.708."""
    none, every = np.zeros((seeds, 3)), np.ones((seeds, 3))
    lost, won = mean_difference(none, every), mean_difference(every, none)
    assert lost[:4] == pytest.approx((-1, -1, -1 + 2 * (1 - 0.025 ** (1 / 3)), 0.25))  # p = 2 · 0.5³
    assert won[:4] == pytest.approx((1, 1 - 2 * (1 - 0.025 ** (1 / 3)), 1, 0.25))
    for texts in range(2, 12):  # the interval says what the test says
        found = mean_difference(np.zeros((seeds, texts)), np.ones((seeds, texts)))
        assert (found.high < 0) == (found.p < 0.05)


def test_with_one_seed_a_difference_is_tested_by_mcnemar():
    """5 losses of 20: 2 · 0.5⁵, where the t test has 0.02."""
    right = np.array([[0.0] * 5 + [1.0] * 15])
    assert mean_difference(right, np.ones((1, 20))).p == 0.0625
    twice = np.tile(right, (2, 1))
    assert mean_difference(twice, np.ones((2, 20))).p == crossed_mean(twice - 1).p < 0.05


def test_seeds_and_texts_of_equal_means_are_not_certain():
    found = crossed_mean([[1, 0], [0, 1]])
    assert found.error == 0.5  # residuals ±0.5: 1 / 1 / 4
    assert found.low < 0 < found.high


def test_mcnemar_is_the_exact_binomial_test():
    from scipy.stats import binomtest

    random = np.random.default_rng(4)
    for _ in range(20):
        one, two = random.random((2, 60)) < 0.6
        found = mcnemar(one, two)
        if found.first + found.second:
            expected = binomtest(found.first, found.first + found.second).pvalue
            assert found.p == pytest.approx(expected, abs=EXACT)
    assert mcnemar([1, 0], [1, 0]) == (0, 0, 1.0)
    with pytest.raises(InputError, match="expected one of each per text"):
        mcnemar([1, 0], [1])


def test_associations_are_those_of_scipy():
    from scipy import stats

    random = np.random.default_rng(5)
    scores, right = random.normal(size=80), random.random(80) < 0.7
    (found,) = associations({"any": scores}, right[None])
    assert found.pearson == pytest.approx(stats.pearsonr(scores, right)[0], abs=EXACT)
    assert found.spearman == pytest.approx(stats.spearmanr(scores, right)[0], abs=EXACT)
    assert found.biserial == pytest.approx(stats.pointbiserialr(right, scores)[0], abs=EXACT)
    assert found.biserial == pytest.approx(found.pearson, abs=EXACT)  # the same by another formula
    assert found.pearson_low < found.pearson < found.pearson_high


def test_the_interval_of_an_association_leaves_out_each_text_with_all_its_seeds():
    """The jackknife of Fisher's z as scipy's correlations give it, text by text."""
    from scipy import stats

    random = np.random.default_rng(8)
    scores, right = random.normal(size=20).round(1), random.random((3, 20)) < 0.6  # some scores are equal
    (found,) = associations({"any": scores}, right)
    for measure, correlate in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr)):

        def of(places, correlate=correlate):
            return correlate(np.tile(scores[places], 3), right[:, places].ravel())[0]

        others = np.arctanh([of(np.delete(np.arange(20), place)) for place in range(20)])
        z, error = math.atanh(of(np.arange(20))), math.sqrt(19 * others.var())
        expected = [math.tanh(z + side * stats.t.ppf(0.975, 18) * error) for side in (-1, 1)]
        assert [getattr(found, f"{measure}_{side}") for side in ("low", "high")] == pytest.approx(expected, abs=1e-9)
        assert getattr(found, f"{measure}_p") == pytest.approx(2 * stats.t.sf(abs(z) / error, 18), abs=1e-9)


@pytest.mark.parametrize(("texts", "seeds"), [(12, 1), (30, 1), (500, 1), (30, 4)])
def test_scores_without_a_bearing_on_answers_have_a_star_in_one_of_twenty(texts, seeds):
    """600 samples have a standard error of 0.9%, three of which are 2.7%; of 12 texts ranks tell less, and rarer."""
    random = np.random.default_rng(texts)
    starred = []
    for _ in range(600):
        easy = random.normal(size=texts)
        right = easy + random.logistic(size=(seeds, texts)) > -1
        (found,) = associations({"any": random.normal(size=texts)}, right)
        if not found.reason:
            starred.append((found.pearson_p <= 0.05, found.spearman_p <= 0.05))
            for name in ("pearson", "spearman"):
                low, high, p = (getattr(found, f"{name}_{part}") for part in ("low", "high", "p"))
                assert (p <= 0.05) == (low > 0 or high < 0)  # stars and intervals say the same
    pearson, spearman = np.mean(starred, axis=0)
    assert pearson == pytest.approx(0.05, abs=0.027)
    assert 0 < spearman < 0.077


def test_what_rests_on_one_text_is_open():
    (found,) = associations({"any": np.array([0.0, 1, 2, 3, 4, 9])}, np.array([[0, 0, 0, 0, 0, 1]]))
    assert found[2:5] == (-1, 1, 1)
    (same,) = associations({"any": np.array([0.0, 1] * 20)}, np.array([[0, 1] * 20]))
    assert (same.pearson, same.pearson_high) == (pytest.approx(1), 1)
    assert same.pearson_low > 0.9
    assert same.pearson_p < 1e-6


def test_more_seeds_are_no_more_texts():
    random = np.random.default_rng(6)
    scores = random.normal(size=80)
    right = (scores + random.normal(size=80)) > 0
    once, often = (associations({"any": scores}, np.tile(right, (seeds, 1)))[0] for seeds in (1, 4))
    assert often.pearson == pytest.approx(once.pearson, abs=EXACT)
    assert often.pearson_high - often.pearson_low == pytest.approx(once.pearson_high - once.pearson_low, abs=EXACT)
    assert once.pearson_p <= 0.01


def test_undefined_associations_say_why():
    right = np.array([[1, 0, 1, 0]])
    flat, few = associations({"flat": np.ones(4), "few": np.array([1, 2, np.nan, np.nan])}, right)
    assert (flat.reason, few.reason) == ("the scores are constant", "2 texts have a score; expected 3 or more")
    assert math.isnan(flat.pearson)
    (every,) = associations({"any": np.arange(4.0)}, np.ones((1, 4)))
    assert every.reason == "every answer is right"
    assert [stars(p) for p in (0.2, 0.05, 0.01)] == ["", "*", "**"]
    assert math.isnan(mean_scores({"none": np.full(2, np.nan)})["none"])
    assert point_biserial([0, 0, 1, 1], [0, 0, 1, 1]) == pytest.approx(1)


def gains(table: dict[str, float], task: str = "t", mode: str = "replace") -> list[Gain]:
    return [Gain(name, task, mode, "tfidf", gain) for name, gain in table.items()]


def test_four_paraphrasers_in_the_right_order():
    scores = {(name, "t"): {"good": place, "back": -place, "flat": 1.0} for place, name in enumerate("abcd")}
    found = predict(gains({"a": -3, "b": -2, "c": -1, "d": 0}), scores)
    good, back, flat = found
    assert (good.metric, good.value, good.paraphrasers, good.points) == ("good", 1.0, 4, 4)
    assert good.p == good.least_p == pytest.approx(2 / 24)  # the order and its reverse, of 24 orders
    assert good.low < 0 < good.high == 1  # four points show nothing
    assert back.value == -1
    assert back.low == -1
    assert math.isnan(flat.value)
    assert "constant" in flat.reason


def test_three_are_too_few_for_an_interval_and_two_for_a_correlation():
    scores = {(name, "t"): {"any": place} for place, name in enumerate("abc")}
    (three,) = predict(gains({"a": 0, "b": 1, "c": 2}), scores)
    assert three[2:5] == (1.0, -1.0, 1.0)
    assert three.least_p == pytest.approx(1 / 3)
    (two,) = predict(gains({"a": 0, "b": 1}), scores)
    assert two.reason == "2 paraphrasers; expected 3 or more"


def test_more_tasks_are_no_more_paraphrasers():
    """The same order in two tasks: twice the gains, and the same p-value and interval."""
    table = {"a": -3, "b": -2, "c": -1, "d": 0, "e": 1}
    scores = {(name, task): {"any": place} for place, name in enumerate("abcde") for task in "tu"}
    (once,) = predict(gains(table), scores)
    (twice,) = predict(gains(table) + gains({name: gain - 9 for name, gain in table.items()}, "u"), scores)
    assert (once.points, twice.points) == (5, 10)
    assert twice[2:7] == once[2:7]


def test_the_least_p_is_what_the_best_order_has():
    """Of two tasks that rank paraphrasers differently no order is right in both, nor its reverse as wrong."""
    scores = {(name, "t"): {"any": place} for place, name in enumerate("abcd")}
    scores |= {(name, "u"): {"any": place} for place, name in enumerate("abdc")}
    first = {"a": 0, "b": 1, "c": 2, "d": 3}
    second = {"a": 0, "b": 1, "c": 2, "d": 2}
    found = []
    for order in permutations("abcd"):
        own = dict(zip("abcd", order, strict=True))
        told = {(name, task): scores[own[name], task] for name, task in scores}
        found += predict(gains(first) + gains(second, "u"), told)
    assert {row.least_p for row in found} == {min(row.p for row in found)}
    assert found[0].least_p == pytest.approx(1 / 24)  # where one task has 2 of 24


def test_the_least_p_of_equal_scores_is_not_that_of_all_orders():
    """Of ten paraphrasers one is preferred: no more than ten orders differ, and p is at least near a tenth."""
    names = [f"p{place}" for place in range(10)]
    scores = {(name, "t"): {"any": float(place == 9)} for place, name in enumerate(names)}
    (found,) = predict(gains({name: place for place, name in enumerate(names)}), scores)
    assert found.p == found.least_p > 0.15  # the first or the last: two of ten


def test_a_task_that_lacks_a_paraphraser():
    scores = {(name, task): {"any": place} for place, name in enumerate("abcd") for task in "tu"}
    (found,) = predict(gains({"a": 0, "b": 1, "c": 2, "d": 3}) + gains({"a": 1, "b": 0}, "u"), scores)
    assert found.value == pytest.approx(0)  # 1 and −1
    assert found.points == 6


def test_many_paraphrasers_are_permuted_at_random():
    names = [f"p{place}" for place in range(12)]
    scores = {(name, "t"): {"any": place} for place, name in enumerate(names)}
    (found,) = predict(gains({name: place + (place % 2) * 3 for place, name in enumerate(names)}), scores)
    assert found.p < 0.01
    assert 0 < found.low < found.value < found.high < 1


def test_the_interval_of_a_rank_correlation():
    assert fisher_interval(0.5, 3) == (-1.0, 1.0)
    low, high = fisher_interval(0.0, 28)  # z ± 1.96 / 5
    assert (low, high) == pytest.approx((-math.tanh(1.959964 / 5), math.tanh(1.959964 / 5)), abs=1e-6)


def test_predicted_is_only_what_the_test_and_the_interval_show():
    """A p-value of whole paraphrasers may be small where nine points leave the sign open."""
    sure = Prediction("bertscore.free", "replace", 0.9, 0.5, 0.99, 0.0005, 0.0001, 9, 27, "")
    open_sign = sure._replace(metric="meaning", value=0.49, low=-0.3, high=0.88)
    unlikely = sure._replace(metric="ned.free", value=0.7, low=0.1, high=0.9, p=0.2)
    (said,) = findings([], [], [sure, open_sign, unlikely])
    assert said.startswith("replace: bertscore.free predicts the gain (p ≤ 0.05 by Holm, interval above 0); ")
    (said,) = findings([], [], [open_sign, unlikely])
    assert said.startswith("replace: no metric is shown to predict the gain; ")


def outcome(name: str, gain: float, low: float, high: float) -> TaskOutcome:
    return TaskOutcome(
        "cr", "replace", name, 1.0, "tfidf", 1, 8, 0.5, 0.4, 0.6, 0.1, gain, low, high, 0.5, 0.5, (), "no"
    )


def test_equal_differences_are_said_once():
    rows = [outcome("a", -0.625, -0.9, -0.3), outcome("b", -0.625, -0.9, -0.3)]
    (said,) = findings(rows, [], [])
    assert said.endswith("2 show the opposite. Every difference is −62.5 points.")
    (said,) = findings([rows[0], outcome("b", -0.5, -0.8, -0.2)], [], [])
    assert said.endswith("from −62.5 points (a, tfidf; −90.0 to −30.0) to −50.0 points (b, tfidf; −80.0 to −20.0).")


def test_an_interval_that_one_text_does_not_have_is_not_said():
    (said,) = findings([outcome("a", -1.0, math.nan, math.nan)], [], [])
    assert said.endswith("The difference is −100.0 points (a, tfidf).")
