"""`paragauge tune`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from .declare import argument, command, option
from .options import DATA, FORMAT, HUMAN, LAYOUT, STATISTIC, Layout, quiet, seed, settings
from .terminal import hints, printing
from .terminal.progress import Bar


@command("tune")
def tune(
    table: str = argument(),
    metric: str | None = option(
        "metric to tune  [default: parascore, or parascore-free without references]", None, "-m"
    ),
    grid: Sequence[str] = option(
        "values to try for a parameter: omega=0:1:0.02 or gamma=0.2,0.35; may be repeated", many=True
    ),
    statistic: str = STATISTIC,
    level: str = option("pooled, source or system: see `paragauge meta`", "pooled"),
    split: str = option("source (whole sources) or published (first rows)", "source"),
    share: float | None = option("fraction of the ratings used to choose the parameters  [default: 0.1]", of=float),
    seed: int = seed("the split and resampling"),
    human: str | None = HUMAN,
    layout: Layout = LAYOUT,
    parameters: dict[str, Any] = settings("encoder", "lang"),
    data: Path | None = DATA,
    format: str = FORMAT,
    everything: bool = option("print the result of every point of the grid", False, "--all"),
    quiet: bool = quiet("no progress bar, no notes"),
) -> None:
    """Choose parameters of a metric on a small part of human ratings, and measure them on the rest.

    TABLE is the name of a data set (`paragauge data`), or a file with a column of human scores. For ParaScore, ω and γ
    are tuned by default.

    \b
    Examples:
      paragauge tune twitter-para
      paragauge tune my.csv --human rating -m bert-ibleu --grid beta=1:10:1
    """
    from ..benchmarks import open_ratings
    from ..meta.tuning import tune as tuned

    named = {}
    for item in grid:
        name, equals, values = item.partition("=")
        if not equals:
            raise InputError(f"--grid {item}: expected NAME=VALUES, as in --grid omega=0:1:0.02")
        if name.strip() in named:
            raise InputError(f"--grid names {name.strip()} twice; give all its values at once, as in {name}=0.1,0.2")
        named[name.strip()] = values
    ratings = open_ratings(table, human, (), data, layout)
    with Bar(quiet) as bar:
        found = tuned(
            ratings, metric, named or None, statistic=statistic, level=level, split=split,
            share=share, seed=seed, progress=bar.update, **parameters,
        )  # fmt: skip
    if everything:
        header = [*found.grid[0][0], f"{statistic} on dev"]
        printing.table(header, [[*point.values(), value] for point, value in found.grid], format, None)
        return
    plain = format in ("json", "csv")
    parts = ["dev", "test"] if plain else [f"dev ({found.dev_rows:,} rows)", f"test ({found.test_rows:,} rows)"]
    header = ["which", "setting", *parts, "low", "high", *(["dev rows", "test rows"] if plain else [])]
    rows: list[list[printing.Cell]] = [
        ["before", found.before.metric, found.before.dev, *found.before.test.numbers[:3]],
        ["chosen", found.chosen.metric, found.chosen.dev, *found.chosen.test.numbers[:3]],
        ["gain", "", found.chosen.dev - found.before.dev, *found.gain.numbers[:3]],
    ]
    printing.table(
        header, [[*row, *([found.dev_rows, found.test_rows] if plain else [])] for row in rows], format, None
    )
    for remark in [] if quiet else found.remarks():
        hints.note(remark)
