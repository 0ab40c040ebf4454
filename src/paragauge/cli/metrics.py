"""`paragauge metrics` and `paragauge card`."""

from __future__ import annotations

from pathlib import Path

import click

from .options import overwrite_option
from .terminal import printing


@click.command("metrics")
@printing.format_option
def list_metrics(format: str) -> None:
    """List every metric: its name, the question it answers, what it needs, its range and direction.

    Example: paragauge metrics -f markdown
    """
    from ..metrics import QUESTIONS, question, variants

    printing.check_format(format)
    rows = [
        [
            metric.spec,
            QUESTIONS[question(metric.name)],
            metric.needs,
            printing.interval(*metric.range),
            "higher" if metric.higher_is_better else "lower",
            metric.about,
        ]
        for metric in variants()
    ]
    printing.table(["metric", "question", "needs", "range", "better", "what it is"], rows, format, title=None)
    if format == "table":
        printing.lines(
            "",
            "Every metric that needs references has a .free variant against the source, as in bleu.free.",
            "Parameters: -m parascore:omega=0.1,gamma=0.4; `paragauge card NAME` explains one.",
        )


@click.command("card")
@click.argument("name", required=False)
@click.option(
    "--all", "folder", type=click.Path(path_type=Path), help="write the cards of all metrics into this folder"
)
@overwrite_option
def card(name: str | None, folder: Path | None, overwrite: bool) -> None:
    """Show a metric's card: what it means, its range, formula, parameters, limits and source.

    Example: paragauge card parascore-free
    """
    from ..cards import card as make_card
    from ..cards import write_all
    from ..metrics import parse

    if folder is not None:
        printing.lines(*map(str, write_all(folder, overwrite=overwrite)))
    elif name is None:
        raise click.UsageError("expected the name of a metric, or --all FOLDER")
    else:
        printing.lines(*make_card(parse(name)).split("\n"))
