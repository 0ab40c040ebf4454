"""Which rows are usable at which thresholds: what the page needs to say it of any."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..tables.scores import Scores
from ..tables.shared_rows import SharedRows
from ..verdict.judgment import Criterion, Judgment


class Standing:
    """Where the rows of each system stand between the thresholds."""

    def __init__(self, scores: Scores, criterion: Criterion) -> None:
        samples, column = scores.samples, scores.columns[criterion.usable]
        self.criterion = criterion
        self._meaning, self._changed = scores[criterion.meaning], scores[criterion.changed]
        # as the mean of `usable` has it: rows that all systems have, and that are judged
        self._judged = SharedRows(scores.empty, [samples]).counts(samples) & ~np.isnan(column.scores)
        rows: list[Judgment] = list(column.judgments or ())
        self._final = np.array([one.is_final(criterion.thresholds.strict) for one in rows], dtype=np.bool_)
        self._systems = {system: place for place, system in enumerate(dict.fromkeys(samples.systems))}
        self._whose = np.array([self._systems[system] for system in samples.systems], dtype=np.intp)
        self.rows = self._counted(self._judged)

    def shares(self, accept: float, min_changed: float) -> dict[str, float | None]:
        """Of each system the share of its rows that is usable at these thresholds; None without a row."""
        reached = self._judged & ~self._final & (self._meaning >= accept) & (self._changed >= min_changed)
        counts = self._counted(reached)
        return {system: counts[system] / rows if rows else None for system, rows in self.rows.items()}

    def _counted(self, chosen: NDArray[np.bool_]) -> dict[str, int]:
        counts = np.bincount(self._whose[chosen], minlength=len(self._systems)).tolist()
        return dict(zip(self._systems, counts, strict=True))

    def packed(self) -> dict[str, Any]:
        """For the page, which does the same: metrics, thresholds, rows that are not judged or not usable at any."""
        return {
            **self.criterion.metrics,
            **self.criterion.thresholds._asdict(),
            "final": np.flatnonzero(self._final).tolist(),
            "left_out": np.flatnonzero(~self._judged).tolist(),
        }
