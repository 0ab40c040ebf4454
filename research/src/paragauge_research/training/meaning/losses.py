"""What training minimises."""

from __future__ import annotations

import random
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from .batches import Batch
from .data import Item
from .network import Outputs, PairNetwork, Tokens

Pair = tuple[str, str]


class Scales(nn.Module):  # type: ignore[misc]  # without torch it is Any
    """A slope and an offset for every data set, since raters of each mean something else by the same."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.places = {name: place for place, name in enumerate(names)}
        self.slopes = nn.Parameter(torch.zeros(len(names)))
        self.offsets = nn.Parameter(torch.zeros(len(names)))

    def forward(self, logits: Tensor, items: Sequence[Item]) -> Tensor:
        """The logits as each item's data set sees them."""
        places = torch.tensor([self.places[item.data_set] for item in items])
        return logits * self.slopes[places].exp() + self.offsets[places]


def step_losses(
    network: PairNetwork,
    scales: Scales,
    tokens: Tokens,
    batch: Batch,
    choose: random.Random,
    precision: str = "float32",
) -> dict[str, Tensor]:
    """Each loss of one step by its name; which text comes first is drawn, but for the pairs of NLI."""
    items = [*batch.taught, *batch.labelled, *batch.mined, *batch.triples]
    turned = [item.kind != "nli" and choose.random() < 0.5 for item in items]
    pairs = [_pair(item.a, item.b, turn) for item, turn in zip(items, turned, strict=True)]
    first = len(items) - len(batch.triples)
    pairs += [_pair(item.a, item.worse, turn) for item, turn in zip(batch.triples, turned[first:], strict=True)]
    found = network(*tokens(pairs), precision)
    losses = _label_losses(scales, found, items)
    if batch.triples:
        better, worse = found.same[first : len(items)], found.same[len(items) :]
        losses["order"] = functional.softplus(worse - better + 1).mean()
        losses["lost"] = (functional.softplus(-better) + functional.softplus(worse)).mean() / 2
    return losses


def _label_losses(scales: Scales, found: Outputs, items: Sequence[Item]) -> dict[str, Tensor]:
    losses: dict[str, Tensor] = {}
    rows = [row for row, item in enumerate(items) if item.label == item.label]
    if rows:
        chosen = [items[row] for row in rows]
        # whoever entails may mean the same or not; the data set's own slope and offset take care of that
        same = torch.tensor([float(item.label == 0) if item.kind == "nli" else item.label for item in chosen])
        losses["same"] = functional.binary_cross_entropy_with_logits(scales(found.same[rows], chosen), same)
    rows = [row for row, item in enumerate(items) if item.kind == "nli"]
    if rows:
        relations = torch.tensor([int(items[row].label) for row in rows])
        losses["relation"] = functional.cross_entropy(found.relation[rows], relations)
    return losses


def _pair(one: str, other: str, turned: bool) -> Pair:
    return (other, one) if turned else (one, other)
