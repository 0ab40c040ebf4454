"""How far the metrics say the same: their rank correlations."""

from __future__ import annotations

import numpy as np

from ..document import Section, Share, Table, Text
from ..runs import Runs


def section(runs: Runs) -> Section | None:
    metrics = list(runs.scores.columns)
    if len(metrics) < 2 or len(runs.scores) < 3:
        return None
    from scipy.stats import rankdata

    rows: list[list[str | Share]] = []
    for one in metrics:
        line: list[str | Share] = [one]
        for two in metrics:
            first, second = runs.scores[one], runs.scores[two]
            known = ~np.isnan(first + second)
            value = None
            if known.sum() > 2 and np.ptp(first[known]) and np.ptp(second[known]):
                value = float(np.corrcoef(rankdata(first[known]), rankdata(second[known]))[0, 1])
            line.append(Share(value))
        rows.append(line)
    return Section(
        "correlations",
        "Do the metrics agree?",
        [
            Text(["Spearman's rank correlation over all rows that have both scores."]),
            Table("correlations", "Rank correlation of metrics", ["metric", *metrics], rows),
        ],
    )
