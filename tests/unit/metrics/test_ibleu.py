"""iBLEU and BERT-iBLEU: both forms by hand, what is undefined, exact corpus scores."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge import score
from paragauge.compute.workspace import Workspace
from paragauge.errors import InputError
from paragauge.metrics import parse
from paragauge.metrics.overall.bert_ibleu import harmonic
from paragauge.tables.samples import Samples

# two sums of BLEUs, at a scale of 100
WITHIN = 1e-9
SAMPLES = Samples.of(
    ["a b c d e f", "a b c d e f", "a b c d e f"],
    ["a b c d e f", "u v w x y z", "a b c d e x"],
    [["a b c d e x"], ["u v w x y z"], ["a b c d e x", "q"]],
)
# row 0 shares a b c d e with its reference: 5/6 · 4/5 · 3/4 · 2/3 = 1/3, to the power of 1/4; rows 1 and 2 are theirs
# to the source: a copy; nothing; a b c d e again
PART = 100 * (1 / 3) ** 0.25
TO_REFERENCE = np.array([PART, 100, 100])
TO_SOURCE = np.array([100, 0, PART])


@pytest.mark.parametrize(
    ("spec", "gain", "loss"),
    [
        ("ibleu", 0.8, 0.2),
        ("ibleu:alpha=0.7", 0.7, 0.3),
        ("ibleu:form=weighted,alpha=1", 1, 0),
        ("ibleu:form=difference", 1, 0.2),
        ("ibleu:form=difference,alpha=0.3", 1, 0.3),
        ("ibleu:form=difference,alpha=0", 1, 0),
    ],
)
def test_both_forms(spec, gain, loss):
    metric = parse(spec)
    np.testing.assert_allclose(metric.score(SAMPLES), gain * TO_REFERENCE - loss * TO_SOURCE, rtol=0, atol=WITHIN)
    assert metric.range == pytest.approx((-100 * loss, 100 * gain))


def test_the_signature_says_which_alpha():
    assert "|form:weighted|alpha:0.8|" in parse("ibleu").signature("1")
    assert "|form:difference|alpha:0.2|" in parse("ibleu:form=difference").signature("1")


def test_the_corpus_score_is_made_of_two_corpus_bleus():
    corpus = 0.8 * parse("bleu").corpus(SAMPLES) - 0.2 * parse("source-bleu").corpus(SAMPLES)
    assert parse("ibleu").corpus(SAMPLES) == pytest.approx(corpus, abs=WITHIN)
    assert abs(corpus - parse("ibleu").score(SAMPLES).mean()) > 0.01, "not the mean"
    summary = score(samples=SAMPLES, metrics=["ibleu"]).summary(resamples=10)
    assert summary["corpus"][0] == pytest.approx(corpus, abs=WITHIN)


def test_a_row_that_lacks_either_side_is_left_out_of_both():
    more = SAMPLES + Samples.of(["", "a b c d"], ["a b c d"] * 2, [["a b c d"], []])
    found = parse("ibleu").score(more)
    assert np.isnan(found).tolist() == [False] * 3 + [True] * 2
    assert parse("ibleu").corpus(more) == parse("ibleu").corpus(SAMPLES)
    assert parse("ibleu").reason(more, 3) == "the source is empty"
    assert parse("ibleu").reason(more, 4) == "the row has no reference"


@pytest.mark.parametrize("name", ["ibleu", "bert-ibleu", "pinc", "selfbleu"])
def test_there_is_no_free_variant(name):
    with pytest.raises(InputError, match=f"'{name}' has no '.free' variant"):
        parse(f"{name}.free")


class TestHarmonic:
    def test_by_hand(self):
        # β = 4: 5 / (4/0.8 + 1/0.5) = 5/7;  5 / (4/1 + 1/1) = 1;  β = 1: 2 / (1/0.8 + 1/0.5) = 8/13
        found = harmonic(np.array([0.8, 1.0]), np.array([0.5, 1.0]), 4.0)
        np.testing.assert_allclose(found, [5 / 7, 1], rtol=0, atol=1e-15)
        assert harmonic(np.array([0.8]), np.array([0.5]), 1.0)[0] == pytest.approx(8 / 13, abs=1e-15)

    def test_limits(self):
        found = harmonic(np.array([0.9, 0.0, -0.3, 0.0]), np.array([0.0, 0.5, 0.5, 0.0]), 4.0)
        assert found.tolist() == [0, 0, 0, 0]
        assert np.isnan(harmonic(np.array([np.nan, 0.5]), np.array([0.5, np.nan]), 4.0)).all()

    @given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 100))
    def test_between_its_two_parts(self, meaning, changed, beta):
        found = harmonic(np.array([meaning]), np.array([changed]), beta)[0]
        assert min(meaning, changed) - 1e-12 <= found <= max(meaning, changed) + 1e-12


@pytest.mark.usefixtures("encoder")
class TestBertIBleu:
    samples = Samples.of(
        ["How old are you?", "How old are you?", "How old are you?", "", "x"],
        ["How old are you?", "What is your age?", "How old are you now?", "x", ""],
    )

    def expected(self, work: Workspace, beta: float, sign: int) -> list[float]:
        meaning = parse("bertscore.free").score(self.samples, work)
        copied = parse("source-bleu").score(self.samples, work) / 100
        return [(beta + 1) / (beta / kept + 1 / (1 + sign * bleu)) for kept, bleu in zip(meaning, copied, strict=True)]

    @pytest.mark.parametrize(("spec", "beta"), [("bert-ibleu", 4), ("bert-ibleu:beta=1", 1)])
    def test_the_formula(self, spec, beta):
        work = Workspace()
        found = parse(spec).score(self.samples, work)
        np.testing.assert_allclose(found[1:3], self.expected(work, beta, -1)[1:3], rtol=0, atol=1e-12)
        assert found[0] == pytest.approx(0, abs=1e-12), "a copy"
        assert np.isnan(found[3:]).all()
        assert found[1] > found[2], "most is copied in row 2"

    def test_official_rewards_copying(self):
        """(β + 1) / (β/a + 1/(1 + b)): the sign of the diversity term is turned round."""
        work = Workspace()
        metric = parse("bert-ibleu:compat=official")
        found = metric.score(self.samples, work)
        np.testing.assert_allclose(found[:3], self.expected(work, 4, 1)[:3], rtol=0, atol=1e-12)
        # a copy: 5 / (4/1 + 1/2) = 10/9, the highest there is; float32 vectors
        assert found[0] == pytest.approx(10 / 9, abs=1e-6)
        assert metric.range == pytest.approx((0, 10 / 9))
        assert found[0] > found[2] > found[1]

    def test_reasons(self):
        metric = parse("bert-ibleu")
        assert metric.reason(self.samples, 3) == "the source is empty"
        assert metric.reason(self.samples, 4) == "the candidate is empty"


def test_an_undefined_corpus():
    assert math.isnan(parse("ibleu").corpus(SAMPLES.rows([])))
