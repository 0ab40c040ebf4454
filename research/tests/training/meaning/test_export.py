import json
from pathlib import Path

import numpy as np

from paragauge.models.pairs.learned import SETTINGS, WEIGHTS, read_tensors
from paragauge_research.training.meaning.export import export, quantised


def test_rows_are_kept_to_half_a_step() -> None:
    values = np.random.default_rng(1).normal(size=(7, 20)).astype(np.float32)
    values[3] = 0
    rows, scales = quantised(values)
    assert rows.dtype == np.int8
    # rounding is off by half a step at most; 1e-6 for float32
    assert (np.abs(rows * scales[:, None] - values) <= scales[:, None] / 2 + 1e-6).all()


def test_only_what_was_trained_comes_along(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    state = {
        name: random.normal(size=shape).astype(np.float32)
        for name, shape in {
            "encoder.embeddings.word_embeddings.weight": (9, 4),
            "encoder.encoder.layer.0.output.dense.weight": (4, 4),
            "encoder.encoder.layer.1.output.dense.weight": (4, 4),
            "encoder.encoder.layer.1.output.dense.bias": (4,),
            "relation.weight": (3, 4),
            "output.weight": (2, 4),
        }.items()
    }
    export(state, 1, tmp_path, base="b", blends={})
    found = read_tensors(tmp_path / WEIGHTS)
    settings = json.loads((tmp_path / SETTINGS).read_text("utf-8"))
    assert (len(settings["sha256"]), settings["base"]) == (64, "b")
    dense = "encoder.layer.1.output.dense"
    assert set(found) == {f"{dense}.weight", f"{dense}.bias", "output.weight"}
    assert np.array_equal(found["output.weight"], state["output.weight"])
    difference = found[f"{dense}.weight"] - state[f"encoder.{dense}.weight"]
    assert np.abs(difference).max() < 0.02  # 1/254 of the largest value of a row, which is below 4 here
