"""Which rows are usable at which thresholds: what the page needs to say it of any."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..metrics.overall.usable import Usable, reasons
from ..tables.shared import Shared
from .runs import Runs


class Standing:
    """Where the rows of each system stand between the thresholds."""

    def __init__(self, runs: Runs, metric: Usable) -> None:
        samples, column = runs.scores.samples, runs.scores.columns[metric.spec]
        self.metric = metric
        self._meaning, self._changed = runs.scores[metric.meaning.spec], runs.scores[metric.changed.spec]
        # as the mean of `usable` has it: rows that all systems have, and that are judged
        self._judged = Shared(runs.scores.empty, [samples]).counts(samples) & ~np.isnan(column.scores)
        heads = (column.notes.get(row, "").partition(": ")[0] for row in range(len(samples)))
        never = np.array([bool(reasons(head) & {*metric.never}) for head in heads], dtype=np.bool_)
        self._able = self._judged & ~never
        self._systems = {system: place for place, system in enumerate(runs.systems)}
        self._whose = np.array([self._systems[system] for system in samples.systems], dtype=np.intp)
        self.rows = self._counted(self._judged)

    def shares(self, accept: float, min_changed: float) -> dict[str, float | None]:
        """Of each system the share of its rows that is usable at these thresholds; None without a row."""
        reached = self._able & (self._meaning >= accept) & (self._changed >= min_changed)
        counts = self._counted(reached)
        return {system: counts[system] / rows if rows else None for system, rows in self.rows.items()}

    def _counted(self, chosen: NDArray[np.bool_]) -> dict[str, int]:
        counts = np.bincount(self._whose[chosen], minlength=len(self._systems)).tolist()
        return dict(zip(self._systems, counts, strict=True))

    def packed(self) -> dict[str, Any]:
        """For the page, which does the same: the metrics, the thresholds, and the rows that are not judged."""
        return {
            "usable": self.metric.spec,
            "meaning": self.metric.meaning.spec,
            "changed": self.metric.changed.spec,
            "accept": self.metric.accept,
            "min_changed": self.metric.min_changed,
            "never": list(self.metric.never),  # reasons that no threshold undoes
            "left_out": np.flatnonzero(~self._judged).tolist(),
        }
