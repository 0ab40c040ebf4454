"""The length of the source: the sentinel that never sees the candidate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...compute.features import Tokens
from ...compute.workspace import Workspace
from ...metric import Floats, Need
from ...tables.samples import Samples
from ._sentinel import Sentinel


@dataclass(frozen=True, kw_only=True)
class SourceOnly(Sentinel):
    """Number of words of the source, whatever the candidate says.

    A metric that agrees with people across sources no better than this only sees which sources are hard. Words are runs
    of letters and digits (in scripts without spaces, characters).
    """

    name: ClassVar[str] = "source-only"
    title: ClassVar[str] = "Source only"
    needs: ClassVar[Need] = "source"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    related: ClassVar[tuple[str, ...]] = ("candidate-only", "length-ratio", "copy-rate")

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        return np.array(list(map(len, work.get(Tokens("words"), samples.sources))), dtype=np.float64)
