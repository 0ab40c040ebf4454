"""Two or more systems on the same samples: how far apart they are, whether that could be chance, and where."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, nearest
from ..evaluate.run import Run
from ..files.write import PathLike
from ..metric import Floats
from ..stats.interval import Resamples, widen_p
from ..stats.resample import RESAMPLES, count_sources, weighted_sums
from ..stats.tests import ALPHA, clusters, holm, resamples_needed
from ..tables.display import counted
from ..tables.samples import Samples
from ..tables.scores import ScoreColumn, Scores
from ..tables.shared_rows import SharedRows, unit_keys
from ..tables.summary import criterion_of, row_sums
from ..text.diff import word_differences
from ..text.tokens import pieces
from ..verdict.entities.names import names_of
from ..verdict.entities.numbers import exact_numbers
from .reading import read_all
from .results import Comparison, Example, Gap, Slice, SystemRow

_ROUNDING = 1e-12  # scores closer than this are tied: they differ in the order of their sums alone

FEWEST = 5  # sources in a slice, and outside it; with fewer there is nothing to learn from their difference
MOST = 100_000  # resamples, however many systems there are
MOST_SYSTEMS = 100  # with as many resamples as they need, these take 4 GB

# English, Chinese, German, French and Spanish; of other languages the slice has few or no rows, and is not shown
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|nowhere|without|cannot|\w+n['’]t"
    r"|nicht|kein\w*|nie|ohne|pas|jamais|sans|ni|nunca|sin)\b|[不没沒無无未别別非]",
    re.IGNORECASE,
)
_CHINESE_NUMBER = re.compile("[二三四五六七八九十百千万亿]")
_QUESTION = re.compile(r"[?？؟]\s*[\"'”’)\]]*\s*$")


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


def compare(
    *inputs: PathLike | Scores | Run,
    metrics: Sequence[str] | str | None = None,
    baseline: str | None = None,
    resamples: int | None = None,
    seed: int = 0,
    examples: int = 10,
) -> Comparison:
    """Compare the systems of run folders, files of scores or Scores, on the rows that all of them have.

    `metrics` are those of the inputs to compare by (all of them by default, those of the verdict first); slices and
    examples are for the first.
    A metric with a corpus score, such as BLEU, is compared by that, others by their mean. Sources are resampled, all
    systems together, so that differences are paired. With a `baseline` the others are compared with it alone; else all
    pairs are. p-values are two-sided, and corrected by Holm for the pairs of one metric.
    """
    if not inputs:
        raise InputError("nothing to compare; expected run folders, files of scores or Scores")
    scores, texts, notes = read_all(inputs)
    criterion = criterion_of({name: column.aggregation for name, column in scores.columns.items()})
    judging = () if criterion is None else criterion.metrics.values()
    chosen = _chosen(metrics, [*judging, *scores.columns])
    systems = list(dict.fromkeys(scores.samples.systems))
    check_systems(systems)
    if len(systems) < 2:
        raise InputError(f"there is one system, {systems[0]!r:.60}; expected at least 2 to compare")
    if baseline is not None and baseline not in systems:
        raise InputError(f"no system named '{baseline}'{nearest(baseline, systems)}")
    table = CommonRows(scores, systems)
    notes += table.notes
    if not texts:
        notes.append("a file of scores has no sources, so that rows are resampled, as if they were independent")
    slices = {
        name: mask
        for name, mask in (slices_of(table.sources) if texts else {}).items()
        if FEWEST <= mask.sum() <= len(mask) - FEWEST
    }
    number = resamples or max(RESAMPLES, min(resamples_needed(len(systems), max(len(table.sources), 2)), MOST))
    notes += _beyond_reach(len(systems), len(table.sources), number, baseline)
    drawn = {metric: MetricDraws(table, metric, scores.columns[metric]) for metric in chosen}
    drawn[chosen[0]].masks = slices
    resample_all(list(drawn.values()), table, number, seed)
    rows: list[SystemRow] = []
    gaps: list[Gap] = []
    for own in drawn.values():
        standings, between = own.compared(baseline, resamples or RESAMPLES)
        rows += standings
        gaps += between
        if own.undefined:
            notes.append(f"{own.metric} is undefined for a system in {counted(own.undefined, 'row')}, left out for all")
    first = drawn[chosen[0]]
    pairs = [(gap.first, gap.second) for gap in gaps if gap.metric == first.metric]
    if baseline is None:  # each other system with the first one given
        pairs = [pair for pair in pairs if systems[0] in pair]
    found = [example for pair in pairs for example in first.examples(*pair, examples)] if texts else []
    return Comparison(rows, gaps, first.sliced(pairs), found, baseline, len(table.sources), table.matched, notes)


def check_systems(systems: Iterable[str]) -> None:
    """Refuse, before they are scored, more systems than can be compared; `systems` may repeat their names."""
    number = len(set(systems))
    if number > MOST_SYSTEMS:
        raise InputError(f"{number:,} systems are too many to compare; expected at most {MOST_SYSTEMS}")


def _beyond_reach(systems: int, sources: int, resamples: int, baseline: str | None) -> list[str]:
    """Of many systems on few sources no difference can be significant, however large; that is not a finding."""
    if sources < 2:
        return []
    pairs = systems * (systems - 1) // 2 if baseline is None else systems - 1
    least = min(1.0, 2 * pairs * float(widen_p([1 / (resamples + 1)], sources)[0]))
    if least <= ALPHA:
        return []
    return [
        f"no difference can be significant: corrected for {counted(pairs, 'pair')} of systems, p is at least "
        f"{least:.2f} with {counted(sources, 'source')} and {resamples:,} resamples; compare fewer systems, or "
        "with one baseline"
    ]


def _chosen(metrics: Sequence[str] | str | None, known: list[str]) -> list[str]:
    wanted = [metrics] if isinstance(metrics, str) else list(metrics or known)
    for metric in wanted:
        if metric not in known:
            raise InputError(f"no metric '{metric}' in the inputs{nearest(metric, known)}")
    return list(dict.fromkeys(wanted))


def slices_of(sources: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
    """Name of each slice to which sources are in it; a slice of none or of all is left out."""
    words = np.array([sum(piece[:1].isalnum() for piece in pieces(source)) for source in sources])
    short, long = (float(np.quantile(words, share)) for share in (1 / 3, 2 / 3)) if len(words) else (0.0, 0.0)
    found = {
        f"short (at most {short:.0f} words)": words <= short,
        f"long (more than {long:.0f} words)": words > long,
        "negation": _where(sources, lambda text: _NEGATION.search(text) is not None),
        "number": _where(sources, _has_number),
        "name": _where(sources, _has_name),
        "question": _where(sources, lambda text: _QUESTION.search(text) is not None),
    }
    return {name: chosen for name, chosen in found.items() if 0 < chosen.sum() < len(sources)}


def _has_number(text: str) -> bool:
    return _CHINESE_NUMBER.search(text) is not None or bool(exact_numbers(text))


def _has_name(text: str) -> bool:
    found = names_of(text)
    return bool(found.names or found.dates)


def _where(sources: Sequence[str], test: Callable[[str], bool]) -> NDArray[np.bool_]:
    return np.array([test(source) for source in sources], dtype=np.bool_)
