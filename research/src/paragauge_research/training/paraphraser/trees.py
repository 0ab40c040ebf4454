"""The TreeLSTM autoencoder whose vectors syntactic codes are clusters of."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.errors import InputError

from ...paraphrasers._trees import GATES, TREES, Level, levels_of, parse_texts, pruned
from ...trees.trees import Tree, bottom_up
from .configuration import CodeSettings

_BATCH = 400  # trees, as in the paper
_RATE, _DECAY = 0.025, 1e-4  # of Adagrad, as in the paper
_CHUNK = 4096  # texts that are parsed together


class TreeAutoencoder:
    """A tree to a vector, and the vector to the labels and the numbers of children, from the root downward."""

    def __init__(self, labels: int, width: int, children: int) -> None:
        import torch

        nn, gates = torch.nn, GATES * width
        self.torch: Any = torch
        self.parts: Any = nn.ModuleDict(
            {
                "labels": nn.Embedding(labels, width),
                "places": nn.Embedding(children, width),
                "word": nn.Linear(width, gates),
                "child": nn.Linear(width, gates, bias=False),
                "forget_word": nn.Linear(width, width),
                "forget_child": nn.Linear(width, width, bias=False),
                "down": nn.Linear(width, width),
                "down_label": nn.Linear(width, width, bias=False),
                "down_place": nn.Embedding(children, width),
                "label": nn.Linear(width, labels),
                "count": nn.Linear(width, children + 1),
            }
        )

    def encode(self, levels: Sequence[Level]) -> Any:
        """The vector of each root, as `paragauge.paraphrasers._trees.encode_levels` computes it."""
        torch, parts = self.torch, self.parts
        hidden, cell, below = None, None, None
        for level in reversed(levels):
            words = parts["labels"](torch.from_numpy(level.labels))
            total, kept = torch.zeros_like(words), torch.zeros_like(words)
            if below is not None:
                parents = torch.from_numpy(below.parents)
                placed = hidden + parts["places"](torch.from_numpy(below.places))
                total = total.index_add(0, parents, placed)
                forget = torch.sigmoid(parts["forget_word"](words)[parents] + parts["forget_child"](placed))
                kept = kept.index_add(0, parents, forget * cell)
            let, out, update = (parts["word"](words) + parts["child"](total)).chunk(GATES, dim=1)
            cell = torch.sigmoid(let) * torch.tanh(update) + kept
            hidden = torch.sigmoid(out) * torch.tanh(cell)
            below = level
        return hidden

    def loss(self, levels: Sequence[Level]) -> Any:
        """The cost of saying every label and number of children, by tree."""
        torch, parts = self.torch, self.parts
        state, total = self.encode(levels), torch.zeros(())
        for place, level in enumerate(levels):
            if place:
                above = parts["labels"](torch.from_numpy(levels[place - 1].labels))
                given = parts["down"](state) + parts["down_label"](above)
                placed = parts["down_place"](torch.from_numpy(level.places))
                state = torch.tanh(given[torch.from_numpy(level.parents)] + placed)
            for head, wanted in (("label", level.labels), ("count", level.counts)):
                found = parts[head](state)
                total = total + torch.nn.functional.cross_entropy(found, torch.from_numpy(wanted), reduction="sum")
        return total / len(levels[0].labels)

    def arrays(self) -> dict[str, Any]:
        """The weights of the encoder under the names by which it reads them."""
        names = ("labels", "places", "word", "child", "forget_word", "forget_child")
        found = {name: self.parts[name].weight for name in names}
        found |= {"bias": self.parts["word"].bias, "forget_bias": self.parts["forget_word"].bias}
        return {name: value.detach().numpy() for name, value in found.items()}


def train_tree_encoder(
    settings: CodeSettings, seed: int, parser: str, texts: Iterable[str], folder: Path, progress: Callable[[str], None]
) -> list[float]:
    """Train on the different trees of the texts, up to `settings.trees`; trees.npz goes to the folder. Gives losses."""
    import torch

    trees = _different(settings, parser, texts)
    names = ["", *sorted({node.label for tree in trees for node in bottom_up(tree)})]
    labels = {name: number for number, name in enumerate(names)}
    torch.manual_seed(seed)
    network = TreeAutoencoder(len(names), settings.width, settings.children)
    optimiser = torch.optim.Adagrad(network.parts.parameters(), lr=_RATE, weight_decay=_DECAY)
    losses = []
    for iteration in range(settings.iterations):
        order = np.random.default_rng([seed, iteration]).permutation(len(trees))
        total = 0.0
        for start in range(0, len(order), _BATCH):
            own = [trees[place] for place in order[start : start + _BATCH].tolist()]
            loss = network.loss(levels_of(own, labels, settings.depth, settings.children))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += loss.item() * len(own)
        losses.append(total / len(trees))
        progress(f"tree encoder: {iteration + 1} of {settings.iterations}, loss {losses[-1]:.3f} a tree")
    np.savez(
        folder / TREES, names=np.array(names), pruning=np.array([settings.depth, settings.children]), **network.arrays()
    )
    return losses


def _different(settings: CodeSettings, parser: str, texts: Iterable[str]) -> list[Tree]:
    found: dict[bytes, Tree] = {}
    left = iter(texts)
    while len(found) < settings.trees and (chunk := list(islice(left, _CHUNK))):
        for tree in parse_texts(parser, chunk):
            if tree is not None:
                shown = pruned(tree, settings.depth, settings.children)
                found.setdefault(hashlib.blake2b(shown.encode(), digest_size=16).digest(), tree)
    if not found:
        raise InputError(f"no text has a tree by {parser}; syntactic codes need trees")
    return list(found.values())[: settings.trees]
