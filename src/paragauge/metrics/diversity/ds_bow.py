"""Diversity of a set of candidates by shared words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from ...compute.features import Tokens
from ...metric import Floats, Samples, SetMetric, Workspace, parameter
from ...text.tokens import SACREBLEU
from ..shared.wording import Wording, tokens_of_sets


@dataclass(frozen=True, kw_only=True)
class DsBow(Wording, SetMetric):
    """Mean share of words that two candidates of a set do not share: 0 for the same words, 1 for none in common.

    DS = mean over pairs of 1 − Δ, Δ = distinct words in common / mean number of words of the two (repetitions counted,
    so a text that repeats a word has DS > 0 even with its own copy). Equal to the authors' code to 1e-9, except that an
    empty candidate is left out: there it is a text of one word of its own, unlike the rest, so that silence is diverse
    (`paragauge references diversity` keeps that, as published). Tokenization is sacrebleu's 13a, as there; `auto` also
    takes characters of scripts without spaces (Chinese, Japanese, Thai …) for words. The published figure for human
    paraphrases was computed on parse trees (differences.md).
    """

    name = "ds-bow"
    title = "DS-BOW"
    range = (0.0, 1.0)
    higher_is_better = True
    citation = "Bawden et al. 2020, A Study in Improving BLEU Reference Coverage, Findings of EMNLP"
    limits = "Counts words, not what they mean: two unrelated candidates are the most diverse."
    related = ("selfbleu", "distinct", "compression-ratio")

    tokenizer: str = parameter("auto", "tokenization", choices=("auto", *SACREBLEU))
    lowercase: bool = parameter(False, "ignore case")

    def rate_sets(self, sets: Sequence[Samples], work: Workspace) -> Floats:
        tokens = tokens_of_sets(self, Tokens(self.tokenizer, self.lowercase), sets, work)
        return np.array([_diversity([text or [""] for text in group]) for group in tokens], dtype=np.float64)

    def reason(self, samples: Samples, row: int) -> str:  # noqa: ARG002
        return "the set has fewer than two candidates with text, or none with a word"


def _diversity(texts: list[list[str]]) -> float:
    if len(texts) < 2 or not any(map(any, texts)):
        return np.nan
    numbers: dict[str, int] = {}
    rows = [{numbers.setdefault(token, len(numbers)) for token in text} for text in texts]
    occurs = np.zeros((len(texts), len(numbers)), dtype=np.float32)  # counts below 2²⁴ are exact
    for row, words in zip(occurs, rows, strict=True):
        row[list(words)] = 1
    lengths = np.array([len(text) for text in texts], dtype=np.float64)
    first, second = np.triu_indices(len(texts), 1)
    shared = (occurs @ occurs.T)[first, second]
    return fsum(1 - shared / ((lengths[first] + lengths[second]) / 2)) / len(first)
