"""Logistic regression on features of a text, by scikit-learn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...process.extras import require
from ..classifier import Classes, Classifier, parameter

STEPS = 5_000  # of the optimizer, at most


@dataclass(frozen=True)
class FittedLinear:
    """Features of a text, and a regression on them."""

    features: Callable[[Sequence[str]], Any]
    regression: Any
    losses: Sequence[float] = ()

    def predict(self, texts: Sequence[str]) -> Classes:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):
            return np.asarray(self.regression.predict(self.features(texts)), dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Linear(Classifier):
    """Logistic regression with an L2 penalty; deterministic."""

    extra: ClassVar[str] = "extrinsic"
    random: ClassVar[bool] = False

    c: float = parameter(10.0, "inverse strength of the L2 penalty", low=1e-6, high=1e6)

    @abstractmethod
    def learn(self, texts: Sequence[str]) -> Callable[[Sequence[str]], Any]:
        """The function from texts to features, learned from the training texts where there is something to learn."""

    def details(self) -> dict[str, str]:
        found = require("sklearn", "extrinsic", f"{self.title.lower()} needs scikit-learn")
        return {"scikit-learn": str(found.__version__)}

    def fit(self, texts: Sequence[str], classes: Classes, number: int, seed: int) -> FittedLinear:  # noqa: ARG002
        from threadpoolctl import threadpool_limits

        models = require("sklearn.linear_model", "extrinsic", f"{self.title.lower()} needs scikit-learn")
        with threadpool_limits(1):  # sums of several threads are rounded differently
            features = self.learn(texts)
            regression = models.LogisticRegression(C=self.c, max_iter=STEPS)
            regression.fit(features(texts), classes)
        return FittedLinear(features, regression)
