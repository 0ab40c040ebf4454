"""Training, for a few steps of a tiny network: resumed equals undisturbed, and what ships reads as what was trained."""

import gzip
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch")
pytest.importorskip("transformers", reason="training needs transformers")

from paragauge.errors import InputError  # noqa: E402
from paragauge.models.encoders.tokenize import read_tokenizer  # noqa: E402
from paragauge.models.pairs.reader import KINDS, load_reader  # noqa: E402
from paragauge_research.training.pairs import batches, loop  # noqa: E402
from paragauge_research.training.pairs.batches import IGNORED, tokenize  # noqa: E402
from paragauge_research.training.pairs.configuration import Configuration  # noqa: E402
from paragauge_research.training.pairs.network import load_network  # noqa: E402
from paragauge_research.training.pairs.rows import Row, SetOf  # noqa: E402

WORDS = ["P", "U", "C", "S", "it", "has", "there", "are", "doors", ".", *"12345", "a", "one", "reserved"]


@pytest.fixture(params=["bert", "mpnet"])
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A model of two layers and random weights, data, and a WordNet without words."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    kinds = {"bert": (BertModel, BertConfig, 0), "mpnet": (MPNetModel, MPNetConfig, 1)}
    model, config, padding = kinds[request.param]
    configured = config(vocab_size=len(WORDS), pad_token_id=padding, **sizes)
    model(configured, add_pooling_layer=False).save_pretrained(tmp_path / "model")
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, "U"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("S", 3), ("C", 2))
    tokenizer.save(str(tmp_path / "model" / "tokenizer.json"))
    data = tmp_path / "data"
    for name in ("parascore/twitter", "stsb", "train"):
        (data / name).mkdir(parents=True)
    (data / "parascore/twitter/source-candidate.pickle").write_bytes(pickle.dumps({"s": [("c", 1.0)]}))
    (data / "parascore/twitter/source-reference.pickle").write_bytes(pickle.dumps({"s": ("r", 1.0)}))
    for name in ("sts-dev.csv", "sts-test.csv"):
        (data / "stsb" / name).write_text("g\tf\ty\t1\t5.0\tA reserved one.\tA reserved two.\n", "utf-8")
    rows = [{"a": f"it has {n} doors .", "b": f"there are {n} doors .", "label": n % 2, "group": ""} for n in range(60)]
    rows.append({"a": "A reserved one.", "b": "x", "label": 1, "group": ""})
    with gzip.open(data / "train" / "rows.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)
    with gzip.open(data / "train" / "pairs.csv.gz", "wt", encoding="utf-8") as stream:
        stream.write("source,target\n")
        stream.writelines(f"it has {n} doors .,there are {n} doors .\n" for n in range(40))
    (tmp_path / "wordnet").mkdir()
    for part in ("adj", "adv", "verb", "noun"):
        (tmp_path / "wordnet" / f"data.{part}").write_text("  1 a licence\n", "utf-8")
    (tmp_path / "wordnet" / "index.noun").write_text("  1 a licence\n", "utf-8")
    return tmp_path


def configured(folder: Path, **changes: Any) -> Configuration:
    sets = {
        "rows": SetOf("train/rows.jsonl.gz", "same", 0.5, "none"),
        "pairs": SetOf("train/pairs.csv.gz", "paraphrases", 0.2, "none"),
    }
    settings = {"steps": 6, "rank": 2, "batch": 4, "chunk": 2, "checkpoint": 2, "shares": {"made": 0.3, "joined": 0.1}}
    return Configuration(data_folder=folder / "data", sets=sets, encoder=str(folder / "model"), **settings | changes)


def train(folder: Path, output: str, **changes: Any) -> dict[str, Any]:
    configuration = configured(folder, **changes)
    loop.run_training(
        configuration, folder, folder / output, folder / "model", folder / "wordnet", progress=lambda _: None
    )
    last = sorted((folder / output).glob("checkpoint-*.pt"))[-1]
    state: dict[str, Any] = torch.load(last, weights_only=True)["network"]
    return state


def test_a_run_that_was_stopped_ends_with_the_same_weights(folder: Path) -> None:
    whole = train(folder, "whole")

    def stop(line: str) -> None:
        if "rows" not in line:
            raise KeyboardInterrupt

    configuration = configured(folder)
    stopped = folder / "stopped"
    with pytest.raises(KeyboardInterrupt):
        loop.run_training(configuration, folder, stopped, folder / "model", folder / "wordnet", progress=stop, every=3)
    assert not (stopped / "checkpoint-000006.pt").exists()
    resumed = train(folder, "stopped")
    for name, value in whole.items():
        assert torch.equal(value, resumed[name]), name


@pytest.mark.parametrize("rank", [0, 2])
def test_a_training_begins_with_what_another_exported(folder: Path, rank: int) -> None:
    still: dict[str, Any] = {"rank": rank, "steps": 1, "rate": 0.0, "head_rate": 0.0, "seed": 9}
    before = train(folder, "first", rank=rank)
    loop.export(folder / "first" / "checkpoint-000006.pt", folder / "first.safetensors")
    begun, anew = train(folder, "second", start="../first.safetensors", **still), train(folder, "third", **still)
    for name, value in before.items():  # rows of int8 are off by 1/254 of their largest
        assert torch.allclose(begun[name], value, rtol=0, atol=float(value.abs().max()) / 250), name
    assert max((anew[name] - value).abs().max() for name, value in before.items()) > 1e-2
    with pytest.raises(InputError, match="does not hold what is trained here"):
        train(folder, "fourth", start="../first.safetensors", **still | {"rank": 2 - rank})


def test_reserved_sentences_are_not_trained_on(folder: Path) -> None:
    pools = batches.read_pools(configured(folder), folder, folder, folder / "wordnet")
    assert len(pools.rows["rows"]) > 30
    assert not any("reserved" in row.source for row in pools.rows["rows"])


@pytest.mark.parametrize("rank", [0, 2])
def test_what_ships_reads_as_what_was_trained(folder: Path, rank: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARAGAUGE_DATA", raising=False)  # it would name another folder than the configuration
    path = folder / "tiny.toml"
    path.write_text(
        f"""
encoder = "{folder / "model"}"
data_folder = "data"
steps = 6
rank = {rank}
batch = 4
rate = 5e-2
head_rate = 5e-2
[shares]
made = 0.4
[sets.pairs]
file = "train/pairs.csv.gz"
kind = "paraphrases"
weight = 0.6
licence = "none"
""",
        "utf-8",
    )
    weights = loop.run(path, folder / "run", resume=True, progress=lambda _: None, wordnet=folder / "wordnet")
    pairs = [("it has 1 doors .", "there are 1 doors ."), ("a one", "it has 3 doors 4 5 ."), ("1", "1")]
    found = list(load_reader("model", folder=weights).read(pairs))
    network = load_network(folder / "model", 0, rank)
    state = torch.load(folder / "run" / "checkpoint-000006.pt", weights_only=True)["network"]
    network.load_state_dict(state, strict=False)
    rows = [Row(*pair) for pair in pairs]
    ids, types, _ = tokenize(read_tokenizer(folder / "model"), rows)
    typed = types if network.encoder.config.model_type == "bert" else None
    with torch.no_grad():
        wanted = network.float()(ids, typed, 3)
    # rows of int8 are off by 1/254 of their largest, and the layers of the training compute in bfloat16
    assert np.abs(np.array([one[:3] for one in found]) - wanted.pair.numpy()).max() < 0.1
    assert [one.tokens for one in found] == [len(row) for row in ids]


def test_words_that_are_marked_stay_marked_as_pieces(folder: Path) -> None:
    row = Row("it has 1 doors .", "it has 2 doors .", marks=((0, 7, 8, "number"), (1, 7, 8, "number")))
    (ids,), _, (marks,) = tokenize(read_tokenizer(folder / "model"), [row])
    marked = [number for number, mark in zip(ids, marks, strict=True) if mark == KINDS.index("number")]
    assert marked == [WORDS.index("1"), WORDS.index("2")]
    assert marks.count(IGNORED) == sum(number in (2, 3) for number in ids)
