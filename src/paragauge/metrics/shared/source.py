"""What the metrics of the candidate's and the source's words share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np

from ...compute.features import Tokens
from ...compute.token_ids import token_sequences
from ...metric import Floats, Samples, Workspace
from ...text.ngrams import Integers, Sequences
from .wording import Wording


class SourceMetric(Wording):
    """A metric of the words of candidate and source; NaN where either has none."""

    needs = "source"

    def words(self, samples: Samples, work: Workspace, feature: Tokens) -> Sequences:
        """The tokens of each candidate and of its source."""
        texts = (self.texts(column, work) for column in (samples.candidates, samples.sources))
        return token_sequences(feature, zip(*texts, strict=True), work)

    def reason(self, samples: Samples, row: int) -> str:
        found = super().reason(samples, row)
        return found if "empty" in found else "the candidate or the source has no words"


def share(some: Integers, of: Integers, pairs: Sequences) -> Floats:
    """What part they are of these, for each pair of texts; NaN where either has no words."""
    defined = pairs.lengths.reshape(-1, 2).all(axis=1)
    result: Floats = np.divide(some, of, out=np.full(len(some), np.nan), where=defined)
    return result


@dataclass(frozen=True)
class WordTokens(Tokens):
    """The tokens of a text that have a letter or a digit."""

    @property
    def signature(self) -> str:
        return f"words:{super().signature}"

    def end_to_end(self, keys: Sequence[str]) -> tuple[list[str], Integers]:
        tokens, lengths = super().end_to_end(keys)
        known = {token: token.isalnum() or any(map(str.isalnum, token)) for token in dict.fromkeys(tokens)}
        words = np.fromiter(map(known.__getitem__, tokens), np.bool_, len(tokens))
        if words.all():
            return tokens, lengths
        before = np.append(0, np.cumsum(words))[np.append(0, np.cumsum(lengths))]
        return list(compress(tokens, words)), np.diff(before)
