"""`paragauge annotate`: human judgments in the browser."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import Hint, InputError
from ..printable import say
from .declare import argument, command, option, together
from .groups import CommandGroup
from .options import FORMAT, HOST, HUMAN, LAYOUT, OUTPUT, OVERWRITE, TOKEN, TRUSTED_HOST, Layout, port, quiet
from .terminal import hints, printing
from .terminal.signals import Terminated

if TYPE_CHECKING:
    from ..web.annotate.progress import StudyProgress
    from ..web.annotate.store import StudyStore


@click.group("annotate", cls=CommandGroup, default="start")
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


def _design(
    task: str | None = option("direct (ratings from 0 to 100), pairwise or best-worst  [default: direct]"),
    ask: str | None = option("questions of direct ratings: meaning, wording or meaning,wording  [default: both]"),
    redundancy: int | None = option("raters per item  [default: 2]", of=int),
    overlap: int | None = option("number of items that every rater judges  [default: 20]", of=int),
    checks: float | None = option("share of tasks that are broken copies or repeats  [default: 0.2]", of=float),
    size: int | None = option("candidates of a best-worst item  [default: 4]", of=int),
    block: int | None = option("tasks that a rater is given at a time  [default: 40]", of=int),
    first: str | None = option("which items are asked first: random or disputed (by metrics)  [default: random]"),
    scores: Sequence[str] = option(
        "column with scores of a metric, for --first disputed; may be repeated", None, "--score", many=True
    ),
    seed: int | None = option("random seed for the order of items and checks  [default: 0]", of=int),
) -> dict[str, Any]:
    questions = None if ask is None else tuple(name.strip() for name in ask.split(","))
    return {
        "task": task, "questions": questions, "redundancy": redundancy, "overlap": overlap, "checks": checks,
        "size": size, "block": block, "first": first, "scores": scores, "seed": seed,
    }  # fmt: skip


@command("start", annotate)
def start(
    table: str = argument(),
    study: Path | None = option("file of the study  [default: next to TABLE, named .annotations.db]", of=Path),
    design: dict[str, Any] = together(_design),
    title: str | None = option("title that raters see  [default: the name of the file]"),
    instructions: Path | None = option("text file with instructions of your own, in paragraphs", of=Path),
    comprehension: Path | None = option("JSON file with questions of your own, asked before the first task", of=Path),
    no_comprehension: bool = option("ask no such questions", False),
    offline: Path | None = option("write one HTML file with a rater's tasks, to mail, and do not serve", of=Path),
    rater: str | None = option("whose tasks --offline writes  [default: the name of the HTML file]"),
    host: str = HOST,
    port: int = port(8001),
    token: str | None = TOKEN,
    trusted_host: Sequence[str] = TRUSTED_HOST,
    layout: Layout = LAYOUT,
    overwrite: bool = OVERWRITE,
) -> None:
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
    store, notes = open_study(
        table, study, title=title, instructions=instructions, comprehension=comprehension, quiz=not no_comprehension,
        layout=layout, **design,
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


@command("status", annotate)
def status(study: Path = argument(Path), format: str = FORMAT) -> None:
    """Show the progress of a study: items judged, agreement of raters, checks and time.

    Example: paragauge annotate status pairs.annotations.db
    """
    from ..web.annotate.app import as_json
    from ..web.annotate.progress import progress
    from ..web.annotate.store import StudyStore

    with StudyStore(study) as store:
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


@command("export", annotate)
def export(
    study: Path = argument(Path),
    output: Path = OUTPUT,
    standardize: bool = option("human: in standard deviations from the rater's own mean", False),
    careful: bool = option("leave out raters who rate broken copies no lower than the originals", False),
    spreadsheet: bool = option("csv and tsv: put an apostrophe before text that runs as a formula", False),
    overwrite: bool = OVERWRITE,
) -> None:
    """Write the ratings of a study, one row for each candidate and rater.

    `paragauge meta`, `tune` and `annotate plan` read the file as it is.

    Example: paragauge annotate export pairs.annotations.db -o ratings.csv
    """
    from ..web.annotate.export import export_ratings
    from ..web.annotate.store import StudyStore

    with StudyStore(study) as store:
        notes = export_ratings(
            store, output, standardize=standardize, careful=careful, overwrite=overwrite, spreadsheet=spreadsheet
        )
    for note in notes:
        hints.note(note)


@command("import", annotate)
def import_(study: Path = argument(Path), answers: Sequence[Path] = argument(Path, nargs=-1)) -> None:
    """Import the answers that raters downloaded from pages sent by mail (--offline).

    Example: paragauge annotate import pairs.annotations.db anna.json
    """
    from ..web.annotate.offline import import_answers
    from ..web.annotate.store import StudyStore

    with StudyStore(study) as store:
        for file in answers:
            found = import_answers(store, file)
            known = f", {found.known:,} were known" if found.known else ""
            say(f"{file}: {found.new:,} answers of {found.rater}{known}")


@command("plan", annotate)
def plan(
    pilot: str = argument(),
    human: str | None = HUMAN,
    system: Sequence[str] = option("systems to be told apart; may be repeated  [default: all]", many=True),
    difference: float | None = option("smallest difference worth finding  [default: that of the pilot]", of=float),
    items: int | None = option("show the power of this many items instead", of=int, low=2),
    raters: str = option("numbers of raters per item to plan for", "1,2,3,5,10"),
    power: float = option("statistical power: share of studies that find a true difference", 0.8),
    alpha: float = option("significance level: share of studies that find one where there is none", 0.05),
    layout: Layout = LAYOUT,
    format: str = FORMAT,
    quiet: bool = quiet("no notes"),
) -> None:
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


def _print_raters(store: StudyStore, found: StudyProgress, format: str) -> None:
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
