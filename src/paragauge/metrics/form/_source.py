"""What the metrics of the candidate's and the source's words share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...compute.features import Tokens
from ...compute.workspace import Workspace
from ...metric import Floats, Need
from ...tables.samples import Samples
from ._wording import Wording


class SourceMetric(Wording):
    """A metric of the words of candidate and source; NaN where either has none."""

    needs: ClassVar[Need] = "source"

    def words(self, samples: Samples, work: Workspace, feature: Tokens) -> list[tuple[list[str], list[str]]]:
        """The tokens of each candidate and of its source."""
        texts = (self.texts(column, work) for column in (samples.candidates, samples.sources))
        return list(zip(*(work.get(feature, column) for column in texts), strict=True))

    def reason(self, samples: Samples, row: int) -> str:
        found = super().reason(samples, row)
        return found if "empty" in found else "the candidate or the source has no words"


class ShareMetric(SourceMetric):
    """A share of the candidate's lower-cased words, by `share`."""

    @abstractmethod
    def share(self, candidate: list[str], source: list[str]) -> float:
        """Of two texts that have words."""

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        pairs = self.words(samples, work, Tokens("words"))
        return np.array([self.share(*pair) if all(pair) else np.nan for pair in pairs], dtype=np.float64)


@dataclass(frozen=True)
class Words(Tokens):
    """The tokens of a text that have a letter or a digit."""

    @property
    def signature(self) -> str:
        return f"words:{super().signature}"

    def compute(self, keys: Sequence[str]) -> Iterable[list[str]]:
        return map(_only_words, super().compute(keys))


def _only_words(tokens: list[str]) -> list[str]:
    return [token for token in tokens if token.isalnum() or any(map(str.isalnum, token))]
