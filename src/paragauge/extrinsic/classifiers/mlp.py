"""Multi-layer perceptron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..classifier import parameter
from ._networks import Layers, Network


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
            return modules["output"](torch.relu(modules["hidden"](modules["embedding"](rows).flatten(1))))

        return Layers(modules, forward)
