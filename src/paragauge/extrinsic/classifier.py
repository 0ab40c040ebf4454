"""The contract of a classifier: texts and their classes to something that predicts the class of other texts."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._version import __version__
from ..parameters import Configured, written
from ..parameters import parameter as parameter

Classes = NDArray[np.int64]  # the number of the class of each text


class Fitted(NamedTuple):
    """What was learned."""

    predict: Callable[[Sequence[str]], Classes]
    losses: Sequence[float] = ()  # of the training texts in each epoch, where there are any


@dataclasses.dataclass(frozen=True, kw_only=True)
class Classifier(Configured, ABC):
    """Its fields are its parameters, and its parameters are its signature.

    What is learned depends on the texts, their order, their classes, the parameters and the seed alone: everything is
    computed by one thread, so that it is the same whatever the number of workers.
    """

    title: ClassVar[str]
    random: ClassVar[bool]  # does the seed change what is learned?

    @abstractmethod
    def fit(self, texts: Sequence[str], classes: Classes, number: int, seed: int) -> Fitted:
        """Learn from texts and the class of each, of `number` classes."""

    def prepare(self, texts: Sequence[str], progress: Callable[[int, int], None]) -> None:
        """Compute once what every training would ask for again, such as the vectors of texts; by default nothing."""

    def details(self) -> dict[str, str]:
        """Signature entries beyond the parameters; an entry replaces the field."""
        return {}

    @property
    def signature(self) -> str:
        """Everything that a prediction depends on, besides the texts and the seed."""
        entries = {field.name: written(getattr(self, field.name)) for field in dataclasses.fields(self)}
        listed = (f"{key}:{value}" for key, value in (entries | self.details()).items() if value)
        return "|".join([self.name, *listed, f"version:{__version__}"])
