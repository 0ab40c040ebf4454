"""Vocabulary novelty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...compute.features import Tokens
from ...compute.workspace import Workspace
from ...metric import Floats, parameter
from ...tables.samples import Samples
from ...text.ngrams import shared_tokens, shared_types
from ._source import SourceMetric, share


@dataclass(frozen=True, kw_only=True)
class Novelty(SourceMetric):
    """Share of the candidate's words that do not stand in the source: 0 for a copy, 1 for all new words.

    Words are lower-cased runs of letters and digits, so that punctuation and capitals are never new. By default each
    distinct word counts once (`count=types`): it is a property of the vocabulary, and a repeated new word is not newer.
    `count=tokens` counts every occurrence.
    """

    name: ClassVar[str] = "novelty"
    title: ClassVar[str] = "Novelty"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    citation: ClassVar[str] = (
        "See et al. 2017, Get To The Point, ACL (novel n-grams); the order 1 of Chen and Dolan 2011"
    )
    limits: ClassVar[str] = (
        "Inflected forms are new words, reordered ones are not; wrong words are as new as good ones."
    )
    related: ClassVar[tuple[str, ...]] = ("pinc", "lexical-deviation", "copy-rate")

    count: str = parameter("types", "each distinct word once, or every occurrence", choices=("types", "tokens"))

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        pairs = self.words(samples, work, Tokens("words"))
        shared, own = shared_types(pairs, 1) if self.count == "types" else shared_tokens(pairs)
        return share((own - shared)[:, 0], own[:, 0], pairs)
