"""The agreement of many metrics with people at once, each with its interval over sources and its undefined rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError
from paragauge.stats.agreement import resample
from paragauge.stats.arrays import Floats
from paragauge.stats.correlation import correlate
from paragauge.stats.resample import RESAMPLES


class Agreement(NamedTuple):
    """A correlation with people, its 95% interval over sources, and what it rests on; `reason` where it is NaN."""

    value: float
    low: float
    high: float
    rows: int
    sources: int
    reason: str


def agreements(
    scores: Mapping[str, Floats],
    human: Floats,
    sources: NDArray[np.intp],
    statistic: str = "pearson",
    resamples: int = RESAMPLES,
    seed: int = 0,
    least: int = 3,
) -> dict[str, Agreement]:
    """The correlation of each metric with people over the rows that both judged; no interval where resamples is 0.

    Fewer than `least` rows have none: two points lie on a line, whatever they are.
    """
    check_rows(scores, human, sources)
    together: dict[bytes, list[str]] = {}  # metrics that are defined for the same rows see the same resamples
    for name, column in scores.items():
        together.setdefault(np.isnan(column).tobytes(), []).append(name)
    found: dict[str, Agreement] = {}
    for names in together.values():
        known = ~np.isnan(human) & ~np.isnan(scores[names[0]])
        table = np.stack([scores[name][known] for name in names])
        people, groups = human[known], sources[known]
        drawn = resample(table, people, groups, statistic, resamples=resamples, seed=seed) if resamples else None
        for place, name in enumerate(names):
            value, low, high, reason = math.nan, math.nan, math.nan, f"there are fewer than {least} rows"
            if len(people) >= least:
                value, *_, reason = correlate(table[place], people, statistic)
                if drawn is not None:
                    _, low, high, _ = drawn.estimate(place).numbers
            found[name] = Agreement(value, low, high, len(people), len(np.unique(groups)), reason)
    return {name: found[name] for name in scores}


def check_rows(scores: Mapping[str, Floats], human: Floats, sources: NDArray[np.intp], **others: Floats) -> None:
    """Refuse columns of unequal length."""
    columns = {
        "the sources": sources,
        **{f"the {name.replace('_', ' ')}": own for name, own in others.items()},
        **scores,
    }
    for name, column in columns.items():
        if column.shape != human.shape:
            raise InputError(
                f"{name}: shape {column.shape} for ratings of shape {human.shape}; expected one value a row"
            )
