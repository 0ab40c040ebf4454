"""Multi-layer perceptron."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from paragauge.extrinsic.classifier import parameter

from ._networks import Layers, Network

_STRETCH = 25  # positions


@dataclass(frozen=True, kw_only=True)
class Mlp(Network):
    """Multi-layer perceptron on the embeddings of all words of a text, one after the other.

    SMPNN of Hailu et al. 2020, which does not give the size of the hidden layer.
    """

    name: ClassVar[str] = "mlp"
    title: ClassVar[str] = "Multi-layer perceptron"

    units: int = parameter(250, "of the hidden layer", low=1, high=100_000)

    def layers(self, torch: Any, outputs: int) -> Layers:
        nn = torch.nn
        modules = nn.ModuleDict(
            {
                "embedding": nn.Embedding(self.vocabulary, self.dimensions),
                "hidden": nn.Linear(self.length * self.dimensions, self.units),
                "output": nn.Linear(self.units, outputs),
            }
        )

        def forward(rows: Any) -> Any:
            found = summed(torch, rows, modules["embedding"].weight, modules["hidden"].weight)
            return modules["output"](torch.relu(found + modules["hidden"].bias))

        return Layers(modules, forward)


def summed(torch: Any, rows: Any, embedding: Any, weight: Any) -> Any:
    """The embeddings of the words of each text, one after the other, times the weights: (texts, units).

    Where a text is filled up, the product is that of padding, whatever the text. So texts are sorted by length, and of
    each stretch of positions only those with words there are multiplied, and one text of nothing but padding.
    """
    ends = (torch.arange(1, rows.shape[1] + 1) * (rows != 0)).amax(dim=1)
    order = ends.argsort(descending=True, stable=True)
    sorted_rows = torch.cat([rows[order], torch.zeros_like(rows[:1])])
    counts = (ends.unsqueeze(1) > torch.arange(0, rows.shape[1], _STRETCH)).sum(dim=0).tolist()
    return _summing(torch).apply(sorted_rows, counts, embedding, weight)[order.argsort()]


@cache
def _summing(torch: Any) -> Any:
    """Gradients by hand: autograd would copy those of the stretches of the weights into one matrix at each step."""

    def stretches(rows: Any, counts: list[int], width: int) -> Iterator[tuple[int, Any, slice]]:
        for start, count in zip(range(0, rows.shape[1], _STRETCH), counts, strict=True):
            own = rows[:, start : start + _STRETCH]
            yield count, torch.cat([own[:count], own[-1:]]), slice(start * width, (start + own.shape[1]) * width)

    class Summing(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(context: Any, rows: Any, counts: list[int], embedding: Any, weight: Any) -> Any:
            context.save_for_backward(rows, embedding, weight)
            context.counts = counts
            found = weight.new_zeros(len(rows) - 1, len(weight))
            for count, words, part in stretches(rows, counts, embedding.shape[1]):
                products = embedding[words].flatten(1) @ weight[:, part].t()
                found[:count] += products[:count]
                found[count:] += products[count]
            return found

        @staticmethod
        def backward(context: Any, gradient: Any) -> Any:
            rows, embedding, weight = context.saved_tensors
            to_embedding, to_weight = torch.zeros_like(embedding), torch.empty_like(weight)
            for count, words, part in stretches(rows, context.counts, embedding.shape[1]):
                own = torch.cat([gradient[:count], gradient[count:].sum(dim=0, keepdim=True)])
                torch.mm(own.t(), embedding[words].flatten(1), out=to_weight[:, part])
                to_embedding.index_add_(0, words.flatten(), (own @ weight[:, part]).view(-1, embedding.shape[1]))
            return None, None, to_embedding, to_weight

    return Summing
