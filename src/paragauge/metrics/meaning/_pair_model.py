"""What the metrics share whose model the user names: which one, and how a pair of texts goes through it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from ...compute.features import judge
from ...errors import Hint, InputError
from ...metric import PairMetric, Workspace, parameter
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

    def judge(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> list[tuple[float, ...] | None]:
        return judge(self.load(), pairs, work)

    def details(self) -> dict[str, str]:
        model = self.load()
        return {"model": model.name, "sha256": model.sha256[:12], "limit": str(model.limit)}
