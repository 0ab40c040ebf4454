"""`paragauge annotate`: human judgments in the browser."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import Hint, InputError
from ..visible import say
from .groups import Group
from .options import Layout, overwrite_option, quiet_option, table_options
from .terminal import hints, printing
from .terminal.signals import Terminated

if TYPE_CHECKING:
    from ..web.annotate.progress import Progress
    from ..web.annotate.store import Store

_FILE = click.Path(path_type=Path)


@click.group("annotate", cls=Group, default="start")
def annotate() -> None:
    """Ask people to judge paraphrases in the browser, and get their ratings as a table.

    `paragauge annotate FILE` is short for `paragauge annotate start FILE`.

    \b
    Examples:
      paragauge annotate pairs.csv
      paragauge annotate status pairs.annotations.db
      paragauge annotate export pairs.annotations.db -o ratings.csv
      paragauge meta ratings.csv
    """


@annotate.command("start")
@click.argument("table")
@click.option("--study", type=_FILE, help="file of the study  [default: beside TABLE, named .annotations.db]")
@click.option("--task", help="direct (ratings from 0 to 100), pairwise or best-worst  [default: direct]")
@click.option("--ask", help="questions of direct ratings: meaning, wording or meaning,wording  [default: both]")
@click.option("--redundancy", type=int, help="raters per item  [default: 2]")
@click.option("--overlap", type=int, help="number of items that every rater judges  [default: 20]")
@click.option("--checks", type=float, help="share of tasks that are broken copies or repeats  [default: 0.2]")
@click.option("--size", type=int, help="candidates of a best-worst item  [default: 4]")
@click.option("--block", type=int, help="tasks that a rater is given at a time  [default: 40]")
@click.option("--first", help="which items are asked first: random or disputed (by metrics)  [default: random]")
@click.option("--score", multiple=True, help="column with scores of a metric, for --first disputed; may be repeated")
@click.option("--seed", type=int, help="random seed for the order of items and checks  [default: 0]")
@click.option("--title", help="title that raters see  [default: the name of the file]")
@click.option("--instructions", type=_FILE, help="text file with instructions of your own, in paragraphs")
@click.option("--comprehension", type=_FILE, help="JSON file with questions of your own, asked before the first task")
@click.option("--no-comprehension", is_flag=True, help="ask no such questions")
@click.option("--offline", type=_FILE, help="write one HTML file with a rater's tasks, to mail, and do not serve")
@click.option("--rater", help="whose tasks --offline writes  [default: the name of the HTML file]")
@click.option("--host", default="127.0.0.1", show_default=True, help="address to serve under")
@click.option("--port", type=click.IntRange(0, 65535), default=8001, show_default=True, help="port; 0 picks a free one")
@click.option(
    "--token",
    envvar="PARAGAUGE_TOKEN",
    show_envvar=True,
    help="secret that every request must carry; required where other machines can reach the address  [default: random]",
)
@click.option(
    "--trusted-host",
    multiple=True,
    metavar="NAME",
    help="host name that requests may use, e.g. that of a proxy; may be repeated",
)
@table_options
@overwrite_option
def start(
    table: str, study: Path | None, ask: str | None, score: Sequence[str], title: str | None, instructions: Path | None,
    comprehension: Path | None, no_comprehension: bool, offline: Path | None, rater: str | None, host: str, port: int,
    token: str | None, trusted_host: Sequence[str], layout: Layout, overwrite: bool, **design: Any,
) -> None:  # fmt: skip
    """Serve a page on which raters judge the paraphrases of a table; rerun to resume.

    TABLE has the columns source, candidate and, optionally, system and id; or it is the folder of a complete run, or
    the file of a study. Raters see neither systems nor scores. Every judgment is on disk before the next task is shown.
    The program prints two addresses: one for the raters, one for the progress of the study.

    \b
    Examples:
      paragauge annotate start pairs.csv --redundancy 3
      paragauge annotate start runs/first --task pairwise --first disputed
      paragauge annotate start pairs.csv --offline anna.html
    """
    from ..web.annotate.app import annotate_app, check_extra
    from ..web.annotate.create import open_study
    from ..web.annotate.offline import write_offline
    from ..web.serving import serve

    if rater is not None and offline is None:
        raise InputError("--rater is for --offline; in the browser raters give their names themselves")
    if offline is None:
        check_extra()
    questions = None if ask is None else tuple(name.strip() for name in ask.split(","))
    store, notes = open_study(
        table, study, title=title, instructions=instructions, comprehension=comprehension, quiz=not no_comprehension,
        scores=score, layout=layout, questions=questions, **design,
    )  # fmt: skip
    for note in notes:
        hints.note(note)
    if offline is not None:
        with store:
            number = write_offline(store, offline, rater, overwrite=overwrite)
        say(f"{offline}: {number:,} tasks; `paragauge annotate import {store.path} FILE.json` takes the answers back")
        return

    def announce(address: str) -> None:
        base, _, rest = address.partition("/?")
        printing.lines(f"raters:   {address}", f"progress: {base}/progress?{rest}&owner={store.facts['owner']}")
        sys.stdout.flush()

    try:
        serve(
            annotate_app(store), host=host, port=port, token=token, trusted_hosts=trusted_host, announce=announce,
            say_hint=hints.as_options,
        )  # fmt: skip
    except (KeyboardInterrupt, Terminated) as asked:
        if store.in_place():
            say(f"stopped; all judgments are saved in {store.path}, rerun to resume")
        else:
            say(f"stopped; {store.path} was removed, moved or replaced meanwhile, and nothing was saved from then on")
        if isinstance(asked, Terminated):
            raise
    finally:
        store.close()


@annotate.command("status")
@click.argument("study", type=_FILE)
@printing.format_option
def status(study: Path, format: str) -> None:
    """Show the progress of a study: items judged, agreement of raters, checks and time.

    Example: paragauge annotate status pairs.annotations.db
    """
    from ..web.annotate.app import as_json
    from ..web.annotate.progress import progress
    from ..web.annotate.store import Store

    printing.check_format(format)
    with Store(study) as store:
        found = progress(store)
    if format == "json":
        printing.as_json(as_json(store, found))
        return
    _print_raters(store, found, format)
    for name, one in found.alphas.items():
        interval = "" if one.low != one.low else f" (95% interval {one.low:.3f} to {one.high:.3f})"
        value = f"undefined: {one.reason}" if one.reason else f"{one.value:.3f}{interval}, {one.units:,} items"
        hints.note(f"Krippendorff's alpha of {name}: {value}")
    hints.note(f"{found.complete:,} of {found.items:,} items have {store.design.redundancy} raters or more")


@annotate.command("export")
@click.argument("study", type=_FILE)
@click.option("-o", "--output", required=True, help="output file: csv, tsv, jsonl or parquet, by suffix")
@click.option("--standardize", is_flag=True, help="human: in standard deviations from the rater's own mean")
@click.option("--careful", is_flag=True, help="leave out raters who rate broken copies no lower than the originals")
@click.option("--spreadsheet", is_flag=True, help="csv and tsv: put an apostrophe before text that runs as a formula")
@overwrite_option
def export(study: Path, output: str, standardize: bool, careful: bool, spreadsheet: bool, overwrite: bool) -> None:
    """Write the ratings of a study, one row for each candidate and rater.

    `paragauge meta`, `tune` and `annotate plan` read the file as it is.

    Example: paragauge annotate export pairs.annotations.db -o ratings.csv
    """
    from ..web.annotate.export import export_ratings
    from ..web.annotate.store import Store

    with Store(study) as store:
        notes = export_ratings(
            store, output, standardize=standardize, careful=careful, overwrite=overwrite, spreadsheet=spreadsheet
        )
    for note in notes:
        hints.note(note)


@annotate.command("import")
@click.argument("study", type=_FILE)
@click.argument("answers", type=_FILE, nargs=-1, required=True)
def import_(study: Path, answers: Sequence[Path]) -> None:
    """Import the answers that raters downloaded from pages sent by mail (--offline).

    Example: paragauge annotate import pairs.annotations.db anna.json
    """
    from ..web.annotate.offline import import_answers
    from ..web.annotate.store import Store

    with Store(study) as store:
        for file in answers:
            found = import_answers(store, file)
            known = f", {found.known:,} were known" if found.known else ""
            say(f"{file}: {found.new:,} answers of {found.rater}{known}")


@annotate.command("plan")
@click.argument("pilot")
@click.option("--human", help="column of human scores  [default: human]")
@click.option("--system", multiple=True, help="systems to be told apart; may be repeated  [default: all]")
@click.option("--difference", type=float, help="smallest difference worth finding  [default: that of the pilot]")
@click.option("--items", type=click.IntRange(2), help="show the power of this many items instead")
@click.option("--raters", default="1,2,3,5,10", show_default=True, help="numbers of raters per item to plan for")
@click.option(
    "--power",
    default=0.8,
    show_default=True,
    type=float,
    help="statistical power: share of studies that find a true difference",
)
@click.option(
    "--alpha",
    default=0.05,
    show_default=True,
    type=float,
    help="significance level: share of studies that find one where there is none",
)
@table_options
@printing.format_option
@quiet_option("no notes")
def plan(
    pilot: str, human: str | None, system: Sequence[str], difference: float | None, items: int | None, raters: str,
    power: float, alpha: float, layout: Layout, format: str, quiet: bool,
) -> None:  # fmt: skip
    """Plan a study: how many items and raters separate two systems, from the ratings of a small one.

    PILOT is what `annotate export` writes, or any table with the columns source, candidate, system, rater and human. An
    item is a source with a candidate of each system.

    \b
    Examples:
      paragauge annotate plan pilot.csv
      paragauge annotate plan pilot.csv --difference 5 --power 0.9
    """
    from ..benchmarks import open_ratings
    from ..web.annotate.power import plan as planned

    printing.check_format(format)
    try:
        numbers = [int(number) for number in raters.split(",")]
    except ValueError:
        numbers = [0]
    if min(numbers) < 1:
        raise InputError(f"--raters {raters}: expected whole numbers, as in --raters 1,2,3")
    ratings = open_ratings(pilot, human, (), None, layout)
    pilots, plans = planned(
        ratings, list(system) or None, difference=difference, items=items, raters=numbers, power=power, alpha=alpha
    )
    header = ["first", "second", "raters", "items", "judgments", "power"]
    printing.table(header, [list(row) for row in plans], format, None)
    if quiet:
        return
    for one in pilots:
        hints.note(
            f"{one.first} − {one.second} in the pilot: {one.difference:.3g} (95% interval {one.low:.3g} to "
            f"{one.high:.3g}), {one.sources:,} sources; standard deviation {one.between**0.5:.3g} between sources, "
            + (f"{one.within**0.5:.3g} of a judgment" if one.within == one.within else "no candidate was judged twice")
        )
        if difference is None and one.low <= 0 <= one.high:
            hints.note(
                Hint(
                    "the pilot does not tell whether the two differ, so its difference is a poor guide: name the "
                    "smallest one worth finding with {difference}",
                    difference=None,
                )
            )


def _print_raters(store: Store, found: Progress, format: str) -> None:
    direct = store.design.task == "direct"
    header = ["rater", "tasks", "skipped", "seconds", "agreement", "shared items", *(["bias"] if direct else [])]
    header += ["broken: lower by", "p", "pairs", "repeats", "repeats: apart by", "verdict"]
    rows: list[list[printing.Cell]] = []
    for one in found.raters:
        row: list[printing.Cell] = [one.rater, one.judged, one.skipped, one.seconds, one.agreement, one.shared]
        row += [one.leaning] if direct else []
        row += [one.broken.difference, one.broken.p, one.broken.pairs, one.repeats, one.apart, one.verdict]
        rows.append(row)
    printing.table(header, rows, format, None)
