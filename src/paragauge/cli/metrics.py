"""`paragauge metrics`: the list of metrics, and the card of one."""

from __future__ import annotations

from pathlib import Path

from .declare import argument, command, option
from .options import FORMAT, OVERWRITE
from .terminal import printing


@command("metrics")
def list_metrics(
    name: str | None = argument(required=False),
    cards: Path | None = option("write the cards of all metrics into this folder", of=Path),
    overwrite: bool = OVERWRITE,
    format: str = FORMAT,
) -> None:
    """List every metric: its name, the question it answers, what it needs, its range and direction.

    With NAME show the card of this metric: what it means, its range, formula, parameters, limits and source.

    \b
    Examples:
      paragauge metrics -f markdown
      paragauge metrics parascore-free
    """
    from ..cards import card, write_all
    from ..metrics import QUESTIONS, parse, question, variants

    if cards is not None:
        printing.lines(*map(str, write_all(cards, overwrite=overwrite)))
        return
    if name is not None:
        printing.lines(*card(parse(name)).split("\n"))
        return
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
            "Parameters: -m parascore:omega=0.1,gamma=0.4; `paragauge metrics NAME` explains one.",
        )
