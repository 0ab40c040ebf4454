"""Which rows are usable at which thresholds: what the page needs to say it of any."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..metrics.overall.usable import Usable
from ..rules import WHOLE
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
        never = np.array([head in ("empty", *WHOLE) for head in heads], dtype=np.bool_)
        self._able = self._judged & ~never
        whose = np.array(samples.systems, dtype=object)
        self._own = {system: whose == system for system in runs.systems}
        self.rows = {system: int((self._judged & own).sum()) for system, own in self._own.items()}

    def shares(self, accept: float, min_changed: float) -> dict[str, float | None]:
        """Of each system the share of its rows that is usable at these thresholds; None without a row."""
        reached = self._able & (self._meaning >= accept) & (self._changed >= min_changed)
        return {
            system: int((reached & own).sum()) / self.rows[system] if self.rows[system] else None
            for system, own in self._own.items()
        }

    def packed(self) -> dict[str, Any]:
        """For the page, which does the same: the metrics, the thresholds, and the rows that are not judged."""
        return {
            "usable": self.metric.spec,
            "meaning": self.metric.meaning.spec,
            "changed": self.metric.changed.spec,
            "accept": self.metric.accept,
            "min_changed": self.metric.min_changed,
            "never": ["empty", *WHOLE],  # reasons that no threshold undoes
            "left_out": np.flatnonzero(~self._judged).tolist(),
        }
