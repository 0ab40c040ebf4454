"""The answer in a sentence, and the table of systems."""

from __future__ import annotations

import math

from ...stats.interval import Estimate
from ...tables.display import counted
from ...verdict.words import conclusion
from ..document import Cell, Measured, Part, Section, Table, Text, number
from ..runs import Runs
from . import verdict

ALPHA = 0.05


def section(runs: Runs) -> Section:
    parts: list[Part] = []
    if runs.verdict is not None:
        parts.append(Text([conclusion(runs.verdict)], "answer"))
        if beside := _against(runs):
            parts.append(Text([beside]))
        parts += verdict.parts(runs, runs.verdict, _reading(runs))
    else:
        parts.append(Text([_sentence(runs) + _copies(runs)], "answer"))
        if beside := _beside(runs):
            parts.append(Text([beside]))
    if runs.notes:
        parts.append(Text(runs.notes, "warning"))
    if others := _metrics(runs):
        parts.append(_table(runs))
        if runs.verdict is not None and (found := _copying_leader(runs, others[0])):
            told = f"By {others[0]}, {found[0]} is first, but {found[1]} candidates are copies of their source, which "
            parts.append(Text([f"{told}metrics of similarity rate highest."], "note"))
    if runs.verdict is None and (told := _reading(runs)):
        parts.append(Text([told], "note"))
    return Section("answer", "Answer", parts)


def _reading(runs: Runs) -> str:
    """How to read the tables of systems, below the first of them."""
    if runs.comparison is None:
        return ""
    bold = "Bold: no other system is significantly better (two-sided, 5%, Holm's correction). "
    intervals = f"Intervals: 95%, resampled by source ({runs.comparison.sources:,})."
    return intervals if runs.comparison.baseline else bold + intervals


def _estimates(runs: Runs) -> dict[tuple[str, str], Estimate]:
    """By metric and system: as compared, or of a single system as summed up."""
    found: dict[tuple[str, str], Estimate] = {}
    if runs.comparison is not None:
        for row in runs.comparison.systems:
            found[row.metric, row.system] = Estimate.of(row.value, row.low, row.high)
        return found
    for one in runs.summary:
        ends = (one.mean, one.low, one.high) if one.corpus is None else (one.corpus, one.corpus_low, one.corpus_high)
        found[one.metric, one.system] = Estimate(*ends)
    return found


def _metrics(runs: Runs) -> list[str]:
    """The metrics of the table; those of the verdict have one of their own."""
    if runs.criterion is not None:
        told = {*runs.criterion.metrics.values()}
        return [name for name in runs.asked or runs.scores.columns if name not in told]
    if runs.asked:
        return list(runs.asked)
    chosen = [name for name in (runs.main(), *runs.axes()) if name is not None]
    return list(dict.fromkeys([*chosen, *runs.scores.columns]))


def _table(runs: Runs) -> Table:
    found = _estimates(runs)
    ordered = _metrics(runs)
    empty = Estimate(None)
    summary = {(row.metric, row.system): row for row in runs.summary}
    first = runs.main()
    sign = -1 if runs.higher(first) else 1
    values = {system: found.get((first, system), empty).value for system in runs.systems}
    order = {name: math.inf if value is None else sign * value for name, value in values.items()}
    compared = runs.comparison.systems if runs.comparison is not None else []
    best = {(row.metric, row.system) for row in compared if row.cluster == 1}
    rows: list[list[Cell]] = []
    for system in sorted(runs.systems, key=order.__getitem__):
        one = summary[ordered[0], system]
        cells = [
            Measured(found.get((metric, system), empty), runs.digits(metric), (metric, system) in best)
            for metric in ordered
        ]
        rows.append([system, *cells, one.rows, one.failures + one.missing])
    header = [
        "system",
        *(f"{name} {'↑' if runs.higher(name) else '↓'}" for name in ordered),
        "rows",
        "empty or missing",
    ]
    return Table("systems", "Systems" if runs.criterion is None else "By the other metrics", header, rows)


