"""Length ratio: the sentinel of metrics that reward or punish length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...compute.features import Tokens
from ...compute.workspace import Workspace
from ...metric import Floats, Need, parameter
from ...tables.samples import Samples
from ._sentinel import Sentinel


@dataclass(frozen=True, kw_only=True)
class LengthRatio(Sentinel):
    """Length of the shorter of source and candidate over that of the longer: 1 for equal length.

    It knows nothing of what the texts say. A metric that agrees with people no better than this sees length alone.
    """

    name: ClassVar[str] = "length-ratio"
    title: ClassVar[str] = "Length ratio"
    needs: ClassVar[Need] = "source"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    symmetric: ClassVar[bool] = True
    related: ClassVar[tuple[str, ...]] = ("copy-rate", "source-only", "candidate-only")

    level: str = parameter("word", "what is counted (in Chinese, a word is a character)", choices=("word", "character"))

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        lengths = np.array(
            [self._lengths(texts, work) for texts in (samples.candidates, samples.sources)], dtype=np.float64
        )
        longer = lengths.max(axis=0)
        ratios: Floats = lengths.min(axis=0) / np.where(longer > 0, longer, np.nan)
        return ratios

    def _lengths(self, texts: list[str], work: Workspace) -> list[int]:
        return list(map(len, work.get(Tokens("words"), texts) if self.level == "word" else map(str.strip, texts)))

    def reason(self, samples: Samples, row: int) -> str:  # noqa: ARG002
        return f"neither the candidate nor the source has a {self.level}"
