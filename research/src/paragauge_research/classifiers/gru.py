"""Gated recurrent units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ._recurrent import Recurrent


@dataclass(frozen=True, kw_only=True)
class Gru(Recurrent):
    """Gated recurrent units over the words of a text; the state after the last one decides.

    GRU-RNN of Hailu et al. 2020, which does not give the number of units. `gru-paper` fills texts up after their
    words, by which it stays at chance, as the paper's did.
    """

    name: ClassVar[str] = "gru"
    title: ClassVar[str] = "GRU"
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {"gru-paper": {"padding": "after"}}
