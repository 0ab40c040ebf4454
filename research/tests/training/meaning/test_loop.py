"""Training, for a few steps of a tiny network: resumed equals undisturbed, and what ships gives what was trained."""

import gzip
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch")
pytest.importorskip("transformers", reason="training needs transformers")

from paragauge.models.hub.checksum import file_sha256  # noqa: E402
from paragauge.models.hub.locate import open_model  # noqa: E402
from paragauge.models.pairs.learned import RARITY, load_meaning, read_settings  # noqa: E402
from paragauge_research.training.meaning import batches, loop  # noqa: E402
from paragauge_research.training.meaning.configuration import Configuration, DataSet  # noqa: E402
from paragauge_research.training.meaning.export import export, network_state, write_settings  # noqa: E402
from paragauge_research.training.meaning.network import Tokens, load_network  # noqa: E402

WORDS = ["P", "U", "C", "S", "it", "has", "there", "are", "doors", ".", *"12345", "a", "one", "reserved"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model of two layers and random weights, data, and a WordNet without words."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertModel

    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    BertModel(BertConfig(vocab_size=len(WORDS), **sizes), add_pooling_layer=False).save_pretrained(tmp_path / "model")
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
    (tmp_path / "wordnet").mkdir()
    for part in ("adj", "adv", "verb", "noun"):
        (tmp_path / "wordnet" / f"data.{part}").write_text("  1 a licence\n", "utf-8")
    return tmp_path


def configured(folder: Path, **changes: Any) -> Configuration:
    rows = DataSet("train/rows.jsonl.gz", "same", 100, "none", paraphrases=True, taught=True)
    return Configuration(
        data_folder=folder / "data",
        sets={"rows": rows},
        encoder=str(folder / "model"),
        teacher=str(folder / "model"),
        **{
            "steps": 6, "taught": 20, "taught_batch": 2, "frozen_layers": 1, "threads": 1, "labelled_batch": 4,
            "triple_batch": 2, "checkpoint": 2, "weights": {"same": 1.0, "order": 1.0}, **changes,
        },
    )  # fmt: skip


def train(folder: Path, output: str, **changes: Any) -> dict[str, Any]:
    configuration = configured(folder, **changes)
    model = open_model(configuration.encoder)
    loop.run_training(configuration, folder / output, model, folder / "wordnet", resume=True, progress=lambda _: None)
    last = sorted((folder / output).glob("checkpoint-*.pt"))[-1]
    state: dict[str, Any] = torch.load(last, weights_only=True)["network"]
    return state


def test_a_run_that_was_stopped_ends_with_the_same_weights(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, again = train(folder, "whole"), train(folder, "again")
    steps = iter(range(3))

    def interrupted(*arguments: Any) -> batches.Batch:
        next(steps)  # StopIteration in the fourth step
        return batches.batch_at(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(loop, "batch_at", interrupted)
        with pytest.raises(StopIteration):
            train(folder, "stopped")
    resumed = train(folder, "stopped")
    logs = [(folder / output / "log.jsonl").read_text("utf-8") for output in ("whole", "stopped")]
    assert logs[0] == logs[1]
    for name, value in whole.items():
        assert torch.equal(value, resumed[name]), name
        assert torch.equal(value, again[name]), name


def test_bfloat16_computes_nearly_the_same_and_keeps_float32_weights(folder: Path) -> None:
    whole, half = train(folder, "whole"), train(folder, "half", precision="bfloat16")
    moved = [name for name in whole if not torch.equal(whole[name], half[name])]
    assert moved  # it was used
    for name in moved:
        assert half[name].dtype == torch.float32
        # six steps of 1e-3 at most, whatever the rounding to 8 bits does to the direction
        assert (whole[name] - half[name]).abs().max() < 2 * 6 * 1e-3


def test_the_loss_falls(folder: Path) -> None:
    train(folder, "long", steps=120, checkpoint=60, head_rate=1e-2)
    lines = [json.loads(line) for line in (folder / "long" / "log.jsonl").read_text("utf-8").splitlines()]
    assert lines[-1]["order"] < lines[0]["order"]


def test_reserved_sentences_are_not_trained_on(folder: Path) -> None:
    pools = batches.read_pools(configured(folder), folder / "wordnet")
    assert len(pools.labelled) > 30
    assert not any("reserved" in item.a for item in pools.labelled)


def test_what_ships_gives_what_torch_gives(folder: Path) -> None:
    train(folder, "run")
    model = open_model(str(folder / "model"))
    state = network_state([folder / "run" / "checkpoint-000006.pt"])
    settings = {"base": str(folder / "model"), "base_sha256": model.sha256, "limit": 32, "blends": {}}
    export(state, 1, folder / "weights", **settings)
    table = folder / "weights" / RARITY
    np.save(table, np.ones(len(WORDS), np.uint8))
    write_settings(
        folder / "weights", {**read_settings(folder / "weights"), "rarity_sha256": file_sha256(table, afresh=True)}
    )
    pairs = [("it has 1 doors .", "there are 1 doors ."), ("a one", "it has 3 doors 4 5 ."), ("1", "1")]
    found = np.array([judged.values for judged in load_meaning(folder / "weights").judge(pairs)])
    network = load_network(folder / "model", 1)
    network.load_state_dict({name: torch.from_numpy(value) for name, value in state.items()})
    with torch.no_grad():
        wanted = network(*Tokens(folder / "model", 32)(pairs))
    assert (
        np.abs(found[:, 0] - wanted.same.numpy()).max() < 0.02
    )  # int8 rows: half a step of 1/127 of the largest of each row
