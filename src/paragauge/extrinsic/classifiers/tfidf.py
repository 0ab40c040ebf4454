"""Logistic regression on TF-IDF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...process.extras import require
from ..classifier import parameter
from ._linear import Linear


@dataclass(frozen=True, kw_only=True)
class Tfidf(Linear):
    """Logistic regression on TF-IDF of words and pairs of words, with logarithmic term frequencies."""

    name: ClassVar[str] = "tfidf"
    title: ClassVar[str] = "Logistic regression on TF-IDF"

    ngrams: int = parameter(2, "longest sequence of words that is a feature", low=1, high=5)

    def learn(self, texts: Sequence[str]) -> Callable[[Sequence[str]], Any]:
        text = require("sklearn.feature_extraction.text", "extrinsic", "TF-IDF needs scikit-learn")
        # every sequence of letters and digits is a word: texts of single letters have features too
        vectorizer = text.TfidfVectorizer(sublinear_tf=True, ngram_range=(1, self.ngrams), token_pattern=r"(?u)\b\w+\b")
        vectorizer.fit(texts)
        transform: Callable[[Sequence[str]], Any] = vectorizer.transform
        return transform
