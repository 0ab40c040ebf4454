"""How large a study must be: variances and power against simulated studies."""

import math

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples
from paragauge.web.annotate.power import Pilot, components, items_for, plan, power_of

DIFFERENCE, BETWEEN, WITHIN = 5.0, 6.0, 10.0  # standard deviations of the latter two


def study(random, items, raters, people=5, difference=DIFFERENCE) -> Ratings:
    """Each source has a candidate of A and of B; some of the people, who lean up or down by 8, judge each."""
    leanings = random.normal(0, 8, people)
    sources, candidates, systems, judgments, names = [], [], [], [], []
    for item in range(items):
        hard = random.normal(60, 10)
        for system, sign in (("A", 1), ("B", -1)):
            truth = hard + sign * difference / 2 + random.normal(0, BETWEEN / math.sqrt(2))
            chosen = random.permutation(people)[:raters]
            sources.append(f"source {item}")
            candidates.append(f"{system} {item}")
            systems.append(system)
            judgments.append(tuple(truth + leanings[chosen] + random.normal(0, WITHIN, raters)))
            names.append(tuple(f"rater {rater}" for rater in chosen))
    human = np.array([np.mean(own) for own in judgments])
    return Ratings(Samples.of(sources, candidates, None, systems), human, "pilot", judgments=judgments, raters=names)


TRUE = Pilot("A", "B", DIFFERENCE, math.nan, math.nan, BETWEEN**2, WITHIN**2, 60, 5, 240)


def test_the_variances_are_those_of_the_simulation():
    random = np.random.default_rng(1)
    found = [components(study(random, 80, 2), "A", "B") for _ in range(30)]
    assert np.mean([one.within for one in found]) == pytest.approx(WITHIN**2, rel=0.05)
    assert np.mean([one.between for one in found]) == pytest.approx(BETWEEN**2, rel=0.3)  # standard error 3.9 of 36
    assert np.mean([one.difference for one in found]) == pytest.approx(DIFFERENCE, abs=0.9)  # standard error 0.25


@pytest.mark.parametrize(("items", "raters"), [(40, 1), (30, 3)])
def test_power_is_how_often_the_test_finds_the_difference(items, raters):
    """The paired t test of 4,000 studies by their variances: standard error 0.8%."""
    from scipy.stats import ttest_1samp

    noise = math.sqrt(BETWEEN**2 + 2 * WITHIN**2 / raters)
    gaps = np.random.default_rng(7).normal(DIFFERENCE, noise, (4000, items))
    found = np.mean(ttest_1samp(gaps, 0, axis=1).pvalue < 0.05)
    assert power_of(TRUE, DIFFERENCE, items, raters) == pytest.approx(found, abs=0.03)


def found_in(random, studies, items, raters) -> float:
    """In how many simulated studies the interval of the difference, without the bias of raters, excludes 0."""
    found = [components(study(random, items, raters), "A", "B") for _ in range(studies)]
    return float(np.mean([one.low > 0 or one.high < 0 for one in found]))


def test_a_study_of_the_planned_size_finds_the_difference():
    items = items_for(TRUE, DIFFERENCE, 2)
    assert found_in(np.random.default_rng(3), 150, items, 2) == pytest.approx(0.8, abs=0.1)  # standard error 3.3%


@pytest.mark.thorough
def test_a_plan_from_a_pilot_finds_the_difference():
    """60 pilots, a plan from each for the true difference, and 20 studies of that size."""
    random = np.random.default_rng(3)
    plans = [items_for(components(study(random, 60, 2), "A", "B"), DIFFERENCE, 2) for _ in range(60)]
    assert np.mean([found_in(random, 20, items, 2) for items in plans]) == pytest.approx(0.8, abs=0.05)


def test_the_plan_is_the_smallest_study_that_will_do():
    for raters in (1, 2, 5):
        items = items_for(TRUE, DIFFERENCE, raters)
        assert power_of(TRUE, DIFFERENCE, items, raters) >= 0.8 > power_of(TRUE, DIFFERENCE, items - 1, raters)
    assert items_for(TRUE, 1e-6, 1) is None
    assert power_of(TRUE, 1e6, 20, 1) == 1.0
    assert power_of(TRUE, 1.0, 1, 1) == 0.0
    # Cohen 1988, table 2.4.1 (two-sided 5%): an effect of half a standard deviation takes 34 pairs for a power of 0.8
    half = TRUE._replace(between=4.0, within=math.nan)
    assert items_for(half, 1.0, 1) == 34


def test_a_plan_for_every_pair_of_systems():
    pilot = study(np.random.default_rng(2), 40, 2)
    pilots, plans = plan(pilot)
    assert [(one.first, one.second) for one in pilots] == [("A", "B")]
    assert (pilots[0].sources, pilots[0].raters, pilots[0].judgments) == (40, 5, 160)
    assert [one.raters for one in plans] == [1, 2, 3, 5, 10]
    assert [one.items for one in plans] == sorted((one.items for one in plans), reverse=True)
    assert all(one.judgments == 2 * one.items * one.raters for one in plans)
    _, fixed = plan(pilot, items=50, difference=3.0, raters=[1, 2])
    assert [one.items for one in fixed] == [50, 50]
    assert fixed[0].power < fixed[1].power


def test_a_pilot_without_repeated_judgments_tells_of_one_rater_alone():
    pilot = study(np.random.default_rng(2), 40, 1, people=1)
    pilots, plans = plan(Ratings(pilot.samples, pilot.human, "pilot"))
    assert math.isnan(pilots[0].within)
    assert [one.raters for one in plans] == [1]
    assert pilots[0].between == pytest.approx(BETWEEN**2 + 2 * WITHIN**2, rel=0.6)


def test_what_cannot_be_planned():
    pilot = study(np.random.default_rng(2), 10, 2)
    with pytest.raises(InputError, match="no system named 'C'"):
        plan(pilot, ["A", "C"])
    with pytest.raises(InputError, match="judgments of one system"):
        plan(pilot.rows(range(0, 20, 2)))
    with pytest.raises(InputError, match="1 sources have judged candidates of both"):
        plan(pilot.rows([0, 1, 2]))
    for wrong in ({"power": 1.0}, {"alpha": 0.0}, {"difference": 0.0}, {"difference": math.nan}):
        with pytest.raises(InputError, match="expected a number"):
            plan(pilot, **wrong)
