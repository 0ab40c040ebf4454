"""BARTScore and NLI against transformers, on small models.

Golden values (golden/pairs.json says how they were made), and live where torch is installed.
"""

import hashlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from paragauge import metrics
from paragauge.metric import Floats

GOLDEN = json.loads((Path(__file__).parent / "golden" / "pairs.json").read_text(encoding="utf-8"))
# Both sides compute in float32; the weights are far larger than trained ones.
WITHIN = 1e-5

pytestmark = pytest.mark.usefixtures("empty_cache")


@pytest.fixture
def folders(small_models: ModuleType, tmp_path: Path) -> dict[str, Path]:
    made = {
        "bart": small_models.make_seq2seq(tmp_path / "bart", "bart"),
        "bert": small_models.make_classifier(tmp_path / "bert", "bert"),
    }
    for name, folder in made.items():
        found = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
        assert found == GOLDEN["weights_sha256"][name], "these are not the weights of the golden values"
    return made


def score(spec: str, given: int) -> Floats:
    """The golden pairs, with the first or the second text as the candidate."""
    candidates, others = ([pair[place] for pair in GOLDEN["pairs"]] for place in (1 - given, given))
    return metrics.parse(spec).score(sources=others, candidates=candidates, references=[[text] for text in others])


@pytest.mark.parametrize(
    ("name", "part", "given", "expected"),
    [
        ("bartscore", "precision", 0, GOLDEN["bart"]),
        ("bartscore", "source", 0, GOLDEN["bart"]),
        ("bartscore", "recall", 1, GOLDEN["bart"]),
        ("nli", "forward", 0, [row[1] for row in GOLDEN["bert"]]),
        ("nli", "backward", 1, [row[1] for row in GOLDEN["bert"]]),
    ],
)
def test_golden(name: str, part: str, given: int, expected: list[float], folders: dict[str, Path]) -> None:
    folder = folders["bart" if name == "bartscore" else "bert"]
    found = score(f"{name}:model={folder},part={part}", given)
    np.testing.assert_allclose(found, expected, rtol=0, atol=WITHIN)


@pytest.mark.filterwarnings("ignore")  # torch and transformers warn of their own deprecations
@pytest.mark.parametrize("kind", ["bart", "marian", "marian-apart", "t5", "t5-gated", "mt5"])
def test_live_likelihoods(kind: str, small_models: ModuleType, tmp_path: Path) -> None:
    torch, transformers = _live()
    from paragauge.models.hub.locate import open_model
    from paragauge.models.pairs.likelihood import TorchSeq2Seq, load_seq2seq

    folder = small_models.make_seq2seq(tmp_path / kind, kind)
    ours, theirs = load_seq2seq(str(folder)), TorchSeq2Seq(open_model(str(folder)), "float32")
    assert "ctranslate2" in ours.signature
    pairs = [tuple(pair) for pair in GOLDEN["pairs"]] + [("a b c d " * 40, "e f " * 60)]
    found = ours.log_likelihoods(pairs)
    np.testing.assert_allclose(found, theirs.log_likelihoods(pairs), rtol=0, atol=WITHIN)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    for pair, value in zip(ours.prepare(pairs), found, strict=True):
        with torch.no_grad():
            loss = model(input_ids=torch.tensor([pair.first]), labels=torch.tensor([pair.second])).loss
        assert value == pytest.approx(-loss.item(), abs=WITHIN)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["bert", "distilbert", "roberta", "mpnet"])
def test_live_classes(kind: str, small_models: ModuleType, tmp_path: Path) -> None:
    _live()
    from paragauge.models.hub.locate import open_model
    from paragauge.models.pairs.classifier import TorchClassifier, load_classifier

    folder = small_models.make_classifier(tmp_path / kind, kind)
    ours, theirs = load_classifier(str(folder)), TorchClassifier(open_model(str(folder)), "float32")
    assert "ctranslate2" in ours.signature
    pairs = [tuple(pair) for pair in GOLDEN["pairs"]] + [("a b c d " * 40, "e f " * 60)]
    found, expected = ([judged.values for judged in model.judge(pairs)] for model in (ours, theirs))
    np.testing.assert_allclose(found, expected, rtol=0, atol=WITHIN)


def _live() -> tuple[Any, Any]:
    return pytest.importorskip("torch"), pytest.importorskip("transformers")
