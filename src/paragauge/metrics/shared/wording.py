"""What metrics of wording share: which edits they see, the words of candidate and source, the parameters of BLEU."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np

from ...compute.features import Normalized, Tokens
from ...compute.token_ids import token_sequences
from ...errors import InputError
from ...metric import UNDEFINED, Floats, Metric, Samples, Workspace, parameter
from ...text.ngrams import Integers, Sequences
from ...text.normalize import normalize
from ...text.tokens import SACREBLEU

# characters of one text times those of the other: an edit distance takes time by it, here some ten seconds
MOST = 200_000_000_000


def too_long(one: str, other: str) -> bool:
    """Would an edit distance of these texts take minutes, or hours?"""
    return len(one) * len(other) > MOST


@dataclass(frozen=True, kw_only=True)
class Wording(Metric):
    """A metric of wording; with `normalize`, of normalized texts, so that a decorated copy counts as a copy."""

    normalize: bool = parameter(
        False, "compare wording without case, accents, whitespace, width forms and invisible characters"
    )

    def texts(self, texts: Sequence[str], work: Workspace) -> Sequence[str]:
        """The texts as this metric reads them."""
        return work.get(Normalized(), texts) if self.normalize else texts

    def worded(self, samples: Samples, work: Workspace) -> Samples:
        """The samples as this metric reads them."""
        if not self.normalize:
            return samples
        references = iter(self.texts([text for group in samples.references for text in group], work))
        return replace(
            samples,
            sources=list(self.texts(samples.sources, work)),
            candidates=list(self.texts(samples.candidates, work)),
            references=[tuple(filter(None, [next(references) for _ in group])) for group in samples.references],
        )

    def reason(self, samples: Samples, row: int) -> str:
        found = super().reason(samples, row)
        if self.normalize and found == UNDEFINED:
            texts = {"candidate": [samples.candidates[row]], "source": [samples.sources[row]]}
            for name, group in (texts | {"references": samples.references[row]}).items():
                if group and not any(map(normalize, group)):
                    return f"the {name} has only characters that do not show"
        return found


def tokens_of_sets(metric: Wording, feature: Tokens, sets: Sequence[Samples], work: Workspace) -> list[list[list[str]]]:
    """Of each set the tokens of each candidate, as the metric reads it."""
    tokens = iter(work.get(feature, metric.texts([text for rows in sets for text in rows.candidates], work)))
    return [[next(tokens) for _ in rows.candidates] for rows in sets]


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


@dataclass(frozen=True, kw_only=True)
class BleuParameters(Wording):
    """How a BLEU is computed."""

    order: int = parameter(4, "longest n-gram", low=1, high=16)
    tokenizer: str = parameter("auto", "tokenization", choices=("auto", *SACREBLEU))
    lowercase: bool = parameter(False, "ignore case")
    smoothing: str = parameter("exp", "for n-gram orders without matches", choices=("exp", "floor", "add-k", "none"))
    smooth_value: float | None = parameter(None, "for smoothing floor (default 0.1) and add-k (default 1)", low=0)
    effective_order: bool = parameter(True, "in a row's score, leave out orders the candidate is too short for")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.smoothing == "floor" and self.smooth_value is not None and self.smooth_value > 1:
            raise InputError(
                f"{self.name}: smooth_value={self.smooth_value:g} is out of range; with smoothing=floor it counts in "
                "place of no match: expected from 0 to 1"
            )

    def bleu_parameters(self) -> dict[str, Any]:
        """These parameters by name."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(BleuParameters)}
