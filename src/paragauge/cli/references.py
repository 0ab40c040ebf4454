"""`paragauge references`: score, evaluate, coverage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError
from ..visible import say
from .data import data_option
from .groups import Group
from .options import Lists, overwrite_option, quiet_option, seed_option, width_option
from .report import command_line, report_option
from .terminal import hints, printing
from .terminal.progress import Bar

if TYPE_CHECKING:
    from ..metric import Metric
    from ..references.scoring import SystemScores

_PATH = click.Path(path_type=Path)
_first = click.option("--first", type=click.IntRange(1), help="read only the first N lines of every file", metavar="N")
_metric = click.option("-m", "--metric", default="bleu", show_default=True, help="e.g. bleu, chrf, ter, meteor15")
_lang = click.option("--lang", default="en", show_default=True, help="BLEU tokenization language (en: sacrebleu's 13a)")
_quiet = quiet_option("no progress, no signatures; warnings remain")
_size = click.option(
    "-n",
    "--size",
    type=click.IntRange(0),
    multiple=True,
    help="use the first N extra references; may be repeated",
    metavar="N",
)


@click.group("references", cls=Group)
def references() -> None:
    """Score systems with paraphrased references, and measure how much these improve agreement with human judgments.

    \b
    Examples:
      paragauge references score --outputs systems/ --reference ref.en --extra para1.en --extra para2.en
      paragauge references evaluate wmt19 --extra-dir paraphrases/ --human da
    """


def _task_options(command: Any) -> Any:
    for option in (
        _first,
        click.option(
            "--extra",
            type=_PATH,
            multiple=True,
            help="files of further references (all that follow): lines, empty for none; or .jsonl of paraphrase",
        ),
        click.option("--reference", type=_PATH, required=True, help="the reference, one segment per line"),
        click.option("--outputs", type=_PATH, required=True, help="folder with one output file per system"),
    ):
        command = option(command)
    return command


@references.command("score", cls=Lists)
@_task_options
@click.option("--source", type=_PATH, help="the sources, one per line, for metrics that need them")
@click.option(
    "-m",
    "--metric",
    "metrics",
    default=("bleu",),
    show_default=True,
    multiple=True,
    help="e.g. bleu, chrf, ter, meteor15; may be repeated",
)
@_size
@_lang
@click.option("--sentence-level", is_flag=True, help="print every segment of every system")
@printing.format_option
@width_option()
@_quiet
def score(
    outputs: Path, reference: Path, extra: Sequence[Path], first: int | None, source: Path | None,
    metrics: Sequence[str], size: Sequence[int], lang: str, sentence_level: bool, format: str, width: int, quiet: bool,
) -> None:  # fmt: skip
    """Score systems with the reference alone and with further references: per system, or per segment.

    \b
    Examples:
      paragauge references score --outputs systems/ --reference ref.en --extra para1.en --extra para2.en -m bleu -m chrf
      paragauge references score --outputs systems/ --reference ref.en --extra para1.en -m chrf --sentence-level
    """
    from ..evaluate.choose import choose
    from ..references.scoring import score_task
    from ..references.task import read_task
    from ..tables.notices import sentences

    printing.check_format(format)
    chosen = choose(metrics, True, lang=lang)
    task = read_task(outputs, reference, extra, first, source=source)
    with Bar(quiet) as bar:
        found = score_task(task, chosen, size or None, progress=bar.update)
    names = _columns(found)
    if sentence_level:
        rows: list[list[printing.Cell]] = [
            [system, segment + 1, *(float(scored.segments[place, segment]) for scored in found)]
            for place, system in enumerate(task.systems)
            for segment in range(task.segments)
        ]
        printing.table(["system", "segment", *names], rows, format, title=None, digits=width)
    else:
        places = found[-1].ranked()
        rows = [[task.systems[place], *(float(scored.corpus[place]) for scored in found)] for place in places]
        printing.table(["system", *names], rows, format, title=None, digits=width)
    if format == "table" and not quiet:
        printing.lines("", *dict.fromkeys(scored.signature for scored in found))
    told = [warning for scored in found for warning in sentences(scored.notices)]
    for note in dict.fromkeys([*task.warnings(), *told]):
        hints.note(note)


def _chosen(metric: str, lang: str) -> Metric:
    from ..evaluate.choose import choose

    (chosen,) = choose([metric], True, lang=lang)
    return chosen


def _columns(found: Sequence[SystemScores]) -> list[str]:
    """`bleu`, `bleu +2`: the metric's name, with its parameters where two would have one name, and the extras."""
    specs = list(dict.fromkeys(scored.metric.spec for scored in found))
    short = [spec.partition(":")[0] for spec in specs]
    names = {spec: name if short.count(name) == 1 else spec for spec, name in zip(specs, short, strict=True)}
    return [names[scored.metric.spec] + (f" +{scored.extras}" if scored.extras else "") for scored in found]


