"""The answer in a sentence, and the tables of systems that it is read from."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ...stats.interval import Estimate
from ...stats.tests import ALPHA
from ...tables.display import counted
from ...verdict.findings import Outcome
from ...verdict.tally import Reason, Verdict
from ...verdict.words import UNCALIBRATED, conclusion, counted_kind, counted_reason, criterion, to_check
from ..document import Cell, Element, Measured, Reasons, Section, Table, Text, number
from ..runs import Runs


def section(runs: Runs) -> Section:
    """The verdict, or the first metric; then the systems by the other metrics."""
    parts: list[Element] = []
    if runs.verdict is not None:
        parts.append(Text([conclusion(runs.verdict)], "answer"))
        second = _against_baseline(runs)
    else:
        parts.append(Text([_sentence(runs) + _copies(runs)], "answer"))
        second = _two_sides(runs)
    parts += [Text([second])] if second else []
    reading = _reading(runs)
    if runs.verdict is not None:
        parts += _verdict(runs, runs.verdict, reading)
    if runs.notes:
        parts.append(Text(runs.notes, "warning"))
    if others := _metrics(runs):
        parts.append(_table(runs, others))
        if runs.verdict is not None and (found := _copying_leader(runs, others[0])):
            first = f"By {others[0]}, {found[0]} is first, but {found[1]} candidates are copies of their source, which "
            parts.append(Text([f"{first}metrics of similarity rate highest."], "note"))
    if runs.verdict is None and reading:
        parts.append(Text([reading], "note"))
    return Section("answer", "Answer", parts)


def _reading(runs: Runs) -> str:
    """How to read the tables of systems, below the first of them."""
    if runs.comparison is None:
        return ""
    bold = "Bold: no other system is significantly better (two-sided, 5%, Holm's correction). "
    intervals = f"Intervals: 95%, resampled by source ({runs.comparison.sources:,})."
    return intervals if runs.comparison.baseline else bold + intervals


def _verdict(runs: Runs, verdict: Verdict, reading: str) -> list[Element]:
    """Systems: meaning kept, words changed, usable, and why not; then what usable means, and how to read the table."""
    specs = verdict.criterion.metrics
    rows: list[list[Cell]] = []
    for one in verdict.systems:
        shares = (("meaning", one.meaning), ("changed", one.changed), ("usable", one.usable))
        cells = (Measured(at, 2, (specs[name], one.system) in runs.best, name == "usable") for name, at in shares)
        rows.append([one.system, *cells, Reasons(one.system, _reasons(one.why)), one.rows])
    header = ["system", "meaning kept", "words changed", "usable", "why not", "rows"]
    sentences = [criterion(verdict.criterion.thresholds), to_check(verdict.systems)]
    sentences += [None if verdict.calibrated else UNCALIBRATED, reading]
    table = Table("verdict", "Is it usable, and if not, why?", header, rows)
    return [table, Text([" ".join(filter(None, sentences))], "note")]


def _reasons(why: Mapping[Outcome, Reason]) -> list[tuple[str, str | None]]:
    """`2 meaning lost (1 number, 1 negation), 1 empty`, cut so that each count can be pressed."""
    found: list[tuple[str, str | None]] = []
    for outcome, reason in why.items():
        found += [(", ", None)] if found else []
        found.append((counted_reason(outcome, reason.rows), outcome))
        for place, (kind, count) in enumerate(reason.kinds.items()):
            found += [(", " if place else " (", None), (counted_kind(kind, count), f"{outcome}: {kind}")]
        found += [(")", None)] if reason.kinds else []
    return found


def _metrics(runs: Runs) -> list[str]:
    """The metrics of the table; those of the verdict have one of their own."""
    if runs.criterion is not None:
        own = {*runs.criterion.metrics.values()}
        return [name for name in runs.asked or runs.scores.columns if name not in own]
    if runs.asked:
        return list(runs.asked)
    chosen = [name for name in (runs.main(), *runs.axes()) if name is not None]
    return list(dict.fromkeys([*chosen, *runs.scores.columns]))


def _table(runs: Runs, metrics: list[str]) -> Table:
    summary = {(row.metric, row.system): row for row in runs.summary}
    first = [system for system, _ in _ranked(runs, runs.main())]
    rows: list[list[Cell]] = []
    for system in [*first, *(name for name in runs.systems if name not in first)]:
        cells = (
            Measured(_estimates(runs).get((name, system), Estimate(None)), runs.digits(name),
                     (name, system) in runs.best)
            for name in metrics
        )  # fmt: skip
        own = summary[metrics[0], system]
        rows.append([system, *cells, own.rows, own.failures + own.missing])
    names = [f"{name} {'↑' if runs.higher(name) else '↓'}" for name in metrics]
    caption = "Systems" if runs.criterion is None else "By the other metrics"
    return Table("systems", caption, ["system", *names, "rows", "empty or missing"], rows)


def _estimates(runs: Runs) -> dict[tuple[str, str], Estimate]:
    """By metric and system: as compared, or of a single system as summed up."""
    if runs.comparison is not None:
        return {(row.metric, row.system): Estimate.of(row.value, row.low, row.high) for row in runs.comparison.systems}
    found = {}
    for one in runs.summary:
        ends = (one.mean, one.low, one.high) if one.corpus is None else (one.corpus, one.corpus_low, one.corpus_high)
        found[one.metric, one.system] = Estimate(*ends)
    return found


def _ranked(runs: Runs, metric: str) -> list[tuple[str, Estimate]]:
    """The systems with a score by a metric, the best first."""
    found, sign = _estimates(runs), -1 if runs.higher(metric) else 1
    known = [(name, one) for name in runs.systems if (one := found.get((metric, name))) and one.value is not None]
    return sorted(known, key=lambda one: sign * (one[1].value or 0.0))


def _sentence(runs: Runs) -> str:
    metric = runs.main()
    digits, order = runs.digits(metric), _ranked(runs, metric)
    if not order:
        return f"No row has a score by {metric}."
    if written := _against_baseline(runs):
        return written
    name, first = order[0]
    value = number(first.value, digits)
    value += "" if first.low is None else f" ({number(first.low, digits)} to {number(first.high, digits)})"
    if len(runs.systems) == 1:
        return f"{name} scores {value} by {metric}, over {counted(len(runs.scores), 'row')}."
    leader = f"By {metric}, {name} is first with {value}"
    if runs.comparison is None or len(order) < 2:
        return f"{leader}."
    second, behind = order[1]
    pair = metric, name, second
    gap = next((gap for gap in runs.comparison.gaps if (gap.metric, gap.first, gap.second) == pair), None)
    if gap is None or math.isnan(gap.adjusted):
        return f"{leader}, {second} second."
    if gap.adjusted > ALPHA:
        return f"{leader}, but not significantly better than {second} (p = {gap.adjusted:.3f})."
    behind_by = f"{number(behind.value, digits)}, p = {gap.adjusted:.3f}"
    return f"{leader}, significantly better than {second} ({behind_by})."


def _against_baseline(runs: Runs) -> str:
    """How each system compares with the baseline, where there is one."""
    if runs.comparison is None or runs.comparison.baseline is None:
        return ""
    metric, baseline = runs.main(), runs.comparison.baseline
    sign = 1 if runs.higher(metric) else -1
    parts = []
    for gap in runs.comparison.gaps:
        if gap.metric != metric:
            continue
        if math.isnan(gap.adjusted):
            parts.append(f"{gap.first} is with no score to compare")
            continue
        how = "better" if sign * gap.value > 0 else "worse"
        how = f"significantly {how}" if gap.adjusted <= ALPHA else "not significantly different"
        parts.append(f"{gap.first} is {how} ({number(gap.value, runs.digits(metric))}, p = {gap.adjusted:.3f})")
    return f"By {metric}, compared with {baseline}: {', '.join(parts)}."


def _copies(runs: Runs) -> str:
    """A leader that mostly copies leads for no good reason, whatever the metric says."""
    metric = runs.main()
    found = None if metric == "usable" else _copying_leader(runs, metric)
    return "" if found is None else f" But {found[1]} candidates are copies of their source."


def _copying_leader(runs: Runs, metric: str) -> tuple[str, str] | None:
    """The first system by this metric, and how many of its candidates are copies, if half of them or more are."""
    if not (order := _ranked(runs, metric)):
        return None
    samples, best = runs.scores.samples, order[0][0]
    own = [row for row, system in enumerate(samples.systems) if system == best]
    copies = sum(samples.candidates[row].strip() == samples.sources[row].strip() != "" for row in own)
    return (best, f"{copies:,} of its {len(own):,}") if 2 * copies >= len(own) else None


def _two_sides(runs: Runs) -> str:
    """What the two sides of a paraphrase say, where they are other metrics than the first."""
    meaning, changed = runs.axes()
    if meaning is None or changed is None or len(runs.systems) < 2:
        return ""
    leaders = []
    for metric, what in ((meaning, "keeps most of the meaning"), (changed, "changes most of the words")):
        if not (order := _ranked(runs, metric)):
            return ""
        best, found = order[0]
        leaders.append(f"{best} {what} ({metric} {number(found.value, runs.digits(metric))})")
    return f"{leaders[0]}; {leaders[1]}. A good paraphrase does both."
