"""Sentinels: metrics that see too little to be right, and are there to be beaten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..compute.features import Tokens
from ..metric import Floats, Metric, Samples, Workspace, parameter
from ..text.ngrams import matches
from .shared.wording import SourceMetric, share

CITATION = "Perrella et al. 2024, Guardians of the MT Meta-Evaluation, ACL (what a sentinel metric is)"


class Sentinel(Metric):
    """A metric that sees too little to be right: what agrees with people no better has not seen more."""

    higher_is_better = True  # by convention: of a length neither direction means anything
    scores_empty = True
    citation = CITATION
    limits = "Means nothing by itself: it is there to be beaten."


def _lengths(texts: Sequence[str], work: Workspace) -> Floats:
    return np.array([len(words) for words in work.get(Tokens("words"), texts)], dtype=np.float64)


def _characters(texts: Sequence[str], work: Workspace) -> Floats:  # noqa: ARG001
    return np.array([len(text.strip()) for text in texts], dtype=np.float64)


@dataclass(frozen=True, kw_only=True)
class SourceOnly(Sentinel):
    """Number of words of the source, whatever the candidate says.

    A metric that agrees with people across sources no better than this only sees which sources are hard. Words are runs
    of letters and digits (in scripts without spaces, characters).
    """

    name = "source-only"
    title = "Source only"
    needs = "source"
    range = (0.0, float("inf"))
    related = ("candidate-only", "length-ratio", "copy-rate")

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        return _lengths(samples.sources, work)


@dataclass(frozen=True, kw_only=True)
class CandidateOnly(Sentinel):
    """Number of words of the candidate, whatever the source says.

    A metric that agrees with people no better than this has not compared anything. Words are runs of letters and digits
    (in scripts without spaces, characters).
    """

    name = "candidate-only"
    title = "Candidate only"
    needs = "nothing"
    range = (0.0, float("inf"))
    related = ("source-only", "length-ratio", "copy-rate")

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        return _lengths(samples.candidates, work)


@dataclass(frozen=True, kw_only=True)
class LengthRatio(Sentinel):
    """Length of the shorter of source and candidate over that of the longer: 1 for equal length.

    It knows nothing of what the texts say. A metric that agrees with people no better than this sees length alone.
    """

    name = "length-ratio"
    title = "Length ratio"
    needs = "source"
    range = (0.0, 1.0)
    symmetric = True
    related = ("copy-rate", "source-only", "candidate-only")

    level: str = parameter("word", "what is counted (in Chinese, a word is a character)", choices=("word", "character"))

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        count = _lengths if self.level == "word" else _characters
        lengths = np.stack([count(texts, work) for texts in (samples.candidates, samples.sources)])
        longer = lengths.max(axis=0)
        ratios: Floats = lengths.min(axis=0) / np.where(longer > 0, longer, np.nan)
        return ratios

    def reason(self, samples: Samples, row: int) -> str:  # noqa: ARG002
        return f"neither the candidate nor the source has a {self.level}"


@dataclass(frozen=True, kw_only=True)
class CopyRate(SourceMetric):
    """Share of the candidate's words that are taken from the source: 1 for a copy, a shortened or a reordered one.

    Every occurrence counts, but no more often than the word stands in the source, and words are lower-cased runs of
    letters and digits. `count=whole` is 1 where all words of both are the same in the same order (case, punctuation and
    spaces aside), else 0: its mean is the share of copies.
    """

    name = "copy-rate"
    title = "Copy rate"
    range = (0.0, 1.0)
    higher_is_better = False
    citation = CITATION
    limits = "Names and numbers must be copied; a good paraphrase of a short text shares most of its words."
    related = ("novelty", "bleu", "length-ratio")

    count: str = parameter("words", "words taken from the source, or copies of the whole", choices=("words", "whole"))

    @property
    def shares(self) -> bool:
        return self.count == "whole"

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        pairs = self.words(samples, work, Tokens("words"))
        if self.count == "words":
            return share(matches(pairs, 1)[:, 0], pairs.lengths[::2], pairs)
        texts = pairs.texts()
        same = np.array([one == other for one, other in zip(texts[::2], texts[1::2], strict=True)], np.int64)
        return share(same, np.ones_like(same), pairs)
