"""The best, the worst and the most disputed pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...metric import Floats
from ...printable import listed
from ..document import Element, Group, Pair, Section, Text, number
from ..runs import Runs, percentiles, shares_beaten

NUMBER = 5
Rows = NDArray[np.intp]


def section(runs: Runs) -> Section | None:
    best, worst, disputed = chosen_rows(runs)
    metric = runs.main()
    parts: list[Element] = [Text(["Marked: words of the source that are gone, and words that are new (underlined)."])]
    if (criterion := runs.criterion) is None:
        parts.append(Group(f"Best by {metric}", _pairs(runs, best, [metric])))
        parts.append(Group(f"Worst by {metric}", _pairs(runs, worst, [metric])))
    else:
        sides = [criterion.meaning, criterion.changed]
        for title, rows in (("Usable, the most reworded first", best), ("Not usable, the least meaning first", worst)):
            parts += [Group(title, _pairs(runs, rows, sides))] if rows else []
    rivals = rival_metrics(runs)
    two_sides = criterion is not None and len(rivals) == len(runs.scores.columns)  # which need not agree
    if disputed and len(rivals) > 1 and not two_sides:
        title = f"Most disputed: where {listed(rivals)} rank a pair most differently"
        parts.append(Group(title, _pairs(runs, disputed, rivals)))
    return Section("examples", "Best, worst and disputed", parts)


def chosen_rows(runs: Runs, number_of: int = NUMBER) -> tuple[list[int], list[int], list[int]]:
    """Rows with the best and worst scores by the main metric, and those on which metrics of one question disagree most.

    Of one text that several systems give, or that comes up again, one row is shown.
    """
    best, worst = (_distinct(runs, rows, number_of) for rows in _ends(runs))
    rivals = rival_metrics(runs)
    disputed: list[int] = []
    if len(rivals) > 1:
        spread = disputes(runs)
        wide = np.flatnonzero(spread > 0)
        disputed = _distinct(runs, wide[np.argsort(-spread[wide], kind="stable")], number_of)
    return best, worst, disputed


def _ends(runs: Runs) -> tuple[Rows, Rows]:
    """All rows with a score, the best first and the worst first.

    Usable or not is not an order: of the usable those that change most come first, of the others those that lost most.
    """
    values = runs.best_first(runs.main())
    if (criterion := runs.criterion) is None:
        known = np.flatnonzero(~np.isnan(values))
        order = known[np.argsort(-values[known], kind="stable")]
        return order, order[::-1]
    meaning, changed = runs.scores[criterion.meaning], runs.scores[criterion.changed]
    good = np.flatnonzero((values == 1) & ~np.isnan(changed))
    bad = np.flatnonzero((values == 0) & ~np.isnan(meaning))
    return good[np.argsort(-changed[good], kind="stable")], bad[np.argsort(meaning[bad], kind="stable")]


def rival_metrics(runs: Runs) -> list[str]:
    """The metrics of one question, if there are two: of meaning, then overall, then wording; or else all."""
    for question in ("meaning", "overall", "form"):
        found = [name for name in runs.scores.columns if runs.scales.get(name, {}).get("question") == question]
        if len(found) > 1:
            return found
    return list(runs.scores.columns)


def disputes(runs: Runs) -> Floats:
    """How far apart the rival metrics rank each row, from 0 to 1; 0 where one of them is undefined."""
    return _spread(percentiles(runs, rival_metrics(runs)))


def spread_of_ranks(scores: Floats) -> Floats:
    """The same of scores (metrics, rows) that are not of a run."""
    return _spread(np.stack([shares_beaten(column) for column in scores]))


def _spread(ranks: Floats) -> Floats:
    found: Floats = ranks.max(axis=0) - ranks.min(axis=0)
    return np.nan_to_num(found, nan=0.0)


def _distinct(runs: Runs, order: Rows, most: int) -> list[int]:
    seen: set[tuple[str, str]] = set()
    rows: list[int] = []
    for row in order.tolist():
        key = runs.scores.samples.sources[row], runs.scores.samples.candidates[row]
        if key not in seen:
            seen.add(key)
            rows.append(row)
        if len(rows) == most:
            break
    return rows


def _pairs(runs: Runs, rows: list[int], metrics: list[str]) -> list[Element]:
    samples = runs.scores.samples
    why = None if runs.criterion is None else runs.scores.columns[runs.criterion.usable].notes
    return [
        Pair(
            row,
            samples.systems[row],
            samples.sources[row],
            samples.candidates[row],
            "; ".join(
                [f"{name} {number(float(runs.scores[name][row]), runs.digits(name))}" for name in metrics[:4]]
                + ([] if why is None else [why.get(row, "usable")])
            ),
        )
        for row in rows
    ]
