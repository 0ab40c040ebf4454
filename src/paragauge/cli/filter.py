"""`paragauge filter`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .options import Layout, no_cache_option, overwrite_option, quiet_option, table_options
from .terminal import printing
from .terminal.hints import note
from .terminal.progress import Bar

_SHOWN = 20  # rows that are printed where there is no output file


@click.command("filter")
@click.argument("table")
@click.option("--where", help="condition on columns or metrics: 'cosine.free >= 0.8 and ned.free >= 0.35'")
@click.option("--best", type=click.IntRange(1), help="keep the best N candidates of each source")
@click.option("--by", help="column or metric that says which are best  [default: the first of --where]")
@click.option("--dedupe", type=float, help="drop candidates this similar (0 to 1) to a better one of their source")
@click.option("--encoder", help="encoder of metrics that are computed")
@table_options
@click.option("-o", "--output", help="write the rows that are kept: jsonl, csv, tsv or parquet")
@overwrite_option
@printing.format_option
@quiet_option("no progress, no counts of what was dropped")
@no_cache_option
def filter_rows(
    table: str, where: str | None, best: int | None, by: str | None, dedupe: float | None, encoder: str | None,
    layout: Layout, output: str | None, overwrite: bool, format: str, quiet: bool, no_cache: bool,
) -> None:  # fmt: skip
    """Keep the rows that meet a condition, the best of each source, without near-duplicates.

    TABLE has the columns source and candidate, and any number of others, which are kept; or it is the folder of a
    complete run. A name in the condition is one of its columns or, if there is none, a metric, which is computed. The
    condition has numbers, names, comparisons (>= > <= < == !=), and, or, not and brackets; a name with other signs
    is written in backquotes: `parascore:omega=0.2`. An undefined score meets no condition.

    \b
    Examples:
      paragauge filter scored.jsonl --where "meaning >= 0.8 and changed >= 0.35" --best 1 --dedupe 0.9 -o kept.jsonl
      paragauge filter runs/first --where "parascore-free > 0.85" -o good.csv
    """
    from ..select.filter import filter as filtered

    printing.check_format(format, Path(output) if output else None)
    settings: dict[str, Any] = {} if encoder is None else {"encoder": encoder}
    with Bar(quiet) as bar:
        found = filtered(
            table, where, best=best, by=by, dedupe=dedupe, output=output, overwrite=overwrite,
            spreadsheet=printing.for_spreadsheet(), cache=not no_cache, progress=bar.update,
            **layout._asdict(), **settings,
        )  # fmt: skip
    if output is None:
        names = list(
            dict.fromkeys(name for row in found.rows for name in row if name not in ("provenance", "references"))
        )
        shown = found.rows[:_SHOWN] if format == "table" else found.rows
        rows = [[_cell(row.get(name), format) for name in names] for row in shown]
        printing.table(names, rows, format, None)
        if len(shown) < len(found.rows):
            printing.lines(f"… and {len(found.rows) - len(shown):,} more")
    if not quiet:
        note(f"{len(found.rows):,} of {found.read:,} rows are kept")
        for reason, count in sorted(found.fell.items(), key=lambda pair: -pair[1]):
            note(f"{count:,} fell to: {reason}")


def _cell(value: Any, format: str) -> Any:
    if isinstance(value, (list, dict)):
        return str(value)
    return f"{value:.3f}" if isinstance(value, float) and format not in ("json", "csv") else value
