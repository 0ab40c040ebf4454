"""The verdict on each system: meaning kept, words changed, how much of it is usable, and why the rest is not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from warnings import warn

import numpy as np

from .compute.copies import without_copies
from .compute.workspace import Workspace
from .evaluate import VERDICT, choose, evaluate_whole, table_of, warnings
from .metric import Metric
from .metrics.overall.usable import STEPS, Usable
from .stats.resample import Interval
from .tables.display import counted, listed, table_html
from .tables.scores import Scores
from .tables.shared import Shared, check_empty
from .tables.summary import Summary, SummaryRow
from .visible import visible

if TYPE_CHECKING:
    import polars

_HEAD = re.compile(r"([a-z ]+?)(?: \(([a-z, ]+)\))?")
_AT = re.compile(r"at (\d+) (\d+)")
UNCALIBRATED = (
    "Meaning was trained on English and is not calibrated with this encoder: it ranks candidates, but 0.8 does not "
    "mean that people would call 80% the same."
)
CHECK = "check"  # of a usable candidate in which a rule sees something


class Reason(NamedTuple):
    """How many candidates are not usable for one reason, and how many of them lost what."""

    rows: int
    kinds: dict[str, int]


class SystemVerdict(NamedTuple):
    """What the three metrics say of one system; None wherever there is no number."""

    system: str
    meaning: SummaryRow
    changed: SummaryRow
    usable: SummaryRow
    why: dict[str, Reason]  # the commonest first
    check: int  # usable candidates in which a rule sees something

    def asdict(self) -> dict[str, Any]:
        """Plain numbers, for JSON."""
        numbers = {
            name: {"mean": row.mean, "low": row.low, "high": row.high}
            for name, row in zip(VERDICT, (self.meaning, self.changed, self.usable), strict=True)
        }
        why = {name: reason._asdict() for name, reason in self.why.items()}
        return {"system": self.system, "rows": self.usable.rows} | numbers | {"why": why, "check": self.check}


def usable_of(metrics: Sequence[Metric]) -> Usable | None:
    """The metric whose verdict can be given: `usable`, where the two that it is made of are there too."""
    known = {metric.spec for metric in metrics}
    for metric in metrics:
        if isinstance(metric, Usable) and {metric.meaning.spec, metric.changed.spec} <= known:
            return metric
    return None


def verdicts(summary: Summary, metric: Usable) -> list[SystemVerdict]:
    """The verdict on each system, the one with the most usable candidates first."""
    rows = {(row.metric, row.system): row for row in summary.rows()}
    found = []
    for system in [system for name, system in rows if name == metric.spec]:
        labels = summary.labels.get((metric.spec, system), Counter())
        reasons = reasons_of(labels)
        check = reasons.pop(CHECK, Reason(0, {})).rows
        meaning, changed, usable = (
            rows[name, system] for name in (metric.meaning.spec, metric.changed.spec, metric.spec)
        )
        found.append(SystemVerdict(system, meaning, changed, usable, reasons, check))
    return found


def reasons_of(labels: Mapping[str, int]) -> dict[str, Reason]:
    """Labels such as `meaning lost (number, negation)`, added up by reason; the commonest first."""
    counts: Counter[str] = Counter()
    kinds: dict[str, Counter[str]] = {}
    for label, count in labels.items():
        head = _HEAD.fullmatch(label)
        if head is not None and not _AT.fullmatch(label):
            counts[head[1]] += count
            lost = kinds.setdefault(head[1], Counter())
            for kind in (head[2] or "").split(", ") if head[2] else ():
                lost[kind] += count
    return {name: Reason(count, _ordered(kinds[name])) for name, count in _ordered(counts).items()}


def _ordered(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def in_words(why: Mapping[str, Reason]) -> str:
    """`2 meaning lost (1 number, 1 negation), 1 empty`."""
    told = []
    for name, reason in why.items():
        lost = ", ".join(f"{count:,} {kind}" for kind, count in reason.kinds.items())
        plural = "copies" if name == "copy" and reason.rows != 1 else name
        told.append(f"{reason.rows:,} {plural}" + (f" ({lost})" if lost else ""))
    return ", ".join(told)


def conclusion(summary: Summary, metric: Usable) -> str:
    """What to conclude, in one sentence."""
    found = [verdict for verdict in verdicts(summary, metric) if verdict.usable.mean is not None]
    if not found:
        return "No candidate could be judged."
    best, *others = found
    rate = best.usable.mean or 0.0
    if not rate:
        return f"No candidate is usable: {in_words(best.why)}{' in ' + best.system if others else ''}."
    if not others:
        counts = [reason.rows for reason in best.why.values()]
        most = f"; most of the others fail by: {next(iter(best.why))}" if counts and 2 * counts[0] > sum(counts) else ""
        return f"{rate:.0%} of the candidates are usable{_interval(best.usable)}{most}."
    if summary.shared.matched == "none":
        shares = listed([f"{one.system} {one.usable.mean or 0.0:.0%}" for one in found])
        return f"The systems have no source in common, so their usable candidates do not compare: {shares}."
    second = others[0]
    gap = rate - (second.usable.mean or 0.0)
    between: Interval = summary.difference(metric.spec, best.system, second.system)
    points = f"{100 * gap:.0f} points more than {second.system}"
    if np.isnan(between.low) and not gap:
        return f"{best.system} and {second.system} have equally many usable candidates, {rate:.0%}."
    if np.isnan(between.low):
        return f"{best.system} has the most usable candidates, {rate:.0%}: {points}."
    said = f"95% interval {100 * between.low:.0f} to {100 * between.high:.0f} points".replace("-", "−")
    if not gap:
        return (
            f"{best.system} and {second.system} have equally many usable candidates, {rate:.0%} (difference: {said})."
        )
    if between.low > 0:
        return f"{best.system} has the most usable candidates, {rate:.0%}: {points} ({said})."
    return (
        f"{best.system} has the most usable candidates, {rate:.0%}, but is not clearly better than {second.system}: "
        f"{100 * gap:.0f} points more ({said})."
    )


def criterion(metric: Usable) -> str:
    """What usable means, in one sentence."""
    lost = ", and no number, name, negation or the like lost as far as rules see" if metric.strict else ""
    return f"Usable: meaning at least {metric.accept:g}, words changed at least {metric.min_changed:g}{lost}."


def _interval(row: SummaryRow) -> str:
    return "" if row.low is None or row.high is None else f" (95% interval {row.low:.0%} to {row.high:.0%})"


def sensitivity(summary: Summary, metric: Usable) -> dict[str, Any]:
    """The usable share of each system at every pair of thresholds, by what was counted between them."""
    shares = {}
    for (name, system), labels in summary.labels.items():
        if name != metric.spec:
            continue
        counts = np.zeros((STEPS + 1, STEPS + 1), dtype=np.int64)
        for label, count in labels.items():
            if place := _AT.fullmatch(label):
                counts[int(place[1]), int(place[2])] += count
        at_least = counts[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1]
        shares[system] = at_least.tolist()
    steps = [step / STEPS for step in range(STEPS + 1)]
    return {"accept": steps, "min_changed": steps, "usable": shares}


def record(summary: Summary, metric: Usable) -> dict[str, Any]:
    """All of it, for a run folder: thresholds, systems, conclusion, and how many are usable at other thresholds."""
    return {
        "accept": metric.accept,
        "min_changed": metric.min_changed,
        "strict": metric.strict,
        "calibrated": metric.meaning.calibrated,
        "systems": [verdict.asdict() for verdict in verdicts(summary, metric)],
        "conclusion": conclusion(summary, metric),
        "sensitivity": sensitivity(summary, metric),
    }


class Judged:
    """The verdict on every candidate (`frame`) and on every system (`systems`)."""

    def __init__(self, scores: Scores, metrics: Sequence[Metric]) -> None:
        metric = usable_of(metrics)
        assert metric is not None
        self.scores = scores
        self.metric = metric
        self.summary = Summary(shared=Shared(scores.empty, [scores.samples]))
        self.summary.add(scores)

    @property
    def frame(self) -> polars.DataFrame:
        """One line per candidate: sample, system, meaning, changed, usable (1 or 0), why; null where undefined."""
        import polars

        numbers = [self.scores[spec] for spec in (self.metric.meaning.spec, self.metric.changed.spec)]
        usable = [None if value != value else int(value) for value in self.scores[self.metric.spec]]
        notes = self.scores.columns[self.metric.spec].notes
        return polars.DataFrame(
            {
                "sample": polars.Series(self.scores.samples.ids, dtype=polars.String),
                "system": polars.Series(self.scores.samples.systems, dtype=polars.String),
                "meaning": polars.Series(numbers[0], dtype=polars.Float64, nan_to_null=True),
                "changed": polars.Series(numbers[1], dtype=polars.Float64, nan_to_null=True),
                "usable": polars.Series(usable, dtype=polars.Int8),
                "why": polars.Series([notes.get(row) for row in range(len(self.scores))], dtype=polars.String),
            }
        )

    @property
    def systems(self) -> polars.DataFrame:
        """One line per system: means, the share that is usable with its 95% interval, and why not, in words."""
        import polars

        rows = []
        for one in self.verdicts:
            line: dict[str, Any] = {"system": one.system, "rows": one.usable.rows}
            for name, row in zip(VERDICT, (one.meaning, one.changed, one.usable), strict=True):
                line |= {name: row.mean, f"{name}_low": row.low, f"{name}_high": row.high}
            rows.append(line | {"why": in_words(one.why), "check": one.check})
        numbers = [name + end for name in VERDICT for end in ("", "_low", "_high")]  # of one source, all ends are null
        return polars.DataFrame(rows, schema_overrides=dict.fromkeys(numbers, polars.Float64), infer_schema_length=None)

    @property
    def verdicts(self) -> list[SystemVerdict]:
        """The same, with the reasons as counts."""
        return verdicts(self.summary, self.metric)

    @property
    def conclusion(self) -> str:
        """What to conclude, in one sentence."""
        return conclusion(self.summary, self.metric)

    @property
    def signatures(self) -> Mapping[str, str]:
        """What the numbers depend on."""
        return self.scores.signatures

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        shares = [f"{one.system} {one.usable.mean:.0%}" for one in self.verdicts if one.usable.mean is not None]
        return f"Judged({counted(len(self), 'row')}; usable: {listed(shares) or 'none could be judged'})"

    def _repr_html_(self) -> str:
        return table_html(repr(self), self.systems.to_dict(as_series=False))


def judge(
    sources: Any = None,
    candidates: Iterable[str | None] | None = None,
    references: Iterable[Iterable[str | None] | None] | None = None,
    *,
    systems: Iterable[str | None] | str | None = None,
    ids: Iterable[object] | None = None,
    samples: Any = None,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
    accept: float | None = None,
    min_changed: float | None = None,
    strict: bool | None = None,
    against: str | None = None,
    encoder: str | None = None,
    layer: int | None = None,
    precision: str | None = None,
    empty: str = "worst",
    cache: bool = True,
    work: Workspace | None = None,
) -> Judged:
    """Is each candidate a usable paraphrase of its source, and if not, why?

    `accept` is the least `meaning` of a usable candidate, `min_changed` the least `changed`; without
    `strict` it may lack a number, a name or what else a rule sees; `against`, `encoder`, `layer` and `precision` are
    those of `meaning`. The rest is as in `score`: columns, or a table and how it is laid
    out, `systems`, `ids`.
    """
    check_empty(empty)
    table = table_of(sources, candidates, references, systems, ids, samples, columns, delimiter, header)
    settings: dict[str, Any] = {"against": against, "encoder": encoder, "layer": layer, "precision": precision}
    metrics = choose(VERDICT, any(table.references), accept=accept, min_changed=min_changed, strict=strict, **settings)
    judged = Judged(evaluate_whole(table, metrics, work, cache=cache, empty=empty), metrics)
    if not judged.metric.meaning.calibrated:
        warn(UNCALIBRATED, stacklevel=2)
    for sentence in (*warnings(without_copies(judged.scores.notes)), *judged.summary.remarks()):
        warn(visible(sentence), stacklevel=2)
    return judged
