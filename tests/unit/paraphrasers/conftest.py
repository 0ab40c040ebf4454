"""Small random models, which the searches and paraphrasers are tested with, here and in research."""

import json

import pytest


@pytest.fixture(scope="module")
def marian(small_models, tmp_path_factory):
    return str(small_models.make_seq2seq(tmp_path_factory.mktemp("marian") / "there", "marian", seed=1))


@pytest.fixture(scope="module")
def uncased(small_models, tmp_path_factory):
    """A model whose texts get their case from their sources, and whose pieces are put together again."""
    folder = tmp_path_factory.mktemp("uncased") / "marian"
    small_models.make_seq2seq(folder, "marian", seed=1, paragauge_case="source")
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["decoder"] = {"type": "WordPiece", "prefix": "##", "cleanup": False}
    tokenizer["normalizer"] = {"type": "Lowercase"}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    return str(folder)
