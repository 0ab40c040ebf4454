"""Recurrent networks, which read a text word by word and are judged by their last state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from paragauge.extrinsic.classifier import parameter

from ._networks import Layers, Network
from ._recurrence import last_states
from ._words import PADDINGS


@dataclass(frozen=True, kw_only=True)
class Recurrent(Network):
    """Padded `after` the words, a text of 230 words is followed by 270 steps of nothing, by which its state is lost:
    such a network stays at chance. `unread` takes the state after the last word.
    """

    padding: str = parameter(
        "unread", "where shorter texts are padded; unread: the state after the last word counts", choices=PADDINGS
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
            ends = torch.full((len(rows),), rows.shape[1])
            if self.padding == "unread":
                ends = (rows != 0).sum(dim=1).clamp(min=1)
            distinct, places = torch.unique(rows[:, : int(ends.max())], return_inverse=True)
            states = last_states(torch, modules["recurrent"], modules["embedding"](distinct), places, ends)
            return modules["output"](states)

        return Layers(modules, forward)
