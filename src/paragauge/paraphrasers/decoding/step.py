"""What a search asks of a model: the log-probabilities of the next token, batched, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import numpy as np

from ...models.generate.generator import Hypothesis as Hypothesis
from ...models.generate.generator import Ids
from ...models.generate.generator import LogProbabilities as LogProbabilities

Own = TypeVar("Own", bound="State")


class State(Protocol):
    """Where a model stands with each row; searches only ever pick rows of it."""

    def select_rows(self: Own, rows: Ids) -> Own:
        """The state of these rows, in this order; a row may be taken several times."""
        ...


Where = TypeVar("Where", bound=State)


class StepModel(Protocol[Where]):
    """A model that continues sequences. A row's numbers do not depend on the rows next to it, up to rounding."""

    @property
    def vocabulary(self) -> int:
        """How many tokens there are."""
        ...

    @property
    def begin(self) -> int:
        """The token that stands before every sequence; it is never part of one."""
        ...

    @property
    def end(self) -> int:
        """The token behind every sequence."""
        ...

    @property
    def suppressed(self) -> Sequence[int]:
        """Tokens that it never writes."""
        ...

    def start(self, sources: Sequence[Sequence[int]]) -> Where:
        """One row per source, before the first token."""
        ...

    def step(self, state: Where, tokens: Ids) -> tuple[LogProbabilities, Where]:
        """Each row after one more token: what may follow, and the state behind it."""
        ...


def score_of(log_probability: float, length: int, penalty: float) -> float:
    """The log-probability divided by length ** penalty, as in CTranslate2: the end token counts where there is one.

    >>> score_of(-6.0, 3, 1.0), score_of(-6.0, 3, 0.0)
    (-2.0, -6.0)
    """
    if penalty == 0:
        return log_probability
    return log_probability / length**penalty if length else -np.inf
