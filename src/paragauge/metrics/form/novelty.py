"""Vocabulary novelty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...metric import parameter
from ._source import ShareMetric


@dataclass(frozen=True, kw_only=True)
class Novelty(ShareMetric):
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

    def share(self, candidate: list[str], source: list[str]) -> float:
        known = set(source)
        if self.count == "types":
            own = set(candidate)
            return len(own - known) / len(own)
        return sum(word not in known for word in candidate) / len(candidate)
