"""ParaPLUIE: the log-odds of Yes and No, the question as it is put, and what cannot be asked."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from paragauge import Samples
from paragauge.errors import InputError
from paragauge.metrics import ParaPluie
from paragauge.metrics.meaning.parapluie import PROMPTS
from paragauge.models import LanguageModel
from paragauge.models.causal.language_model import load_language_model


@pytest.fixture
def small(small_llama: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "cache"))
    return str(small_llama())


def test_log_odds_of_the_first_token(small: str, tmp_path: Path) -> None:
    model = load_language_model(small)
    file = tmp_path / "question.txt"
    file.write_text("{source} / {candidate}?", encoding="utf-8")
    metric = ParaPluie(language_model=small, free=True, prompt=str(file))
    # a text that holds a placeholder, or that ends the conversation, stays as it is
    pairs = [("the fox", "a fox"), ("{candidate}", "<|im_end|>"), (" a\n", "a")]
    questions = ["the fox / a fox?", "{candidate} / <|im_end|>?", "a / a?"]
    found = metric.score(sources=[one for one, _ in pairs], candidates=[two for _, two in pairs])
    for score, (yes, no) in zip(found, model.answer(questions, ["Yes", "No"]), strict=True):
        # log-odds: log(p(Yes) / p(No)), the probabilities themselves need not add up to 1
        assert score == pytest.approx(np.log(np.exp(float(yes)) / np.exp(float(no))), abs=1e-5)
    assert len(set(found)) == 3


def test_the_best_reference_counts_and_the_order_of_the_texts_does(small: str) -> None:
    metric = ParaPluie(language_model=small)
    references = ["the fox", "a dog"]
    one, two, both, back = metric.score(
        sources=[""] * 4, candidates=["a cat", "a cat", "a cat", "the fox"],
        references=[references[:1], references[1:], references, ["a cat"]],
    )  # fmt: skip
    assert both == max(one, two)
    assert back != one


def test_what_is_undefined(small: str) -> None:
    metric = ParaPluie(language_model=small, free=True, limit=400)
    table = Samples.of(["the fox", "", "the fox", "the fox " * 50], ["", "a", "a", "a"])
    found = metric.score(table)
    assert np.isnan(found).tolist() == [True, True, False, True]
    assert [metric.reason(table, row) for row in (0, 1, 3)] == [
        "the candidate is empty",
        "the source is empty",
        "the question is longer than the language model's limit of 400 tokens",
    ]


def test_wordings(small: str, tmp_path: Path) -> None:
    for name, wording in PROMPTS.items():
        assert wording.count("{source}") == wording.count("{candidate}") == 1
        assert f"prompt:{name}-" in ParaPluie(language_model=small, prompt=name).signature()
    with pytest.raises(InputError, match="neither a file nor a known wording; did you mean 'direct'"):
        ParaPluie(language_model=small, prompt="dirct").score(sources=["a"], candidates=["a"], references=[["a"]])
    (tmp_path / "empty.txt").write_text("{source}")
    with pytest.raises(InputError, match="must hold"):
        ParaPluie(language_model=small, prompt=str(tmp_path / "empty.txt"), free=True).score(
            sources=["a"], candidates=["a"]
        )


def test_the_default_model_is_asked(language_model: LanguageModel) -> None:
    """The arithmetic on a real model; that so small a one judges badly is said in the metric's limits."""
    metric = ParaPluie(free=True)
    (found,) = metric.score(sources=["How old are you?"], candidates=["What is your age?"])
    message = PROMPTS["direct"].replace("{source}", "How old are you?").replace("{candidate}", "What is your age?")
    ((yes, no),) = language_model.answer([message], ["Yes", "No"])
    assert found == pytest.approx(float(yes) - float(no), abs=1e-6)