@references.command("evaluate")
@click.argument("folder")
@click.option(
    "--extra-dir",
    type=_PATH,
    multiple=True,
    required=True,
    help="folder of further references; may be repeated, to compare",
)
@click.option("--human", default="da", show_default=True, help="da, darr, or a file of segment scores (*.seg.score)")
@click.option("--pair", multiple=True, help="evaluate only this language pair; may be repeated")
@data_option
@_first
@_metric
@_size
@_lang
@click.option(
    "--resamples", type=click.IntRange(20), default=1000, show_default=True, help="number of bootstrap resamples"
)
@seed_option("resampling")
@click.option("--summary", is_flag=True, help="print only the average, minimum and maximum over language pairs")
@report_option
@overwrite_option
@printing.format_option
@_quiet
def evaluate(
    folder: str, extra_dir: Sequence[Path], human: str, pair: Sequence[str], data: Path | None, first: int | None,
    metric: str, size: Sequence[int], lang: str, resamples: int, seed: int, summary: bool,
    report: Path | None, overwrite: bool, format: str, quiet: bool,
) -> None:  # fmt: skip
    """Evaluate whether further references improve a metric's agreement with human judgments.

    Prints one row per language pair, then the average, minimum and maximum. FOLDER has the layout of WMT's data:
    system-outputs/de-en/, references/, DA-syslevel.csv, darr/. Files of an extra folder belong to the pair in their
    name: deen-1.en, para.de-en.txt, or deen.jsonl of `paragauge paraphrase`. DA is at the system level (Pearson's r,
    Williams's test); DARR at the segment level (τ as at WMT 2019, bootstrap over segments); a file of segment scores
    gives soft pairwise accuracy for systems and tie-calibrated pairwise accuracy for segments.

    \b
    Examples:
      paragauge references evaluate wmt19 --extra-dir human-paraphrases --human da --pair de-en --first 500
      paragauge references evaluate wmt19 --extra-dir paraphrases --human darr -n 1 -n 5 -n 20
    """
    from ..references import evaluation, wmt
    from ..report.page import check_report
    from ..report.studies.references import write_references_report

    printing.check_format(format)
    place = wmt.find_folder(folder, data)
    chosen = _chosen(metric, lang)
    if report is not None:
        check_report(report, inputs=[place, *extra_dir], overwrite=overwrite)
    with Bar(quiet) as bar:
        found = evaluation.evaluate(
            place, extra_dir, human, pair, first, chosen, size, resamples, seed, progress=bar.update
        )
    if summary and not found.summary:
        raise InputError("a summary needs at least two language pairs, and one was evaluated")
    if not summary:
        header, rows = evaluation.as_table(found.rows)
        printing.table(header, rows, format, title=None)
    if summary or (found.summary and format == "table"):
        if not summary:
            printing.lines("")
        header, rows = evaluation.as_table(found.summary)
        printing.table(header, rows, format, title=None)
    if format == "table" and not quiet:
        printing.lines("", *found.notes, *found.signatures)
    if report is not None:
        write_references_report(found, place, extra_dir, first, metric, output=report, command=command_line())
        say(f"report: {report}")


@references.command("coverage", cls=Lists)
@_task_options
@click.option(
    "--show", type=click.Choice(["shares", "gained", "missing", "unrewarded"]), default="shares", show_default=True,
    help="share of n-grams matched; n-grams newly matched; still missing; or shared by good systems but unmatched",
)  # fmt: skip
@click.option(
    "--top", type=click.IntRange(1), default=20, show_default=True, help="number of n-grams to list per length"
)
@click.option("--human", type=_PATH, help="for unrewarded: file of system scores, lines of SYSTEM and SCORE")
@click.option(
    "--share",
    type=click.FloatRange(0, 1),
    default=0.75,
    show_default=True,
    help="for unrewarded: minimum share of the better half of the systems that have the n-gram",
)
@click.option("--folds", type=click.IntRange(2), help="for unrewarded: number of random folds of the systems")
@seed_option("the folds")
@printing.format_option
def coverage(
    outputs: Path, reference: Path, extra: Sequence[Path], first: int | None, show: str, top: int,
    human: Path | None, share: float, folds: int | None, seed: int, format: str,
) -> None:  # fmt: skip
    """Show which n-grams of the outputs are newly matched by further references, and which are still missing.

    `unrewarded` lists, by segment, n-grams that the reference lacks and most of the better half of the systems have.
    The better half is chosen by --human, or by BLEU without it. With --folds the systems of a fold are held out of its
    list, so that references made from the list can be tested on the systems of the fold.

    \b
    Examples:
      paragauge references coverage --outputs systems/ --reference ref.en --extra para1.en
      paragauge references coverage --outputs systems/ --reference ref.en --extra para1.en --show gained --top 10
      paragauge references coverage --outputs systems/ --reference ref.en --show unrewarded --human da.sys.score
    """
    from ..references.coverage import coverage_table, unrewarded_table
    from ..references.task import read_task

    printing.check_format(format)
    task = read_task(outputs, reference, extra, first)
    if show == "unrewarded":
        header, rows = unrewarded_table(task, human, share, folds, seed)
    else:
        header, rows = coverage_table(task, show, top)
    printing.table(header, rows, format, title=None)
