"""Cosine of sentence embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...metric import Floats, PairMetric, Workspace
from ..shared.encoder import Neural


@dataclass(frozen=True, kw_only=True)
class Cosine(Neural, PairMetric):
    """Cosine of the two texts' sentence vectors, pooled as the encoder's own configuration says.

    Symmetric, from −1 to 1; 1 for a copy. Of several references the best counts.
    """

    name = "cosine"
    title = "Cosine"
    range = (-1.0, 1.0)
    higher_is_better = True
    symmetric = True
    citation = "Reimers and Gurevych 2019, Sentence-BERT, EMNLP"
    limits = "A negation or swapped roles hardly move it; a copy gets 1, so it says nothing of diversity."
    related = ("bertscore",)

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        encoded = self.encode([text for pair in pairs for text in pair], work)
        return np.array(
            [
                np.clip(np.dot(text.sentence, other.sentence), -1, 1) if all(map(str.strip, pair)) else np.nan
                for pair, text, other in zip(pairs, encoded[::2], encoded[1::2], strict=True)
            ],
            dtype=np.float64,
        )
