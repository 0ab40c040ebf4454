"""Recurrent networks, which read a text word by word and are judged by their last state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..classifier import parameter
from ._networks import Layers, Network
from ._words import PADDINGS


@dataclass(frozen=True, kw_only=True)
class Recurrent(Network):
    """Filled up `after` the words, a text of 230 words is followed by 270 steps of nothing, by which its state is lost:
    such a network stays at chance. `unread` takes the state after the last word.
    """

    padding: str = parameter(
        "unread", "where shorter texts are filled up; unread: the state after the last word counts", choices=PADDINGS
    )
    units: int = parameter(32, "of the recurrent layer", low=1, high=10_000)

    def layers(self, torch: Any, outputs: int) -> Layers:
        nn = torch.nn
        kind = {"gru": nn.GRU, "lstm": nn.LSTM}[self.name]
        modules = nn.ModuleDict(
            {
                "embedding": nn.Embedding(self.vocabulary, self.dimensions),
                "recurrent": kind(self.dimensions, self.units, batch_first=True),
                "output": nn.Linear(self.units, outputs),
            }
        )

        def forward(rows: Any) -> Any:
            if self.padding != "unread":
                states, _ = modules["recurrent"](modules["embedding"](rows))
                return modules["output"](states[:, -1])
            ends = (rows != 0).sum(dim=1).clamp(min=1)
            states, _ = modules["recurrent"](modules["embedding"](rows[:, : int(ends.max())]))
            return modules["output"](states[torch.arange(len(rows)), ends - 1])

        return Layers(modules, forward)
