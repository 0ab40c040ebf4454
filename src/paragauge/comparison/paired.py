"""Rows that all systems have, their sums by source, and what these are in resamples of the sources."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..metric import Floats
from ..stats.interval import Resamples
from ..stats.resample import count_sources, weighted_sums
from ..stats.tests import ALPHA, clusters, holm
from ..tables.samples import Samples
from ..tables.scores import ScoreColumn, Scores
from ..tables.shared_rows import SharedRows, unit_keys
from ..tables.summary import row_sums
from ..text.diff import word_differences
from .results import Example, Gap, Slice, SystemRow

_ROUNDING = 1e-12  # scores closer than this are tied: they differ in the order of their sums alone


class CommonRows:
    """The rows that all systems have: which row of one system is which of another, and of which source."""

    def __init__(self, scores: Scores, systems: list[str]) -> None:
        samples = scores.samples
        shared = SharedRows(scores.empty, [samples])
        if shared.matched == "none" or not shared.rows:
            raise InputError(
                "the systems have no row in common; expected the same ids and sources, or the same sources, in all"
            )
        self.systems, self.matched, self.empty = systems, shared.matched, scores.empty
        counts = shared.counts(samples)
        left_out = len(samples) - int(counts.sum())
        what = "rows" if shared.matched == "id" else "sources"
        self.notes = (
            [f"compared on the {shared.rows:,} {what} that all systems have; {left_out:,} rows were left out"]
            if left_out
            else []
        )
        self.rows = np.flatnonzero(counts)
        self.samples: Samples = samples.rows(self.rows.tolist())
        self.keys = np.unique(shared.keys(self.samples), return_inverse=True)[1]
        found = np.unique(unit_keys(self.samples), return_index=True, return_inverse=True)
        self.source_keys, firsts, self.units = found
        self.sources = [self.samples.sources[row] for row in firsts]
        places = {name: place for place, name in enumerate(systems)}
        self.system = np.array([places[name] for name in self.samples.systems])


class MetricDraws:
    """One metric: the sums of every system, plain and in every resample, on all sources and on those of each slice."""

    def __init__(self, table: CommonRows, metric: str, column: ScoreColumn) -> None:
        self.table, self.metric, self.masks = table, metric, dict[str, NDArray[np.bool_]]()
        self.aggregation, self.notes = column.aggregation, column.notes
        own = column.rows(table.rows)
        self.scores = own.aggregation.with_failures(table.samples, own.scores, table.empty)
        lacking = np.zeros(table.keys.max() + 1, dtype=np.bool_)
        lacking[table.keys[np.isnan(self.scores)]] = True
        self.usable = ~lacking[table.keys]
        self.undefined = int((~self.usable).sum())
        parts = row_sums(own, table.samples, table.empty) * self.usable[:, None]
        number, self.width = len(table.sources), parts.shape[1]
        cells = table.units * len(table.systems) + table.system
        places = number * len(table.systems)
        sums = [np.bincount(cells, values, places).astype(np.float64) for values in parts.T]
        # (sources, systems, width)
        self.sums: Floats = np.stack(sums, axis=1).reshape(number, len(table.systems), self.width)
        self.units = count_sources(table.source_keys[np.unique(table.units[self.usable])])

    @property
    def blocks(self) -> Floats:
        """(sources, columns): all sources, then those of each slice."""
        flat = self.sums.reshape(len(self.sums), -1)
        return np.hstack([flat, *(flat * mask[:, None] for mask in self.masks.values())])

    def take(self, sums: Floats) -> None:
        """Keep the sums in the data (first) and in every resample."""
        shape = (len(sums), 1 + len(self.masks), len(self.table.systems), self.width)
        self.drawn = sums.reshape(shape)

    def _values(self, sums: Floats) -> Floats:
        """The score of each of these sums, which are along the last axis."""
        flat = sums.reshape(-1, self.width)
        result = np.full(len(flat), math.nan)
        if self.aggregation.from_counts is not None:
            known = flat[:, 2] > 0
            result[known] = self.aggregation.from_counts(flat[known, 3:])
        else:
            known = flat[:, 0] > 0
            result[known] = flat[known, 1] / flat[known, 0]
        return result.reshape(sums.shape[:-1])

    def _better(self, one: float, two: float) -> bool:
        return one > two if self.aggregation.higher_is_better else one < two

    def compared(self, baseline: str | None, shown: int) -> tuple[list[SystemRow], list[Gap]]:
        """The systems, and pairs of them; intervals are of the first resamples that are `shown`."""
        values = self._values(self.drawn[:, 0])  # (1 + resamples, systems)
        rows = self.drawn[0, 0, :, 0] if self.aggregation.shares else None
        scale = self.aggregation.scale if self.aggregation.from_counts is None else (-math.inf, math.inf)
        resampled = Resamples(values[1:].T, values[0], self.units, scale, rows, shown)
        systems = self.table.systems
        sign = -1 if self.aggregation.higher_is_better else 1
        order = sorted(range(len(systems)), key=lambda place: (math.isnan(values[0, place]), sign * values[0, place]))
        if baseline is None:
            pairs = list(combinations(order, 2))
        else:
            base = systems.index(baseline)
            pairs = [(place, base) for place in order if place != base]
        differences = [resampled.difference(*pair).numbers for pair in pairs]
        adjusted = holm([found[-1] for found in differences])
        gaps = [
            Gap(self.metric, systems[one], systems[two], *found, float(p), *self._tally(one, two))
            for (one, two), found, p in zip(pairs, differences, adjusted, strict=True)
        ]
        group: dict[int, int] = {}
        if baseline is None:
            corrected = np.full((len(systems), len(systems)), math.nan)
            for pair, p in zip(pairs, adjusted, strict=True):
                corrected[pair] = p
            found_groups = clusters([place for place in order if not math.isnan(values[0, place])], corrected, ALPHA)
            group = {place: number for number, places in enumerate(found_groups, 1) for place in places}
        standings = [
            SystemRow(
                self.metric,
                systems[place],
                *resampled.estimate(place).numbers[:3],
                group.get(place),
                int((self.usable & (self.table.system == place)).sum()),
                self.aggregation.from_counts is not None,
                self.aggregation.higher_is_better,
            )
            for place in order
        ]
        return standings, gaps

    def _by_key(self, place: int) -> Floats:
        """The mean score of a system for each row that all have; NaN where left out."""
        own = self.usable & (self.table.system == place)
        size = int(self.table.keys.max()) + 1
        number = np.bincount(self.table.keys[own], minlength=size)
        total = np.bincount(self.table.keys[own], weights=self.scores[own], minlength=size)
        means: Floats = np.divide(total, number, out=np.full(size, math.nan), where=number > 0)
        return means

    def _tally(self, one: int, two: int) -> tuple[int, int, int]:
        gap = self._by_key(one) - self._by_key(two)
        gap = gap[~np.isnan(gap)] * (1 if self.aggregation.higher_is_better else -1)
        wins, losses = int((gap > _ROUNDING).sum()), int((gap < -_ROUNDING).sum())
        return wins, len(gap) - wins - losses, losses

    def sliced(self, pairs: Sequence[tuple[str, str]]) -> list[Slice]:
        """How each gap differs between the sources of a slice and the others."""
        found: list[Slice] = []
        every = self.drawn[:, 0]
        for number, (name, mask) in enumerate(self.masks.items(), 1):
            inside = self.drawn[:, number]
            within, outside = self._values(inside), self._values(every - inside)
            for first, second in pairs:
                one, two = self.table.systems.index(first), self.table.systems.index(second)
                gaps = np.stack([within[:, one] - within[:, two], outside[:, one] - outside[:, two]])
                fewer = min(int(mask.sum()), int((~mask).sum()))  # what an interval of their difference rests on
                _, low, high, p = Resamples(gaps[:, 1:], gaps[:, 0], fewer).difference(0, 1).numbers
                here, there = map(float, gaps[:, 0])
                found.append(
                    Slice(self.metric, first, second, name, int(mask.sum()), float(mask.mean()), here, there,
                          low, high, p, math.nan)
                )  # fmt: skip
        adjusted = holm([one.p for one in found])
        return [one._replace(adjusted=float(p)) for one, p in zip(found, adjusted, strict=True)]

    def examples(self, first: str, second: str, number: int) -> list[Example]:
        """The rows on which two systems differ most, those with the largest difference first."""
        one, two = self.table.systems.index(first), self.table.systems.index(second)
        scores = self._by_key(one), self._by_key(two)
        gap = np.abs(scores[0] - scores[1])
        order = [int(key) for key in np.argsort(-np.nan_to_num(gap, nan=-1.0), kind="stable")[:number]]
        rows: list[dict[int, int]] = [{}, {}]
        for row in np.flatnonzero(np.isin(self.table.keys, order)).tolist():
            for place, firsts in zip((one, two), rows, strict=True):
                if self.table.system[row] == place:
                    firsts.setdefault(int(self.table.keys[row]), row)
        found = []
        samples = self.table.samples
        for key in order:
            if not gap[key] > _ROUNDING:
                continue
            a, b = (firsts[key] for firsts in rows)
            texts = samples.candidates[a], samples.candidates[b]
            values = float(scores[0][key]), float(scores[1][key])
            pieces = word_differences(texts[1], texts[0])
            notes = self.notes.get(int(self.table.rows[a])), self.notes.get(int(self.table.rows[b]))
            about = (samples.ids[a], samples.sources[a], texts, values, pieces, notes)
            found.append(Example(self.metric, first, second, *about))
        return found


def resample_all(drawn: Sequence[MetricDraws], table: CommonRows, resamples: int, seed: int) -> None:
    """The sums of all metrics in the same resamples of the sources; in the first row, of all sources once."""
    blocks = [own.blocks for own in drawn]
    sums = np.hstack(blocks)
    result = np.vstack([sums.sum(axis=0), weighted_sums(table.source_keys, sums, resamples, seed)])
    start = 0
    for own, block in zip(drawn, blocks, strict=True):
        own.take(result[:, start : start + block.shape[1]])
        start += block.shape[1]
