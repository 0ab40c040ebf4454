"""The way back from a model that CTranslate2 reads to weights under the names of transformers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paragauge.models.convert.seq2seq import OFFSET
from paragauge_research.training.paraphraser.variables import Variables

_NORM = {"gamma": "weight", "beta": "bias"}
_NORMS = {
    "self_attention": "self_attn_layer_norm",
    "attention": "encoder_attn_layer_norm",
    "ffn": "final_layer_norm",
}
_LINEAR = {
    "self_attention/linear_0": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    "self_attention/linear_1": ("self_attn.out_proj",),
    "attention/linear_0": ("encoder_attn.q_proj",),
    "attention/linear_1": ("encoder_attn.k_proj", "encoder_attn.v_proj"),
    "attention/linear_2": ("encoder_attn.out_proj",),
    "ffn/linear_0": ("fc1",),
    "ffn/linear_1": ("fc2",),
}


def bart_tensors(variables: Variables) -> dict[str, NDArray[np.float32]]:
    """The weights of a converted BART or Marian model under the names of transformers: what it was converted from.

    Rows of the table of positions that BART never reads are 0; Marian's are computed.
    """
    found = {"model.shared.weight": variables["encoder/embeddings_0/weight"]}
    learned = "encoder/layernorm_embedding/gamma" in variables
    for name, value in variables.items():
        side, _, part = name.partition("/")
        if part == "position_encodings/encodings" and learned:
            unread = np.zeros((OFFSET, value.shape[1]), np.float32)
            found[f"model.{side}.embed_positions.weight"] = np.concatenate([unread, value])
        elif part.startswith("layernorm_embedding/"):
            found[f"model.{side}.layernorm_embedding.{_NORM[part.rpartition('/')[2]]}"] = value
        elif part.startswith("layer_"):
            layer, block, *kind, last = part.split("/")
            prefix = f"model.{side}.layers.{layer.removeprefix('layer_')}."
            if kind == ["layer_norm"]:
                found[f"{prefix}{_NORMS[block]}.{_NORM[last]}"] = value
            else:
                names = _LINEAR["/".join([block, *kind])]
                for own, rows in zip(names, np.split(value, len(names)), strict=True):
                    found[f"{prefix}{own}.{last}"] = rows
    return found
