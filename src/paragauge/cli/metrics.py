"""`paragauge metrics` and `paragauge card`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from . import printing


def list_metrics(
    format: Annotated[str, typer.Option("-f", "--format", help="table, json, csv, latex or markdown")] = "table",
) -> None:
    """List every metric: its name, the question it answers, what it needs, its range and direction.

    Example: paragauge metrics -f markdown
    """
    from ..metrics import QUESTIONS, question, variants

    rows = [
        [
            metric.spec,
            QUESTIONS[question(metric.name)],
            metric.requires,
            printing.interval(*metric.range),
            "higher" if metric.direction else "lower",
            (type(metric).__doc__ or "").split("\n")[0].split(". ")[0].rstrip("."),
        ]
        for metric in variants()
    ]
    printing.table(["metric", "question", "needs", "range", "better", "what it is"], rows, format, title=None)
    if format == "table":
        print("\nEvery metric that needs references has a .free variant against the source, as in bleu.free.")
        print("Parameters: -m parascore:omega=0.1,gamma=0.4; `paragauge card NAME` explains one.")


def card(
    name: Annotated[str | None, typer.Argument(help="a metric, as after -m")] = None,
    all: Annotated[Path | None, typer.Option("--all", help="write the cards of all metrics into this folder")] = None,
) -> None:
    """Show a metric's card: what it means, its range, formula, parameters, limits and source.

    Example: paragauge card parascore-free
    """
    from ..cards import card as make_card
    from ..cards import write_all
    from ..metrics import parse

    if all is not None:
        for file in write_all(all):
            print(file)
    elif name is None:
        raise typer.BadParameter("name a metric, or a folder with --all")
    else:
        print(make_card(parse(name)))
