"""What the metrics share whose model the user names: which one, and how a pair of texts goes through it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...compute.features import judge
from ...errors import Hint, InputError
from ...metric import Floats, PairMetric, Workspace, parameter
from ...models.pairs.pair_model import PairModel


@dataclass(frozen=True, kw_only=True)
class PairModelMetric(PairMetric):
    """A comparison by a model of two texts. A pair with an empty text is not judged: its score is NaN."""

    loads = "pair model"
    light = False

    model: str | None = parameter(None, "a model folder or a hub id such as org/name; there is no default")
    precision: str = parameter("float32", "int8 is faster and a little less exact", choices=("float32", "int8"))

    @abstractmethod
    def load(self) -> PairModel:
        """The model, loaded once per process."""

    def named(self, kind: str) -> str:
        """The model's name, or the error that says how to give one."""
        if self.model is None:
            raise InputError(
                f"{self.name} needs a model ({kind} folder or hub id)",
                Hint("name it with {metrics}", metrics=f"{self.name}:model=FOLDER"),
            )
        return self.model

    def both_ways(
        self, pairs: Sequence[tuple[str, str]], place: int, only: str | None, work: Workspace
    ) -> list[Floats]:
        """One of the model's numbers for each pair of a candidate and another text, NaN where a text is empty.

        Of the other text and then the candidate ("forward"), and of the candidate and then the other text ("backward"),
        or `only` one of them.
        """
        turned = {"forward": [(other, text) for text, other in pairs], "backward": list(pairs)}
        wanted = turned if only is None else {only: turned[only]}
        found = judge(self.load(), [pair for asked in wanted.values() for pair in asked], work)
        numbers = np.array([np.nan if values is None else values[place] for values in found], np.float64)
        return np.split(numbers, len(wanted))

    def details(self) -> dict[str, str]:
        model = self.load()
        return {"model": model.name, "sha256": model.sha256[:12], "limit": str(model.limit)}
