"""Logistic regression on features of a text, by scikit-learn: on TF-IDF, and on sentence embeddings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...compute.store import FeatureStore
from ...compute.workspace import Workspace, no_progress
from ...models.encoders.encoder import Encoder, load_encoder
from ...process.extras import require
from ..classifier import Classes, Classifier, Fitted, parameter

STEPS = 5_000  # of the optimizer, at most
_BATCH = 512  # texts that are encoded before what was made of them is written to the cache


@dataclass(frozen=True, kw_only=True)
class Linear(Classifier):
    """Logistic regression with an L2 penalty; deterministic."""

    random: ClassVar[bool] = False

    c: float = parameter(10.0, "inverse strength of the L2 penalty", low=1e-6, high=1e6)

    @abstractmethod
    def learn(self, texts: Sequence[str]) -> Callable[[Sequence[str]], Any]:
        """The function from texts to features, learned from the training texts where there is something to learn."""

    def details(self) -> dict[str, str]:
        found = require("sklearn", "extrinsic", f"{self.title.lower()} needs scikit-learn")
        return {"scikit-learn": str(found.__version__)}

    def fit(self, texts: Sequence[str], classes: Classes, number: int, seed: int) -> Fitted:  # noqa: ARG002
        from threadpoolctl import threadpool_limits

        models = require("sklearn.linear_model", "extrinsic", f"{self.title.lower()} needs scikit-learn")
        with threadpool_limits(1):  # sums of several threads are rounded differently
            features = self.learn(texts)
            regression = models.LogisticRegression(C=self.c, max_iter=STEPS)
            regression.fit(features(texts), classes)

        def predict(texts: Sequence[str]) -> Classes:
            with threadpool_limits(1):
                return np.asarray(regression.predict(features(texts)), dtype=np.int64)

        return Fitted(predict)


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


@dataclass(frozen=True)
class SentenceVector:
    """The vector of a whole text, as the encoder pools it; without those of its tokens it is small to keep."""

    encoder: Encoder

    progress_label = "encoding texts"

    @property
    def signature(self) -> str:
        return f"sentence|{self.encoder.signature}"

    def compute(self, texts: Sequence[str]) -> Iterable[NDArray[np.float32]]:
        return (encoded.sentence for encoded in self.encoder.encode(texts))

    def size(self, vector: NDArray[np.float32]) -> int:
        return vector.nbytes

    def pack(self, vector: NDArray[np.float32]) -> bytes:
        return vector.astype("<f4", copy=False).tobytes()

    def unpack(self, data: bytes) -> NDArray[np.float32]:
        return np.frombuffer(data, "<f4")


@dataclass(frozen=True, kw_only=True)
class Embeddings(Linear):
    """Logistic regression on the sentence embedding of a text.

    A text beyond the limit of the encoder is cut off there. Vectors are kept in the disk cache.
    """

    name: ClassVar[str] = "embeddings"
    title: ClassVar[str] = "Logistic regression on sentence embeddings"

    encoder: str = parameter("default", "encoder name (see `paragauge models`), model folder or hub id")

    def learn(self, texts: Sequence[str]) -> Callable[[Sequence[str]], Any]:  # noqa: ARG002
        return self.vectors

    def prepare(self, texts: Sequence[str], progress: Callable[[int, int], None]) -> None:
        self.vectors(list(dict.fromkeys(texts)), progress)

    def vectors(self, texts: Sequence[str], progress: Callable[[int, int], None] = no_progress) -> NDArray[np.float32]:
        """One row per text."""
        feature = SentenceVector(load_encoder(self.encoder))
        work = Workspace(FeatureStore.default())
        rows: list[NDArray[np.float32]] = []
        try:
            for start in range(0, len(texts), _BATCH):
                rows += work.get(feature, texts[start : start + _BATCH])
                work.flush()
                progress(len(rows), len(texts))
        finally:
            work.close()
        return np.stack(rows)

    def details(self) -> dict[str, str]:
        encoder = load_encoder(self.encoder)
        return super().details() | {"encoder": encoder.name, "sha256": encoder.sha256[:12]}
