"""Multichannel convolutional network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..classifier import parameter
from ._networks import Layers, Network, pooled_length

KERNELS = (4, 6, 8)
_HIDDEN = 10
_DROPOUT = 0.5


@dataclass(frozen=True, kw_only=True)
class Cnn(Network):
    """Three convolutions over 4, 6 and 8 words, each with embeddings of its own.

    MCNN of Hailu et al. 2020, which gives neither kernels nor filters; these are of the network of that name in
    Keras's tutorials, whose batch of 16 the paper has: 32 filters, dropout 0.5, maxima of pairs, 10 hidden units.
    """

    name: ClassVar[str] = "cnn"
    title: ClassVar[str] = "Multichannel CNN"

    batch: int = parameter(16, "training texts per step", low=1, high=100_000)
    filters: int = parameter(32, "of each convolution", low=1, high=10_000)

    def layers(self, torch: Any, outputs: int) -> Layers:
        nn = torch.nn
        modules = nn.ModuleDict()
        for kernel in KERNELS:
            modules[f"embedding{kernel}"] = nn.Embedding(self.vocabulary, self.dimensions)
            modules[f"convolution{kernel}"] = nn.Conv1d(self.dimensions, self.filters, kernel)
        features = self.filters * sum(pooled_length(self.length, kernel) for kernel in KERNELS)
        modules["dropout"] = nn.Dropout(_DROPOUT)
        modules["hidden"] = nn.Linear(features, _HIDDEN)
        modules["output"] = nn.Linear(_HIDDEN, outputs)

        def forward(rows: Any) -> Any:
            channels = []
            distinct, places = torch.unique(rows, return_inverse=True)
            for kernel in KERNELS:
                found = convolved(torch, modules, kernel, distinct, places)
                found = modules["dropout"](torch.relu(found)).transpose(1, 2)
                channels.append(nn.functional.max_pool1d(found, 2).flatten(1))
            return modules["output"](torch.relu(modules["hidden"](torch.cat(channels, dim=1))))

        return Layers(modules, forward)


def convolved(torch: Any, modules: Any, kernel: int, distinct: Any, places: Any) -> Any:
    """The convolution of the embeddings of a batch's words, (texts, positions, filters).

    Each distinct word of the batch is multiplied by the weights once, and the products are then added up along the
    text: the same sums with a quarter of the multiplications.
    """
    layer = modules[f"convolution{kernel}"]
    weights = layer.weight.permute(1, 2, 0).flatten(1)  # dimensions by (offset, filter)
    products = (modules[f"embedding{kernel}"](distinct) @ weights).view(len(distinct), kernel, -1)
    width = places.shape[1] - kernel + 1
    found = layer.bias
    for offset in range(kernel):
        own = places[:, offset : offset + width]
        found = found + torch.nn.functional.embedding(own, products[:, offset])
    return found
