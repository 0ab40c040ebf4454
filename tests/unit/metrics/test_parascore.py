"""ParaScore, worked by hand on the scores of the real encoder."""

import math

import numpy as np
import pytest

from paragauge.compute.workspace import Workspace
from paragauge.metrics import parse
from paragauge.metrics.meaning.bertscore import BertScore
from paragauge.tables.samples import Samples

pytestmark = pytest.mark.usefixtures("encoder")

# d, the edit distance of source and candidate over the length of the longer:
#   0: a copy, 0/16;  1: one of 21 characters;  2: "abcd" → "wxyz", 4/4;  3: 7 of 20, exactly 0.35
SAMPLES = Samples.of(
    ["How old are you?", "A cat sat on the mat.", "abcd", "aaaaaaaaaaaaaaaaaaaa"],
    ["How old are you?", "A cat sat on the mat!", "wxyz", "aaaaaaaaaaaaabbbbbbb"],
    [["What is your age?"], ["The cat sat on a mat.", "A cat was sitting."], ["wxyz"], ["bbb"]],
)
DISTANCES = np.array([0, 1 / 21, 1, 0.35])
# DS = γ if d > γ else d·(γ+1)/γ − 1, with γ = 0.35:
#   0·1.35/0.35 − 1 = −1;  (1/21)·(27/7) − 1 = 27/147 − 1 = −120/147;  0.35;  0.35·1.35/0.35 − 1 = 0.35
DIVERSITY = np.array([-1, -120 / 147, 0.35, 0.35])
# a handful of operations in double precision on the same float32 similarities
WITHIN = 1e-12


@pytest.fixture(scope="module")
def work() -> Workspace:
    """Shared, so that both sides of an equation stand on the same vectors."""
    return Workspace()


@pytest.fixture
def to_source(work) -> np.ndarray:
    return BertScore(free=True).score(SAMPLES, work)


@pytest.fixture
def to_reference(work) -> np.ndarray:
    return BertScore().score(SAMPLES, work)


def assert_scores(spec: str, expected: np.ndarray, work: Workspace) -> None:
    np.testing.assert_allclose(parse(spec).score(SAMPLES, work), expected, rtol=0, atol=WITHIN)


def test_the_distances(work):
    np.testing.assert_allclose(parse("ned.free").score(SAMPLES, work), DISTANCES, rtol=0, atol=WITHIN)


def test_the_similarities_are_of_both_kinds(to_source, to_reference):
    assert to_source[0] > to_reference[0], "row 0 is nearer to its source"
    assert to_reference[2] > to_source[2], "row 2 is its reference"
    assert to_source[0] == pytest.approx(1, abs=1e-6)  # float32


def test_parascore(work, to_source, to_reference):
    assert_scores("parascore", np.maximum(to_source, to_reference) + 0.05 * DIVERSITY, work)


def test_a_copy_loses_omega(work):
    assert parse("parascore-free").score(SAMPLES, work)[0] == pytest.approx(1 - 0.05, abs=1e-6)  # float32
    assert parse("parascore-free:omega=0.5").score(SAMPLES, work)[0] == pytest.approx(1 - 0.5, abs=1e-6)


def test_parascore_free(work, to_source):
    assert_scores("parascore-free", to_source + 0.05 * DIVERSITY, work)


@pytest.mark.parametrize("omega", [0, 0.2, 3.0])
def test_omega(work, to_source, to_reference, omega):
    assert_scores(f"parascore:omega={omega}", np.maximum(to_source, to_reference) + omega * DIVERSITY, work)


def test_gamma(work, to_source):
    # γ = 0.5: row 0 −1;  row 1 (1/21)·3 − 1 = −18/21;  row 2 0.5;  row 3 0.35·3 − 1 = 0.05
    assert_scores("parascore-free:gamma=0.5", to_source + 0.05 * np.array([-1, -18 / 21, 0.5, 0.05]), work)
    # γ = 1: d·2 − 1 everywhere
    assert_scores("parascore-free:gamma=1", to_source + 0.05 * (2 * DISTANCES - 1), work)


def test_without_threshold(work, to_source):
    assert_scores("parascore-free:threshold=no", to_source + 0.05 * DISTANCES, work)
    assert_scores("parascore-free:threshold=no,gamma=0.9", to_source + 0.05 * DISTANCES, work)


def test_similarity(work, to_source, to_reference):
    assert_scores("parascore:similarity=mean", (to_source + to_reference) / 2 + 0.05 * DIVERSITY, work)
    assert_scores("parascore:similarity=references", to_reference + 0.05 * DIVERSITY, work)


@pytest.mark.parametrize(("spec", "against"), [("parascore", "both"), ("parascore-free", "source")])
def test_similarity_by_the_learned_metric(work, spec, against):
    learned = parse(f"meaning:against={against}").score(SAMPLES, work)
    assert_scores(f"{spec}:similarity=meaning", learned + 0.05 * DIVERSITY, work)


def test_range():
    assert parse("parascore").range == pytest.approx((-1.05, 1.0175))
    assert parse("parascore").range == pytest.approx((-1.05, 1.0175))
    assert parse("parascore:omega=2,gamma=0.5").range == (-3, 2)
    assert parse("parascore:omega=2,threshold=no").range == (-1, 3)


def test_official_base_score(work, to_source, to_reference):
    expected = np.maximum(to_source, to_reference) + 0.05 * DIVERSITY
    assert_scores("parascore:compat=official-1.0.5", expected, work)
    assert_scores("parascore:compat=official-1.0.5,omega=3,gamma=0.9,threshold=no", expected, work)


def test_official_free_score_gives_every_row_the_diversity_of_row_2(to_source):
    found = parse("parascore-free:compat=official-1.0.5").score(SAMPLES, Workspace())
    # computed in batches of another size than to_source: float32
    np.testing.assert_allclose(found, to_source + 0.05 * 0.35, rtol=0, atol=1e-5)


@pytest.mark.parametrize("rows", [1, 2])
def test_official_free_score_of_fewer_than_three_rows(rows):
    metric = parse("parascore-free:compat=official-1.0.5")
    few = SAMPLES.rows(range(rows))
    assert np.isnan(metric.score(few, Workspace())).all()
    assert metric.reason(few, 0) == "the package returns no F for fewer than three rows"


def test_what_is_undefined(work):
    samples = Samples.of(["", "a source", "a source"], ["text", "", "text"], [["r"], ["r"], []])
    assert np.isnan(parse("parascore").score(samples, work)).all()
    free = parse("parascore-free").score(samples, work)
    assert [math.isnan(value) for value in free] == [True, True, False]


def test_the_published_score_rewards_edits_that_no_reader_sees_and_normalize_does_not():
    """The encoder is uncased and strips accents; the edit distance is of raw characters: 1 + 0.05 · 0.35 = 1.0175."""
    source = "The doctor told the patient to rest for three days."
    edits = [source.upper(), source + " " * 40, "\u200b".join(source), "".join(f"{letter}\u0301" for letter in source)]
    samples = Samples.of([source] * 6, [source, *edits, "The patient was advised to take three days off."])
    published, normalized = (parse(spec).score(samples) for spec in ("parascore-free", "parascore-free:normalize=yes"))
    np.testing.assert_allclose(published[:5], [0.95, 1.0175, 1.0175, 1.0175, 1.0175], atol=1e-5)
    np.testing.assert_allclose(normalized[:5], [0.95] * 5, atol=1e-5)
    assert normalized[5] == pytest.approx(published[5], abs=1e-5)
