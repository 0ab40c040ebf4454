"""Long short-term memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ._recurrent import Recurrent


@dataclass(frozen=True, kw_only=True)
class Lstm(Recurrent):
    """Long short-term memory over the words of a text; the state after the last one decides.

    LSTM-RNN of Hailu et al. 2020, which does not give the number of units. `lstm-paper` fills texts up after their
    words, by which it stays at chance, as the paper's did.
    """

    name: ClassVar[str] = "lstm"
    title: ClassVar[str] = "LSTM"
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {"lstm-paper": {"padding": "after"}}
