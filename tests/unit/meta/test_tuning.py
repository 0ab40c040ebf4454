"""Tuning: chosen on one part, measured on the other."""

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.meta.tuning import read_grid, tune
from paragauge.metrics import parse
from paragauge.stats.correlation import pearson
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples

RANDOM = np.random.default_rng(5)


def made(sources: int = 40, candidates: int = 5) -> Ratings:
    """Ratings that are the true iBLEU with α = 0.6, and a little noise."""
    words = [f"w{number}" for number in range(30)]
    rows = []
    for _ in range(sources):
        source = RANDOM.choice(words, 12).tolist()
        reference = [word if RANDOM.random() < 0.5 else str(RANDOM.choice(words)) for word in source]
        for _ in range(candidates):
            mixed = [str(RANDOM.choice([one, two, "x"])) for one, two in zip(source, reference, strict=True)]
            rows.append((" ".join(source), " ".join(mixed), [" ".join(reference)]))
    samples = Samples.of(*map(list, zip(*rows, strict=True)))
    human = parse("ibleu:alpha=0.6").score(samples)
    return Ratings(samples, human + RANDOM.normal(0, 0.01 * human.std(), len(human)), "made")


def test_the_true_setting_is_found_and_measured_on_rows_it_was_not_chosen_on():
    ratings = made()
    found = tune(ratings, "ibleu", {"alpha": "0.1:1:0.1"}, share=0.3, resamples=100)
    assert found.chosen.metric == "ibleu:alpha=0.6"
    assert found.dev_rows + found.test_rows == len(ratings)
    _, test = ratings.split(0.3)
    expected = pearson(parse("ibleu:alpha=0.6").score(test.samples), test.human).value
    assert found.chosen.test.value == pytest.approx(expected, abs=1e-12)
    assert found.gain.value == pytest.approx(found.chosen.test.value - found.before.test.value, abs=1e-12)
    assert found.gain.low <= found.gain.value <= found.gain.high
    assert found.shared == 0
    assert found.edges == ()
    assert len(found.grid) == 10


def test_the_ratings_of_the_test_part_choose_nothing():
    ratings = made()
    dev, _ = ratings.split(0.3)
    chosen = np.isin(ratings.samples.sources, dev.samples.sources)
    turned = Ratings(ratings.samples, np.where(chosen, ratings.human, -ratings.human), "turned")
    one, other = (tune(rated, "ibleu", {"alpha": "0.1:1:0.1"}, share=0.3, resamples=50) for rated in (ratings, turned))
    assert one.grid == other.grid
    assert one.chosen.metric == other.chosen.metric
    assert one.chosen.test.value == pytest.approx(-other.chosen.test.value, abs=1e-12)


def test_a_setting_that_judges_few_rows_is_not_chosen():
    """With n = 5 only texts of five words have a score, and on these few it agrees with people perfectly."""
    random = np.random.default_rng(3)
    long = [" ".join(random.choice(["a", "b"], 12)) for _ in range(12)]
    short = [" ".join(random.choice(["a", "b", "c"], 3)) for _ in range(48)]
    samples = Samples.of([f"source {row}" for row in range(60)], long + short)
    wide, narrow = parse("distinct:n=5").score(samples), parse("distinct:n=1").score(samples)
    human = np.where(np.isnan(wide), narrow + random.normal(0, 0.2, 60), wide)
    found = tune(Ratings(samples, human), "distinct", {"n": "1,5"}, share=0.5, resamples=50)
    assert found.chosen.metric == "distinct-1"
    assert np.isnan(found.grid[1][1])


def test_the_best_value_at_the_end_of_the_grid_is_pointed_out():
    assert tune(made(), "ibleu", {"alpha": [0.9, 0.8]}, share=0.3, resamples=100).edges == ("alpha",)


def test_the_published_split_takes_the_first_rows_and_tells_what_it_cuts():
    found = tune(made(), "ibleu", {"alpha": "0.5,0.6"}, split="published", share=0.115, resamples=100)
    assert (found.dev_rows, found.shared) == (23, 1)  # 23 of 200 rows end in the middle of five


def test_where_lower_is_better_the_scores_are_turned():
    ratings = made()
    human = -parse("ter").score(ratings.samples)
    found = tune(Ratings(ratings.samples, human), "ter", {"tokenizer": "tercom"}, share=0.3, resamples=100)
    assert found.chosen.test.value == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0:1:0.25", [0, 0.25, 0.5, 0.75, 1]),
        ("0.1:0.6:0.05", [round(0.1 + 0.05 * n, 2) for n in range(11)]),
        ("0.2,1", [0.2, 1]),
    ],
)
def test_a_grid_as_typed(text, values):
    assert read_grid(parse("parascore"), "omega", text) == values


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"grid": {"omga": "0.1"}, "metric": "parascore"}, "no parameter 'omga'; did you mean 'omega'"),
        ({"grid": {"omega": "1:0:0.1"}, "metric": "parascore"}, "expected from:to:step"),
        ({"grid": {"omega": "a:b:c"}, "metric": "parascore"}, "expected numbers from:to:step"),
        ({"grid": {"omega": "0:1:0.0000001"}, "metric": "parascore"}, "a step that reaches it"),
        ({"grid": {"alpha": "3"}, "metric": "ibleu"}, "out of range"),
        ({"metric": "ibleu"}, "which parameters of ibleu to try"),
        ({"metric": "ibleu", "grid": {"alpha": "0.5"}, "split": "random"}, "no split named 'random'"),
        ({"metric": "ibleu", "grid": {"alpha": "0.5"}, "share": 1.0}, "leaves nothing on one side"),
    ],
)
def test_bad_requests_are_refused_before_any_work(arguments, sentence):
    with pytest.raises(InputError, match=sentence):
        tune(made(5), **arguments)


def test_constant_ratings_are_refused():
    ratings = made(10)
    with pytest.raises(InputError, match="are constant there"):
        tune(Ratings(ratings.samples, np.ones(len(ratings))), "ibleu", {"alpha": "0.5"}, share=0.5)


def test_the_end_of_what_a_parameter_may_be_is_no_end_of_the_grid():
    """Ratings that are the BLEU score itself have their best α at 1, beyond which there is none."""
    ratings = made()
    found = tune(
        Ratings(ratings.samples, parse("bleu").score(ratings.samples)), "ibleu", {"alpha": [0.9, 1.0]}, share=0.3,
        resamples=100,
    )  # fmt: skip
    assert found.grid[1][1] > found.grid[0][1]
    assert found.edges == ()


def test_a_result_tells_what_its_reader_should_know():
    ratings = made()
    human = ratings.human.copy()
    human[:3] = np.nan
    found = tune(Ratings(ratings.samples, human, "made"), "ibleu", {"alpha": "0.5,0.6"}, share=0.3, resamples=100)
    assert found.left_out == 3
    assert found.remarks()[:2] == [
        "2 settings tried; pearson; intervals by resampling the sources of the test part",
        "3 rows left out, without a human score or a score of the metric",
    ]
    assert any("rows are few for choosing a setting: a larger share" in note for note in found.remarks())
