"""Parameters of a metric: as typed, as given, and what is refused; and how several references become one score."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge import metrics
from paragauge.compute.workspace import Workspace
from paragauge.errors import InputError
from paragauge.metric import ComparisonMetric, Floats, PairMetric, SetMetric, best, parameter
from paragauge.metrics.form.bleu import Bleu
from paragauge.metrics.form.chrf import Chrf
from paragauge.metrics.form.ned import Ned
from paragauge.metrics.meaning.bertscore import BertScore
from paragauge.metrics.overall.parascore import ParaScore
from paragauge.parameters import LARGEST
from paragauge.tables.samples import Samples


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bleu:ordre=2", "bleu has no parameter 'ordre'; did you mean 'order'? known: "),
        ("bleu:order=two", "bleu: order=two is not of the expected kind, int"),
        ("bleu:order=2.5", "bleu: order=2.5 is not of the expected kind, int"),
        ("bleu:order=0", "bleu: order=0 is out of range; expected from 1 to 16"),
        ("bleu:order=17", "bleu: order=17 is out of range; expected from 1 to 16"),
        ("bleu:lowercase=maybe", "bleu: lowercase=maybe is not of the expected kind, bool"),
        ("bleu:smoothing=flor", "bleu: smoothing='flor' is unknown; did you mean 'floor'? known: "),
        ("bleu:smooth_value=-1", "bleu: smooth_value=-1.0 is out of range; expected from 0"),
        ("bleu:smooth_value=x", "bleu: smooth_value=x is not of the expected kind, float or none"),
        ("bleu:tokenizer=13b", "bleu: tokenizer='13b' is unknown; did you mean '13a'? known: "),
        ("parascore:omega=nan", "parascore: omega=nan is out of range; expected from 0"),
        ("parascore:gamma=1.5", "parascore: gamma=1.5 is out of range; expected from 0.01 to 1"),
        ("parascore:omega", "'omega' in 'parascore:omega' is not a parameter; expected name=value"),
        ("parascore:omega=inf", "parascore: omega=inf is out of range; expected from 0"),
        ("parascore:omega=1e308", "parascore: omega=1e+308 is out of range; expected from 0 to 1e+06"),
        ("parascore:omega=1,omega=2", "'parascore:omega=1,omega=2' gives omega twice; expected each parameter once"),
        ("bleu:smoothing=floor,smooth_value=2", "bleu: smooth_value=2 is out of range; with smoothing=floor it"),
        ("bertscore:layer=0", "bertscore: layer=0 is out of range; expected from 1"),
    ],
)
def test_what_is_refused(spec, message):
    with pytest.raises(InputError) as caught:
        metrics.parse(spec)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("size", [1e308, -1e308, float("inf"), float("nan")])
def test_no_metric_takes_a_number_that_its_scores_could_overflow_with(size):
    tried = 0
    for metric in metrics.variants():
        for field in dataclasses.fields(metric):
            if isinstance(field.default, float) or "float" in str(field.type):
                tried += 1
                with pytest.raises(InputError, match="is out of range; expected from"):
                    dataclasses.replace(metric, **{field.name: size})
    assert tried > 5


WEIGHTS = {"encoder", "model", "language_model", "vectors", "parser", "wordnet"}


def test_scores_are_finite_and_in_range_at_the_ends_of_every_parameter():
    samples = Samples.of(
        sources=["the cat sat on the mat", "a b"],
        candidates=["a cat is on a mat", "c"],
        references=[["the cat sat"], ["d"]],
    )
    tried = 0
    for metric in metrics.variants():
        fields = dataclasses.fields(metric)
        for field in fields:
            if "float" not in str(field.type):
                continue
            for end in (field.metadata["low"], field.metadata["high"] or LARGEST):
                tried += 1
                extreme = dataclasses.replace(metric, **{field.name: end})
                # means add up at most so many scores
                assert all(math.isfinite(1e9 * limit) for limit in extreme.range if abs(limit) != math.inf), extreme
                if not WEIGHTS & {one.name for one in fields}:
                    scores = extreme.score(samples)
                    assert not np.isinf(scores).any(), extreme
    assert tried > 10


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"order": "4"}, "bleu: order='4' is not of the expected kind, int"),
        ({"order": True}, "bleu: order=True is not of the expected kind, int"),
        ({"order": 4.0}, "bleu: order=4.0 is not of the expected kind, int"),
        ({"lowercase": 1}, "bleu: lowercase=1 is not of the expected kind, bool"),
        ({"smooth_value": "none"}, "bleu: smooth_value='none' is not of the expected kind, float or none"),
        ({"tokenizer": None}, "bleu: tokenizer=None is not of the expected kind, str"),
    ],
)
def test_what_a_program_may_not_give(values, message):
    with pytest.raises(InputError) as caught:
        Bleu(**values)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("spec", "metric"),
    [
        ("bleu", Bleu()),
        ("bleu.free", Bleu(free=True)),
        ("bleu:free=yes", Bleu(free=True)),
        ("bleu: order = 2 , lowercase = TRUE ", Bleu(order=2, lowercase=True)),
        ("bleu:order=2,", Bleu(order=2)),
        ("bleu:smooth_value=none", Bleu()),
        ("bertscore:baseline=none", BertScore()),
        ("bertscore:layer=none", BertScore()),
        ("bleu.free:order=2", Bleu(free=True, order=2)),
        ("chrf++", Chrf(word_order=2)),
        ("chrf++.free:beta=1", Chrf(word_order=2, free=True, beta=1)),
        ("chrf++:word_order=1", Chrf(word_order=1)),
        ("parascore.free", ParaScore(free=True)),
        ("parascore-free", ParaScore(free=True)),
        ("parascore-free:omega=0", ParaScore(free=True, omega=0)),
        ("parascore:omega=1e-3", ParaScore(omega=0.001)),
    ],
)
def test_what_is_understood(spec, metric):
    assert metrics.parse(spec) == metric


@pytest.mark.parametrize(
    ("metric", "spec"),
    [
        (Bleu(), "bleu"),
        (Bleu(free=True, order=2), "bleu.free:order=2"),
        (Bleu(lowercase=True, smoothing="add-k"), "bleu:lowercase=yes,smoothing=add-k"),
        (Chrf(word_order=2), "chrf++"),
        (Chrf(word_order=2, free=True, char_order=3), "chrf++.free:char_order=3"),
        (ParaScore(free=True), "parascore-free"),
        (ParaScore(free=True, gamma=0.5, threshold=False), "parascore-free:gamma=0.5,threshold=no"),
    ],
)
def test_the_shortest_way_to_type_it(metric, spec):
    assert metric.spec == spec


@given(st.floats(0, LARGEST), st.floats(0.01, 1), st.booleans(), st.booleans())
def test_numbers_come_back_to_the_last_bit(omega, gamma, threshold, free):
    metric = ParaScore(omega=omega, gamma=gamma, threshold=threshold, free=free)
    assert metrics.parse(metric.spec) == metric


@given(st.integers(1, 16), st.floats(0, 1) | st.none(), st.sampled_from(["exp", "floor", "add-k", "none"]))
def test_signatures_are_equal_only_for_equal_metrics(order, value, smoothing):
    metric = Bleu(order=order, smooth_value=value, smoothing=smoothing)
    for other in (Bleu(), Bleu(order=order), Bleu(smooth_value=value, smoothing=smoothing)):
        assert (other == metric) == (other.signature("1") == metric.signature("1"))


def test_a_whole_number_is_the_same_number():
    """Equal metrics have one spec and one signature, however the number was written."""
    assert Bleu(smooth_value=1) == Bleu(smooth_value=1.0)
    assert Bleu(smooth_value=1).spec == Bleu(smooth_value=1.0).spec
    assert Bleu(smooth_value=1).signature() == Bleu(smooth_value=1.0).signature()


def test_a_signature_says_against_what_and_how_many():
    assert "|against:references|" in Bleu().signature("1-3")
    assert "|nrefs:1-3|" in Bleu().signature("1-3")
    assert "|against:source|" in Bleu(free=True).signature("1-3")
    assert "nrefs" not in Bleu(free=True).signature("1-3")


def test_free_needs_the_source_alone():
    samples = Samples.of(["a b", " "], ["a b", "a b"], [[], ["x"]])
    for metric in metrics.variants():
        if isinstance(metric, ComparisonMetric):
            free = dataclasses.replace(metric, free=True)
            assert free.needs == "source"
            assert free.against(samples) == [("a b",), ()]
            assert "source is empty" in free.reason(samples, 1)


def test_reasons():
    samples = Samples.of(["", "s", "s"], ["c", " ", "c"], [["r"], ["r"], []])
    assert ParaScore().reason(samples, 0) == "the source is empty"
    assert Ned().reason(samples, 1) == "the candidate is empty"
    assert Ned().reason(samples, 2) == "the row has no reference"


def test_columns_instead_of_samples():
    found = Ned(free=True).score(sources=["abcd"], candidates=["abce"])
    assert found.tolist() == [0.25]


@given(st.lists(st.lists(st.floats(-5, 5) | st.just(math.nan), max_size=4), max_size=6), st.booleans())
def test_the_best_of_each_group(groups, highest):
    flat = np.array([value for group in groups for value in group])
    found = best(flat, groups, highest=highest)
    for value, group in zip(found, groups, strict=True):
        defined = [number for number in group if not math.isnan(number)]
        assert value == (max if highest else min)(defined) if defined else math.isnan(value)


@dataclass(frozen=True, kw_only=True)
class Distinct(SetMetric):
    """How many different candidates a source has."""

    name = "distinct"
    range = (0.0, np.inf)
    higher_is_better = True

    def rate_sets(self, sets: Sequence[Samples], work: Workspace) -> Floats:  # noqa: ARG002
        return np.array([len(set(rows.candidates)) for rows in sets], dtype=np.float64)


class Lengths(PairMetric):
    """A score too few."""

    name = "lengths"
    range = (0.0, 1.0)
    higher_is_better = True

    def compare(self, pairs, work):  # noqa: ARG002
        return [1.0] * (len(pairs) - 1)


def test_too_few_scores_are_refused_by_name():
    with pytest.raises(InputError, match="lengths: compare gave 1 scores for 2 pairs"):
        Lengths().score(candidates=["a", "b"], references=[["a"], ["b"]])


def test_a_parameter_of_a_class_that_is_no_dataclass_is_refused():
    forgotten = type("Forgotten", (Lengths,), {"slack": parameter(0, "not read")})
    with pytest.raises(InputError, match=r"Forgotten has parameters; put @dataclass\(frozen=True, kw_only=True\)"):
        forgotten()


def test_a_metric_of_sets():
    samples = Samples.of(["a", "b", "a", "a"], ["1", "1", "2", "2"], systems=["s", "s", "s", "t"])
    metric = Distinct()
    assert metric.score(samples).tolist() == [2, 1, 2, 1]
    assert metric.weights(samples).tolist() == [0.5, 1, 0.5, 1]
    # three sets, of 2, 1 and 1 different candidates: each counts once, however many rows it has
    assert metric.corpus(samples) == pytest.approx(4 / 3, abs=1e-12)


def test_metrics_are_values():
    assert Bleu(order=2) == Bleu(order=2)
    assert len({Bleu(), Bleu(), Bleu(order=2)}) == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        Bleu().order = 3
