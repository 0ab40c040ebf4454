"""Distinct n-grams of a set of candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...compute.features import Tokens
from ...metric import Floats, Samples, SetMetric, Workspace, parameter
from ...text.ngrams import sequences_of_tokens, totals, types
from ...text.tokens import SACREBLEU
from ..shared.wording import Wording, tokens_of_sets


@dataclass(frozen=True, kw_only=True)
class Distinct(Wording, SetMetric):
    """Distinct n-grams over all n-grams of the candidates of a set: 1 if none is repeated, near 0 if all are the same.

    distinct-n = |set of n-grams| / number of n-grams, over all candidates that a system has for a source. Li et al.
    2016 take all outputs of a system together instead, which falls with the size of the test set. No n-gram goes across
    the border of two candidates.
    """

    name = "distinct"
    title = "Distinct-n"
    range = (0.0, 1.0)
    higher_is_better = True
    citation = "Li et al. 2016, A Diversity-Promoting Objective Function for Neural Conversation, NAACL"
    limits = "Falls with the number and length of the candidates: compare sets of one size only."
    related = ("selfbleu", "compression-ratio", "ds-bow")
    presets = {f"distinct-{n}": {"n": n} for n in (1, 2, 3)}

    n: int = parameter(2, "length of the n-grams", low=1, high=16)
    tokenizer: str = parameter("auto", "tokenization", choices=("auto", *SACREBLEU))
    lowercase: bool = parameter(False, "ignore case")

    def rate_sets(self, sets: Sequence[Samples], work: Workspace) -> Floats:
        tokens = tokens_of_sets(self, Tokens(self.tokenizer, self.lowercase), sets, work)
        sequences = sequences_of_tokens(tokens)
        lengths = totals(sequences.lengths, self.n)[:, -1]
        total = np.bincount(sequences.row, weights=lengths, minlength=len(sets))
        return types(sequences, self.n)[:, -1] / np.where(total > 0, total, np.nan)

    def reason(self, samples: Samples, row: int) -> str:  # noqa: ARG002
        return f"no candidate of the set has {self.n} words" if self.n > 1 else "no candidate of the set has a word"
