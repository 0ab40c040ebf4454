"""Lexical deviation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...compute.workspace import Workspace
from ...metric import Floats, parameter
from ...tables.samples import Samples
from ...text.ngrams import shared_types, types
from ...text.tokens import SACREBLEU
from ._source import SourceMetric, Words, share


@dataclass(frozen=True, kw_only=True)
class LexicalDeviation(SourceMetric):
    """Share of the vocabulary of source and candidate that only one of them has: 0 for the same words, 1 for none.

    LD = 1 − |S ∩ C| / |S ∪ C|, over distinct words (tokens with a letter or a digit). The paper's code compares spaCy's
    lemmas of a chosen model; ours compares lower-cased word forms, in every language and without a model, so a changed
    ending is a deviation here. On equal tokens the two are equal (differences.md).
    """

    name: ClassVar[str] = "lexical-deviation"
    title: ClassVar[str] = "Lexical deviation"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    symmetric: ClassVar[bool] = True
    citation: ClassVar[str] = "Liu and Soh 2022, Towards Better Characterization of Paraphrases, ACL"
    limits: ClassVar[str] = "Says how many words were changed, not whether for good ones; inflected forms count as new."
    related: ClassVar[tuple[str, ...]] = ("word-position-deviation", "novelty", "pinc")

    tokenizer: str = parameter("auto", "tokenization", choices=("auto", *SACREBLEU))
    lowercase: bool = parameter(True, "ignore case")

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        pairs = self.words(samples, work, Words(self.tokenizer, self.lowercase))
        shared, _ = shared_types(pairs, 1)
        return 1 - share(shared[:, 0], types(pairs, 1)[:, 0], pairs)
