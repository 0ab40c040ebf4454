"""nli: its parts by hand from the classes of a small model."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from paragauge import metrics
from paragauge.errors import InputError
from paragauge.models.pairs.classifier import load_classifier

SOURCES = ["how old are you", "a man plays", "x"]
CANDIDATES = ["what is your age", "someone plays", "x"]
WITHIN = 2e-6  # a probability depends, in its last bits, on the batch that it is computed in

pytestmark = pytest.mark.usefixtures("empty_cache")


@pytest.fixture
def folder(small_models: ModuleType, tmp_path: Path) -> Path:
    return small_models.make_classifier(tmp_path / "small")


def score(spec: str, folder: Path) -> np.ndarray:
    return metrics.parse(f"nli.free:model={folder}{spec}").score(sources=SOURCES, candidates=CANDIDATES)


@pytest.mark.parametrize(("label", "place"), [("", 1), (",label=neutral", 2), (",label=0", 0)])
def test_parts(label: str, place: int, folder: Path) -> None:
    model = load_classifier(str(folder))
    forward, backward = (
        np.array([judged.values[place] for judged in model.judge(list(zip(*texts, strict=True)))])
        for texts in ((SOURCES, CANDIDATES), (CANDIDATES, SOURCES))
    )
    assert np.abs(forward - backward)[:2].min() > 1e-4  # the model does tell the directions apart
    for part, expected in {
        "forward": forward,
        "backward": backward,
        "both": np.minimum(forward, backward),
        "mean": (forward + backward) / 2,
    }.items():
        np.testing.assert_allclose(score(f",part={part}{label}", folder), expected, rtol=0, atol=WITHIN)


def test_the_signature_names_model_and_class(folder: Path) -> None:
    signature = metrics.parse(f"nli.free:model={folder}").signature()
    assert "|model:small|" in signature
    assert "|label:entailment|" in signature
    assert "|part:both|" in signature


def test_without_a_model_the_error_says_how_to_name_one() -> None:
    with pytest.raises(
        InputError,
        match=r"nli needs a model \(any NLI classifier's folder or hub id\); name it with metrics='nli:model=FOLDER'",
    ):
        metrics.parse("nli").score(sources=["a"], candidates=["b"], references=[["c"]])


def test_a_model_without_entailment(small_models: ModuleType, tmp_path: Path) -> None:
    folder = small_models.make_classifier(tmp_path / "other", classes=("bad", "good"))
    with pytest.raises(InputError, match="are 0 bad, 1 good; expected one that begins with 'entail'"):
        score("", folder)
    assert (score(",label=good", folder) > 0).all()
