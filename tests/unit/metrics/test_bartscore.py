"""bartscore: its parts by hand from the likelihoods of a small model."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import paragauge
from paragauge import metrics
from paragauge.errors import InputError
from paragauge.models.pairs.likelihood import Seq2Seq, load_seq2seq
from paragauge.tables.samples import Samples

# rows: two references, one reference, none
SAMPLES = Samples.of(
    ["how old are you", "a man plays", "a source alone"],
    ["what is your age", "someone plays", "its candidate"],
    [["your age?", "how old are you now"], ["a man is playing"], []],
)
# the likelihood of a pair depends, in its last bits, on the batch that it is computed in
WITHIN = 5e-6

pytestmark = pytest.mark.usefixtures("empty_cache")


@pytest.fixture
def folder(small_models: ModuleType, tmp_path: Path) -> Path:
    return small_models.make_seq2seq(tmp_path / "small")


@pytest.fixture
def model(folder: Path) -> Seq2Seq:
    return load_seq2seq(str(folder))


def score(folder: Path, part: str, free: bool = False) -> np.ndarray:
    return metrics.parse(f"bartscore{'.free' * free}:model={folder},part={part}").score(SAMPLES)


def parts(model: Seq2Seq, row: int, others: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """log p(candidate | other) and log p(other | candidate), each per token, for every other text of the row."""
    candidate = SAMPLES.candidates[row]
    precision = model.log_likelihoods([(other, candidate) for other in others])
    return precision, model.log_likelihoods([(candidate, other) for other in others])


def test_parts_and_the_best_reference(folder: Path, model: Seq2Seq) -> None:
    for row in (0, 1):
        precision, recall = parts(model, row, list(SAMPLES.references[row]))
        for part, expected in {
            "precision": precision.max(),
            "recall": recall.max(),
            "mean": ((precision + recall) / 2).max(),  # the best reference of the mean, not the mean of the best
            "f1": (2 / (1 / precision + 1 / recall)).max(),
        }.items():
            assert score(folder, part)[row] == pytest.approx(expected, abs=WITHIN), part


def test_against_the_source(folder: Path, model: Seq2Seq) -> None:
    both = [parts(model, row, [source]) for row, source in enumerate(SAMPLES.sources)]
    forward = np.array([precision[0] for precision, _ in both])
    backward = np.array([recall[0] for _, recall in both])
    np.testing.assert_allclose(score(folder, "source"), forward, rtol=0, atol=WITHIN)
    np.testing.assert_allclose(score(folder, "source", free=True), forward, rtol=0, atol=WITHIN)
    np.testing.assert_allclose(score(folder, "precision", free=True), forward, rtol=0, atol=WITHIN)
    np.testing.assert_allclose(score(folder, "recall", free=True), backward, rtol=0, atol=WITHIN)
    np.testing.assert_allclose(score(folder, "mean", free=True), (forward + backward) / 2, rtol=0, atol=WITHIN)


def test_the_source_part_needs_no_references(folder: Path) -> None:
    metric = metrics.parse(f"bartscore:model={folder},part=source")
    assert metric.needs == "source"
    assert "|against:source|" in metric.signature()
    assert metrics.parse(f"bartscore:model={folder}").needs == "references"
    assert not np.isnan(score(folder, "source")).any()


def test_undefined_rows_have_reasons(folder: Path) -> None:
    samples = Samples.of(["a", "", "a"], ["b", "b", " "], [[], ["c"], ["c"]])
    metric = metrics.parse(f"bartscore:model={folder}")
    assert np.isnan(metric.score(samples)).tolist() == [True, False, True]
    assert metric.reason(samples, 0) == "the row has no reference"
    assert metric.reason(samples, 2) == "the candidate is empty"
    source = metrics.parse(f"bartscore:model={folder},part=source")
    assert np.isnan(source.score(samples)).tolist() == [False, True, True]
    assert source.reason(samples, 1) == "the source is empty"


def test_without_a_model_the_error_says_how_to_name_one() -> None:
    with pytest.raises(InputError, match=r"bartscore needs a model \(any BART, T5 or Marian"):
        metrics.parse("bartscore").score(SAMPLES)


def test_long_pairs_are_told(folder: Path) -> None:
    with pytest.warns(UserWarning, match="1 pair is longer than small can read"):
        paragauge.score(["a " * 100], ["b"], metrics=[f"bartscore:model={folder},part=source"], cache=False)
