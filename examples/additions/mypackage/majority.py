"""The class that most training texts have."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paragauge.extrinsic.classifier import Classes, Classifier, Fitted


@dataclass(frozen=True, kw_only=True)
class Majority(Classifier):
    """The most frequent class for every text."""

    name = "majority"
    title = "Majority class"
    random = False  # it learns the same whatever the seed

    def fit(self, texts: Sequence[str], classes: Classes, number: int, seed: int) -> Fitted:  # noqa: ARG002
        most = np.bincount(classes).argmax()
        return Fitted(lambda others: np.full(len(others), most))
