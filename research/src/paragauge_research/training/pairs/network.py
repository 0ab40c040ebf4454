"""The pair model while it is trained: both texts in one input, three numbers for the pair and a mark for every piece.

Its twin that runs without torch is `paragauge.models.pairs.learned`; a test holds the two together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from .errors import KINDS

PAIR = ("forward", "backward", "fluent")


class Outputs(NamedTuple):
    """What is said of n pairs."""

    pair: Tensor  # [n, 3], logits of PAIR
    marks: list[Tensor]  # per pair [pieces, kinds], logits


class LowRank(nn.Module):  # type: ignore[misc]
    """A linear layer that stays, and an update of low rank that is trained."""

    def __init__(self, layer: Any, rank: int) -> None:
        super().__init__()
        self.layer = layer
        self.down = nn.Parameter(torch.randn(rank, layer.in_features) / math.sqrt(layer.in_features))
        self.up = nn.Parameter(torch.zeros(layer.out_features, rank))

    def forward(self, states: Tensor) -> Tensor:
        update = functional.linear(functional.linear(states, self.down.to(states.dtype)), self.up.to(states.dtype))
        return self.layer(states) + update


def add_updates(module: nn.Module, rank: int) -> None:
    """Give every linear layer of a module an update of low rank."""
    for parent in [own for own in module.modules() if not isinstance(own, LowRank)]:
        for name, child in list(parent.named_children()):
            if isinstance(child, nn.Linear):
                setattr(parent, name, LowRank(child, rank))


class PairNetwork(nn.Module):  # type: ignore[misc]
    """An encoder with heads; embeddings and the lowest layers stay as they are."""

    def __init__(self, encoder: Any, frozen_layers: int, rank: int) -> None:
        super().__init__()
        self.encoder, self.rank = encoder, rank
        width = encoder.config.hidden_size
        layers = encoder.encoder.layer
        if rank:
            encoder.requires_grad_(False)
            encoder.to(torch.bfloat16)
            for layer in layers[frozen_layers:]:
                add_updates(layer, rank)
        else:
            for part in (encoder.embeddings, *layers[:frozen_layers]):
                part.requires_grad_(False)
        self.dense = nn.Linear(2 * width, width)
        self.output = nn.Linear(width, len(PAIR))
        self.mark = nn.Linear(width, len(KINDS))

    def forward(self, ids: Sequence[Sequence[int]], types: Sequence[Sequence[int]] | None, chunk: int) -> Outputs:
        """Inputs of like length go through the encoder together."""
        order = sorted(range(len(ids)), key=lambda row: len(ids[row]))
        pooled, marks = [], {}
        for start in range(0, len(order), chunk):
            rows = order[start : start + chunk]
            width = max(len(ids[row]) for row in rows)
            filler = self.encoder.config.pad_token_id or 0
            inputs = {
                "input_ids": torch.tensor([[*ids[row], *[filler] * (width - len(ids[row]))] for row in rows]),
                "attention_mask": torch.tensor([[1] * len(ids[row]) + [0] * (width - len(ids[row])) for row in rows]),
            }
            if types is not None:
                inputs["token_type_ids"] = torch.tensor(
                    [[*types[row], *[0] * (width - len(types[row]))] for row in rows]
                )
            with torch.autocast("cpu", torch.bfloat16, enabled=not self.rank):
                states = self.encoder(**inputs).last_hidden_state.float()
            shares = inputs["attention_mask"][..., None].float()
            pooled.append(torch.cat((states[:, 0], (states * shares).sum(1) / shares.sum(1)), -1))
            found = self.mark(states)
            for number, row in enumerate(rows):
                marks[row] = found[number, : len(ids[row])]
        hidden = torch.tanh(self.dense(torch.cat(pooled)[torch.tensor(order).argsort()]))
        return Outputs(self.output(hidden), [marks[row] for row in range(len(ids))])


def load_network(folder: Path, frozen_layers: int, rank: int) -> PairNetwork:
    """The network as training begins, on the encoder in a model folder."""
    from transformers import AutoConfig, BertModel, MPNetModel, logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    model = {"bert": BertModel, "mpnet": MPNetModel}[AutoConfig.from_pretrained(folder).model_type]
    encoder = model.from_pretrained(
        folder, add_pooling_layer=False, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0
    )
    return PairNetwork(encoder, frozen_layers, rank)
