"""Multichannel convolutional network."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from paragauge.extrinsic.classifier import parameter

from ._networks import Layers, Network

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

    # two windows of the longest kernel, since the maximum is of pairs
    length: int = parameter(500, "words of a text that are read: the last ones", low=max(KERNELS) + 1, high=10_000)
    batch: int = parameter(16, "training texts per step", low=1, high=100_000)
    filters: int = parameter(32, "of each convolution", low=1, high=10_000)

    def layers(self, torch: Any, outputs: int) -> Layers:
        nn = torch.nn
        modules = nn.ModuleDict()
        for kernel in KERNELS:
            modules[f"embedding{kernel}"] = nn.Embedding(self.vocabulary, self.dimensions)
            modules[f"convolution{kernel}"] = nn.Conv1d(self.dimensions, self.filters, kernel)
        pooled = sum((self.length - kernel + 1) // 2 for kernel in KERNELS)  # maxima of pairs
        modules["hidden"] = nn.Linear(self.filters * pooled, _HIDDEN)
        modules["output"] = nn.Linear(_HIDDEN, outputs)

        def forward(rows: Any) -> Any:
            channels = []
            distinct, places = torch.unique(rows, return_inverse=True)
            for kernel in KERNELS:
                found = convolved(torch, modules, kernel, distinct, places)
                found = dropped(torch, torch.relu(found), modules.training).transpose(1, 2)
                channels.append(nn.functional.max_pool1d(found, 2).flatten(1))
            return modules["output"](torch.relu(modules["hidden"](torch.cat(channels, dim=1))))

        return Layers(modules, forward)


def dropped(torch: Any, values: Any, training: bool) -> Any:
    """Dropout. torch.nn.Dropout takes five times as long to draw."""
    return values * (torch.rand_like(values) >= _DROPOUT) / (1 - _DROPOUT) if training else values


def convolved(torch: Any, modules: Any, kernel: int, distinct: Any, places: Any) -> Any:
    """The convolution of the embeddings of a batch's words, (texts, positions, filters).

    Each distinct word of the batch is multiplied by the weights once, and the products are then added up along the
    text: the same sums with a quarter of the multiplications.
    """
    layer = modules[f"convolution{kernel}"]
    weights = layer.weight.permute(1, 2, 0).flatten(1)  # dimensions by (offset, filter)
    products = torch.nn.functional.embedding(places, modules[f"embedding{kernel}"](distinct) @ weights)
    return _along(torch).apply(products, kernel) + layer.bias


@cache
def _along(torch: Any) -> Any:
    """Sums along the text: of (texts, words, offset and filter) the filters at the offset of each word of a window."""

    def windows(products: Any, kernel: int) -> Any:
        """(texts, positions, offset, filters), the same memory: one word additional at each offset."""
        texts, words, width = products.shape
        filters = width // kernel
        return products.as_strided(
            (texts, words - kernel + 1, kernel, filters), (words * width, width, width + filters, 1)
        )

    class Along(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(context: Any, products: Any, kernel: int) -> Any:
            context.shape, context.kernel = products.shape, kernel
            return windows(products, kernel).sum(dim=2)

        @staticmethod
        def backward(context: Any, gradient: Any) -> Any:
            found = gradient.new_empty(context.shape)
            found[:, : context.kernel - 1] = found[:, 1 - context.kernel :] = 0  # not every offset has a window there
            windows(found, context.kernel).copy_(gradient.unsqueeze(2).expand(-1, -1, context.kernel, -1))
            return found, None

    return Along
