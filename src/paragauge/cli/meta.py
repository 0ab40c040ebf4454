"""`paragauge meta`: which metric to trust."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..printable import say
from ..tables.display import spread
from .declare import argument, command, option
from .options import (
    DATA,
    FORMAT,
    HUMAN,
    LAYOUT,
    OVERWRITE,
    REPORT,
    STATISTIC,
    Layout,
    Workers,
    command_line,
    quiet,
    seed,
    settings,
    workers,
)
from .terminal import hints, printing
from .terminal.progress import Bar

if TYPE_CHECKING:
    from ..meta.leaderboard import Leaderboard


@command("meta")
def meta(
    table: str = argument(),
    metric: Sequence[str] = option(
        "e.g. bleu, rougeL.free; may be repeated  [default: all that need no additional models]", None, "-m", many=True
    ),
    score: Sequence[str] = option(
        "column with the scores of another metric, higher is better; may be repeated", many=True
    ),
    level: str = option(
        "pooled: over all rows; source: mean of the correlations within each source; system: over system means",
        "pooled",
    ),
    statistic: str = STATISTIC,
    test: str = option(
        "bootstrap or permutation, clustered by source; williams or perm-both, which assume independent rows",
        "bootstrap",
    ),
    part: str | None = option("all, dev or test  [default: test if the data set has a published split, else all]"),
    split: str = option(
        "dev part: published (the first rows), or source (a tenth of the sources, each kept whole)", "published"
    ),
    resamples: int | None = option(
        "number of resamples  [default: as many as the clusters need]", of=int, low=100, high=1_000_000
    ),
    seed: int = seed("resampling"),
    engine: Workers = workers("  [default: 1]"),
    no_sentinels: bool = option(
        "leave out sentinels such as length-ratio: trivial baselines that a metric must beat to mean anything", False
    ),
    analysis: str = option(
        "correlations; differences (of every pair of metrics, with p-values); or an analysis of the correlations: "
        "groups, cases (by edit distance), attribution, ability (meaning or wording), decomposition (of BERT-iBLEU), "
        "copies, omega (copies among the candidates)",
        "correlations",
    ),
    similarity: str = option("metric of meaning used by the analyses attribution and ability", "cosine.free"),
    figures: Path | None = option("also draw the results as SVG and PNG in this folder", of=Path),
    report: Path | None = REPORT,
    overwrite: bool = OVERWRITE,
    human: str | None = HUMAN,
    layout: Layout = LAYOUT,
    parameters: dict[str, Any] = settings("encoder", "lang"),
    data: Path | None = DATA,
    format: str = FORMAT,
    quiet: bool = quiet("print the table only: no progress bar, no notes except warnings"),
) -> None:
    """Rank metrics by their agreement with human judgments, with intervals and significance.

    TABLE is a file with the columns source, candidate, human and, optionally, references and system; or - for standard
    input; or the name of a data set (`paragauge data`). Ratings may be on any scale; higher is better. Confidence
    intervals resample whole sources, since candidates of one source are not independent. Metrics in the same cluster
    do not differ significantly.

    \b
    Examples:
      paragauge meta twitter-para -m parascore -m bertscore.free -m bleu
      paragauge meta my.csv --human rating --level source
    """
    from ..benchmarks import files_of, open_ratings
    from ..meta.analysis import CORRELATIONS, Request, analyse, check_analysis, score_for
    from ..meta.analysis import analysis as named_analysis
    from ..meta.charts import draw_all, leaderboard_chart, make_folder
    from ..meta.leaderboard import leaderboard, metrics_to_judge
    from ..reports.page import check_report
    from ..reports.studies.meta import write_meta_report

    differences = analysis == "differences"
    analysis = CORRELATIONS if differences else analysis
    check_analysis(analysis, statistic, level, test, score)
    ratings = open_ratings(table, human, score, data, layout).part(part, split, seed)
    references = any(ratings.samples.references)
    inputs = files_of(table, data)
    if report is not None:
        check_report(report, inputs=inputs, overwrite=overwrite)
        if analysis != CORRELATIONS:
            raise InputError(f"--report has the analyses by itself; expected it without --analysis {analysis}")
    if figures is not None:
        names = [analysis] if analysis == CORRELATIONS else named_analysis(analysis).charts(references)
        make_folder(figures, names, inputs=inputs, overwrite=overwrite)
    metrics = metrics_to_judge(ratings, metric, sentinels=not no_sentinels)
    with Bar(quiet) as bar:
        encoder, lang = parameters.get("encoder"), parameters.get("lang", "auto")
        request = Request(metrics, statistic, similarity, resamples or 1000, seed, encoder, lang, bar.update)
        scored = score_for(analysis, ratings, request)
        if not metric:
            scored = scored.widely_defined(keep=score)
        if analysis == CORRELATIONS:
            found = leaderboard(scored, statistic, level, test, resamples, seed, bar.update, _engine(engine))
            charts = {"correlations": lambda: leaderboard_chart(found)}
            notes = [*found.remarks(ratings.name), *scored.flipped_metrics()]
            if report is not None:
                write_meta_report(found, scored, request, output=report, command=command_line())
        else:
            result = analyse(analysis, scored, request)
            charts = result.charts
            notes = [f"{len(ratings):,} rows ({ratings.name})", *result.notes, *scored.notes, *scored.flipped_metrics()]
            if metric and (only := named_analysis(analysis).metric):
                notes.append(f"{analysis} is of {only} alone: what -m names is not used")
    if analysis != CORRELATIONS:
        plain = format in ("json", "csv")
        header, rows = (result.header, result.rows) if plain or result.wide is None else result.wide
        printing.table(header, rows, format, None)
    elif differences:
        _print_gaps(found, format)
    else:
        _print_standings(found, format)
    if figures is not None and not charts:
        notes.append(f"--analysis {analysis} has no figure")
    drawn = draw_all(charts, figures, inputs=inputs, overwrite=overwrite) if figures is not None else []
    for note in scored.notes if quiet else [*notes, *(f"drawn: {file}" for file in drawn)]:
        hints.note(note)
    if report is not None and not quiet:
        say(f"report: {report}")


def _engine(asked: Workers) -> Any:
    """None: this process alone."""
    from ..evaluate.engines import engine

    alone = asked.engine in (None, "local") and asked.workers in (None, 1)
    return None if alone else engine(asked.engine or "local", asked.workers, asked.address)


def _print_standings(found: Leaderboard, format: str) -> None:
    plain = format in ("json", "csv")
    several = any(row.accuracy == row.accuracy for row in found.standings)
    names = {"pearson": "pearson", "spearman": "spearman", "kendall": "kendall-b"}
    main = found.statistic if found.level == "pooled" else f"{found.statistic} by {found.level}"
    if found.level != "pooled":
        names = {field: f"pooled {name}" for field, name in names.items()}
    elif not plain:
        names = {field: name for field, name in names.items() if name != found.statistic}
    if several:
        names |= {"within": "within source", "sources": "sources", "accuracy": "pairwise"}
        if not plain:
            del names["sources"]  # a note says it
    if main == "pearson by source" and not plain:
        del names["within"]  # the same
    header = ["metric", main, *(["low", "high"] if plain else ["95% interval"]), "cluster"]
    header += [f"pooled {name}" if name == main else name for name in names.values()]
    header += ["sentinel", "epsilon", "reason"] * plain
    rows: list[list[Any]] = []
    for row in found.standings:
        interval = [row.low, row.high] if plain else [spread(row.low, row.high, 3)]
        label = row.metric if plain or not row.sentinel else f"{row.metric} (sentinel)"
        line: list[Any] = [label, row.value, *interval, row.cluster]
        line += [getattr(row, field) for field in names]
        rows.append(line + [row.sentinel, row.epsilon, row.reason] * plain)
    printing.table(header, rows, format, None)


def _print_gaps(found: Leaderboard, format: str) -> None:
    plain = format in ("json", "csv")
    ends = ["low", "high"] if plain else ["95% interval"]
    header = ["better", "worse", "difference", *ends, "p (two-sided)", "p (Holm)"]
    rows: list[list[Any]] = []
    for gap in found.gaps:
        interval = [gap.low, gap.high] if plain else [spread(gap.low, gap.high, 3)]
        rows.append([gap.better, gap.worse, gap.value, *interval, gap.p, gap.adjusted])
    printing.table(header, rows, format, None)
