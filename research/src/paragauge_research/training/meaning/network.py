"""The network behind `meaning` while it is trained: both texts in one input of the encoder, a number on top.

Its twin that runs without torch is `paragauge.models.pairs.learned`; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from paragauge.models.encoders.tokenize import read_tokenizer
from paragauge.models.pairs.pairs import Cutter, padded

RELATIONS = 3  # entailment, neutral, contradiction


class Outputs(NamedTuple):
    """What the network says of n pairs."""

    same: Tensor  # [n], logit
    relation: Tensor  # [n, 3], logits


class PairNetwork(nn.Module):  # type: ignore[misc]  # without torch it is Any
    """Pairs of token ids to numbers; the embeddings and the lowest layers of the encoder stay as they are."""

    def __init__(self, encoder: Any, frozen_layers: int) -> None:
        super().__init__()
        self.encoder = encoder
        for part in (encoder.embeddings, *encoder.encoder.layer[:frozen_layers]):
            part.requires_grad_(False)
        width = encoder.config.hidden_size
        self.dense = nn.Linear(2 * width, width)
        self.output = nn.Linear(width, 1)
        self.relation = nn.Linear(width, RELATIONS)

    def forward(
        self,
        ids: Sequence[Sequence[int]],
        types: Sequence[Sequence[int]],
        precision: str = "float32",
        chunk: int = 16,
    ) -> Outputs:
        """Inputs of like length go through the encoder together."""
        order = sorted(range(len(ids)), key=lambda row: len(ids[row]))
        pooled = []
        for start in range(0, len(order), chunk):
            rows = order[start : start + chunk]
            mask = torch.tensor(padded([[1] * len(ids[row]) for row in rows], 0))
            with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bfloat16"):
                states = self.encoder(
                    input_ids=torch.tensor(padded([ids[row] for row in rows], 0)),
                    token_type_ids=torch.tensor(padded([types[row] for row in rows], 0)),
                    attention_mask=mask,
                ).last_hidden_state.float()
            shares = mask[..., None].to(states.dtype)
            pooled.append(torch.cat((states[:, 0], (states * shares).sum(1) / shares.sum(1)), -1))
        hidden = torch.tanh(self.dense(torch.cat(pooled)[torch.tensor(order).argsort()]))
        return Outputs(self.output(hidden).squeeze(-1), self.relation(hidden))


class Tokens:
    """Pairs of texts to ids and types, as `paragauge.models.pairs.learned` makes them."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._cutter = Cutter(read_tokenizer(folder), limit)

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> tuple[list[list[int]], list[list[int]]]:
        cut = list(self._cutter.cut(pairs))
        return [row[0] for row in cut], [row[1] for row in cut]


def load_network(folder: Path, frozen_layers: int) -> PairNetwork:
    """The network as training begins, on the encoder in a model folder."""
    from transformers import BertModel, logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    encoder = BertModel.from_pretrained(
        folder, add_pooling_layer=False, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0
    )
    return PairNetwork(encoder, frozen_layers)
