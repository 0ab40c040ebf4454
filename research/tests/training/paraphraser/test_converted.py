"""Model files of CTranslate2, read with numpy alone."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from paragauge.errors import ModelError
from paragauge.models.convert import seq2seq as conversion
from paragauge.models.convert.weights import open_tensors
from paragauge.models.hub.locate import identified
from paragauge_research.training.paraphraser.start import read_variables


def test_weights_in_int8_are_multiplied_out(small_models, tmp_path):
    model = identified("bart", small_models.make_seq2seq(tmp_path / "bart", "bart", seed=5))
    for name in ("float32", "int8"):
        made = conversion.specification(model.config, open_tensors(model.weights))
        made.optimize(name)
        (tmp_path / name).mkdir()
        made.save(str(tmp_path / name))
    whole, stored = (read_variables(tmp_path / name / "model.bin") for name in ("float32", "int8"))
    assert stored.keys() == whole.keys()
    for name, values in whole.items():
        step = np.abs(values).max(axis=1, keepdims=True) / 127 if name.endswith("/weight") else 0
        assert (np.abs(stored[name] - values) <= 0.501 * step).all()  # half a step of the 127 of each row
    name = "decoder/layer_0/ffn/linear_0/weight"
    assert np.abs(whole[name] - stored[name]).max() > 1e-4
    assert np.array_equal(stored["decoder/projection/weight"], stored["decoder/embeddings/weight"])  # an alias


def test_a_file_of_another_layout_is_refused(tmp_path):
    (tmp_path / "model.bin").write_bytes(struct.pack("<I", 99))
    with pytest.raises(ModelError, match="version 99 of CTranslate2's layout; expected 6"):
        read_variables(tmp_path / "model.bin")
