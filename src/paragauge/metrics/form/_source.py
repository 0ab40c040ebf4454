"""What the metrics of the candidate's and the source's words share."""

from __future__ import annotations

from typing import ClassVar

from ...compute.features import Tokens
from ...compute.workspace import Workspace
from ...metric import Need
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


def only_words(tokens: list[str]) -> list[str]:
    """The tokens that have a letter or a digit."""
    return [token for token in tokens if token.isalnum() or any(map(str.isalnum, token))]
