"""`paragauge filter`."""

from __future__ import annotations

from typing import Any

from .declare import argument, command, option
from .options import FORMAT, LAYOUT, NO_CACHE, OVERWRITE, Layout, quiet, settings
from .terminal import printing
from .terminal.hints import note
from .terminal.progress import Bar

_SHOWN = 20  # rows that are printed where there is no output file


@command("filter")
def filter_rows(
    table: str = argument(),
    where: str | None = option("condition on columns or metrics: 'cosine.free >= 0.8 and ned.free >= 0.35'"),
    best: int | None = option("keep the best N candidates of each source", of=int, low=1),
    by: str | None = option("column or metric that says which are best  [default: the first of --where]"),
    dedupe: float | None = option("drop candidates this similar (0 to 1) to a better one of their source", of=float),
    parameters: dict[str, Any] = settings("encoder"),
    layout: Layout = LAYOUT,
    output: str | None = option("write the rows that are kept: jsonl, csv, tsv or parquet", None, "-o"),
    overwrite: bool = OVERWRITE,
    format: str = FORMAT,
    quiet: bool = quiet("no progress, no counts of what was dropped"),
    no_cache: bool = NO_CACHE,
) -> None:
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

    with Bar(quiet) as bar:
        found = filtered(
            table, where, best=best, by=by, dedupe=dedupe, output=output, overwrite=overwrite,
            spreadsheet=printing.for_spreadsheet(), cache=not no_cache, progress=bar.update,
            **layout._asdict(), **parameters,
        )  # fmt: skip
    if output is None:
        names = list(
            dict.fromkeys(name for row in found.rows for name in row if name not in ("provenance", "references"))
        )
        shown = found.rows[:_SHOWN] if format == "table" else found.rows
        rows = [[_cell(row.get(name)) for name in names] for row in shown]
        printing.table(names, rows, format, None)
        if len(shown) < len(found.rows):
            printing.lines(f"… and {len(found.rows) - len(shown):,} more")
    if not quiet:
        note(f"{len(found.rows):,} of {found.read:,} rows are kept")
        for reason, count in sorted(found.rejected.items(), key=lambda pair: -pair[1]):
            note(f"rejected {count:,}: {reason}")


def _cell(value: Any) -> Any:
    return str(value) if isinstance(value, (list, dict)) else value