def _sentence(runs: Runs) -> str:
    metric = runs.main()
    found = _estimates(runs)
    digits = runs.digits(metric)
    known = {
        system: one
        for system in runs.systems
        if (one := found.get((metric, system))) is not None and one.value is not None
    }
    if not known:
        return f"No row has a score by {metric}."
    sign = 1 if runs.higher(metric) else -1
    order = sorted(known, key=lambda name: -sign * (known[name].value or 0))
    first = known[order[0]]
    interval = "" if first.low is None else f" ({number(first.low, digits)} to {number(first.high or 0, digits)})"
    value = number(first.value or 0, digits)
    if told := _against(runs):
        return told
    if len(runs.systems) == 1:
        return f"{order[0]} scores {value}{interval} by {metric}, over {counted(len(runs.scores), 'row')}."
    if runs.comparison is None or len(order) < 2:
        return f"By {metric}, {order[0]} is first with {value}{interval}."
    gaps = {(gap.first, gap.second): gap for gap in runs.comparison.gaps if gap.metric == metric}
    gap = gaps.get((order[0], order[1]))
    if gap is None or math.isnan(gap.adjusted):
        return f"By {metric}, {order[0]} is first with {value}{interval}, {order[1]} second."
    if gap.adjusted <= ALPHA:
        behind = number(known[order[1]].value or 0, digits)
        verdict = f"significantly better than {order[1]} ({behind}, p = {gap.adjusted:.3f})"
    else:
        verdict = f"but not significantly better than {order[1]} (p = {gap.adjusted:.3f})"
    return f"By {metric}, {order[0]} is first with {value}{interval}, {verdict}."


def _against(runs: Runs) -> str:
    """How each system compares with the baseline, where there is one."""
    if runs.comparison is None or runs.comparison.baseline is None:
        return ""
    metric, baseline = runs.main(), runs.comparison.baseline
    digits, sign = runs.digits(metric), 1 if runs.higher(metric) else -1
    told = []
    for gap in runs.comparison.gaps:
        if gap.metric != metric:
            continue
        how = "significantly better" if sign * gap.value > 0 else "significantly worse"
        if math.isnan(gap.adjusted):
            how = "with no score to compare"
        elif gap.adjusted > ALPHA:
            how = "not significantly different"
        numbers = f" ({number(gap.value, digits)}, p = {gap.adjusted:.3f})" if not math.isnan(gap.adjusted) else ""
        told.append(f"{gap.first} is {how}{numbers}")
    return f"By {metric}, compared with {baseline}: {', '.join(told)}."


def _copies(runs: Runs) -> str:
    """A leader that mostly copies leads for no good reason, whatever the metric says."""
    metric = runs.main()
    found = None if metric == "usable" else _copying_leader(runs, metric)
    return "" if found is None else f" But {found[1]} candidates are copies of their source."


def _copying_leader(runs: Runs, metric: str) -> tuple[str, str] | None:
    """The first system by this metric, and how many of its candidates are copies, if half of them or more are."""
    found = _estimates(runs)
    sign = 1 if runs.higher(metric) else -1
    known = {name: one.value for name in runs.systems if (one := found.get((metric, name))) and one.value is not None}
    if not known:
        return None
    best = max(known, key=lambda name: sign * (known[name] or 0.0))
    samples = runs.scores.samples
    own = [row for row, system in enumerate(samples.systems) if system == best]
    copies = sum(samples.candidates[row].strip() == samples.sources[row].strip() != "" for row in own)
    return (best, f"{copies:,} of its {len(own):,}") if 2 * copies >= len(own) else None


def _beside(runs: Runs) -> str:
    """What the two sides of a paraphrase say, where they are other metrics than the first."""
    meaning, changed = runs.axes()
    if meaning is None or changed is None or len(runs.systems) < 2:
        return ""
    found = _estimates(runs)
    leaders = []
    for metric, what in ((meaning, "keeps most of the meaning"), (changed, "changes most of the words")):
        sign = 1 if runs.higher(metric) else -1
        known = {
            name: found[metric, name].value or 0.0
            for name in runs.systems
            if (metric, name) in found and found[metric, name].value is not None
        }
        if not known:
            return ""
        best = max(known, key=lambda name: sign * known[name])
        leaders.append(f"{best} {what} ({metric} {number(known[best], runs.digits(metric))})")
    return f"{leaders[0]}; {leaders[1]}. A good paraphrase does both."
