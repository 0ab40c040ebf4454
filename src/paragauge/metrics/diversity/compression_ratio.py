"""Compression ratio of a set of candidates."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...metric import Floats, Samples, SetMetric, Workspace, parameter
from ..shared.wording import Wording


@dataclass(frozen=True, kw_only=True)
class CompressionRatio(Wording, SetMetric):
    """Size of the set's candidates over their size compressed by gzip: the more they repeat each other, the higher.

    Bytes of the candidates in UTF-8, sorted and joined by line ends, over the bytes of their gzip file. Sorted, because
    the size depends a little on the order. Header and trailer of gzip take 18 bytes and the first occurrence of
    anything is hardly compressed, so small sets of short texts get about 1 or less, and only sets of about the same
    size can be compared. The `diversity` package of the paper's authors joins by spaces, compresses once more what
    is compressed already, and rounds to three digits (differences.md).
    """

    name = "compression-ratio"
    title = "Compression ratio"
    range = (0.0, float("inf"))
    higher_is_better = False
    citation = "Shaib et al. 2024, Standardizing the Measurement of Text Diversity, arXiv:2403.00553"
    limits = "Longer texts compress better whatever they say; spelling alike is what it sees."
    related = ("distinct", "selfbleu", "ds-bow")

    level: int = parameter(9, "gzip compression level", low=1, high=9)

    def rate_sets(self, sets: Sequence[Samples], work: Workspace) -> Floats:
        return np.array([self._ratio(self.texts(rows.candidates, work)) for rows in sets], dtype=np.float64)

    def _ratio(self, texts: Sequence[str]) -> float:
        data = "\n".join(sorted(texts)).encode("utf-8")
        return len(data) / len(gzip.compress(data, self.level, mtime=0))

    def details(self) -> dict[str, str]:
        return {"zlib": zlib.ZLIB_RUNTIME_VERSION}  # another version may find another size
