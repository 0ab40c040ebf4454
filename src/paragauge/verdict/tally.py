"""Judgments counted: by system, as a record that can be read again, and at other thresholds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..stats.interval import Estimate
from .findings import Outcome
from .judgment import Criterion, Judgment, Thresholds

STEPS = 20  # of the thresholds that are tried: 0, 0.05, … 1
_NO_REASON = (Outcome.OK, Outcome.CHECK, Outcome.UNDEFINED)


def _no_rows() -> NDArray[np.int64]:
    return np.zeros((STEPS + 1, STEPS + 1), dtype=np.int64)


def usable_scores(rows: Sequence[Judgment]) -> NDArray[np.float64]:
    """1 where it is usable, 0 where it is not, NaN where it cannot be judged."""
    return np.array([np.nan if one.usable is None else one.usable for one in rows], dtype=np.float64)


class Reason(NamedTuple):
    """How many candidates are not usable for one reason, and in how many of them what was found."""

    rows: int
    kinds: dict[str, int]


@dataclass(frozen=True)
class Tally:
    """Rows by outcome, by outcome and kind of finding, and those usable at thresholds of meaning and changed wording.

    Tallies add up.
    """

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    kinds: Counter[tuple[Outcome, str]] = field(default_factory=Counter)
    grid: NDArray[np.int64] = field(default_factory=_no_rows)

    @classmethod
    def of(cls, rows: Sequence[Judgment], thresholds: Thresholds) -> Tally:
        """Of some rows, judged by these thresholds."""
        places = _no_rows()
        open_rows = [one for one in rows if not one.is_final(thresholds.strict)]
        numbers = [
            (one.meaning, one.changed) for one in open_rows if one.meaning is not None and one.changed is not None
        ]
        if numbers:
            steps = np.arange(STEPS + 1) / STEPS
            np.add.at(places, tuple(np.searchsorted(steps, np.array(numbers).T, side="right") - 1), 1)
        return cls(
            Counter(one.outcome for one in rows),
            Counter((one.outcome, kind) for one in rows for kind in one.kinds),
            places[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1],
        )

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.outcomes + other.outcomes, self.kinds + other.kinds, self.grid + other.grid)

    @property
    def why(self) -> dict[Outcome, Reason]:
        """Why rows are not usable, the commonest reason first."""
        found = {}
        for outcome, count in _ordered({name: own for name, own in self.outcomes.items() if name not in _NO_REASON}):
            kinds = {kind: own for (reason, kind), own in self.kinds.items() if reason == outcome}
            found[outcome] = Reason(count, dict(_ordered(kinds)))
        return found


def _ordered(counts: Mapping[Any, int]) -> list[tuple[Any, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


class SystemVerdict(NamedTuple):
    """What is known of one system."""

    system: str
    rows: int
    meaning: Estimate
    changed: Estimate
    usable: Estimate
    tally: Tally

    @property
    def why(self) -> dict[Outcome, Reason]:
        """Why its candidates are not usable, the commonest reason first."""
        return self.tally.why

    @property
    def check(self) -> int:
        """How many usable candidates there is something to look at in."""
        return self.tally.outcomes[Outcome.CHECK]


class Verdict(NamedTuple):
    """The verdict on systems, the one with the most usable candidates first."""

    criterion: Criterion
    calibrated: bool  # is meaning a probability?
    systems: list[SystemVerdict]
    gap: Estimate | None  # usable candidates of the first less those of the second; None where not comparable

    def record(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        steps = [step / STEPS for step in range(STEPS + 1)]
        return {
            "metrics": self.criterion.metrics,
            **self.criterion.thresholds._asdict(),
            "calibrated": self.calibrated,
            "systems": [_as_record(one) for one in self.systems],
            "gap": None if self.gap is None else _numbers(self.gap),
            "sensitivity": {
                "accept": steps,
                "min_changed": steps,
                "usable": {one.system: one.tally.grid.tolist() for one in self.systems},
            },
        }

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> Verdict:
        """The inverse of `record`."""
        grids = record["sensitivity"]["usable"]
        systems = [_from_record(one, grids[one["system"]]) for one in record["systems"]]
        thresholds = Thresholds(*(record[name] for name in Thresholds._fields))
        criterion = Criterion(**record["metrics"], thresholds=thresholds)
        gap = None if record["gap"] is None else _estimate(record["gap"])
        return cls(criterion, record["calibrated"], systems, gap)


_SHARES = ("meaning", "changed", "usable")


def _numbers(found: Estimate) -> dict[str, float | None]:
    return {"mean": found.value, "low": found.low, "high": found.high}


def _estimate(record: Mapping[str, float | None]) -> Estimate:
    return Estimate(*(record[name] for name in ("mean", "low", "high")))


def _as_record(one: SystemVerdict) -> dict[str, Any]:
    numbers = {name: _numbers(getattr(one, name)) for name in _SHARES}
    why = {str(outcome): reason._asdict() for outcome, reason in one.why.items()}
    return {"system": one.system, "rows": one.rows} | numbers | {"why": why, "check": one.check}


def _from_record(record: Mapping[str, Any], grid: Sequence[Sequence[int]]) -> SystemVerdict:
    outcomes = Counter({Outcome(name): reason["rows"] for name, reason in record["why"].items()})
    kinds = Counter(
        {
            (Outcome(name), kind): rows
            for name, reason in record["why"].items()
            for kind, rows in reason["kinds"].items()
        }
    )
    outcomes[Outcome.CHECK] = record["check"]
    numbers = {name: _estimate(record[name]) for name in _SHARES}
    return SystemVerdict(record["system"], record["rows"], tally=Tally(outcomes, kinds, np.array(grid)), **numbers)
