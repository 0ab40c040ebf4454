"""The length of the candidate: the sentinel that never sees the source."""

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
class CandidateOnly(Sentinel):
    """Number of words of the candidate, whatever the source says.

    A metric that agrees with people no better than this has not compared anything. Words are runs of letters and digits
    (in scripts without spaces, characters).
    """

    name: ClassVar[str] = "candidate-only"
    title: ClassVar[str] = "Candidate only"
    needs: ClassVar[Need] = "nothing"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    related: ClassVar[tuple[str, ...]] = ("source-only", "length-ratio", "copy-rate")

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        return np.array(list(map(len, work.get(Tokens("words"), samples.candidates))), dtype=np.float64)
