"""`paragauge references`: score, evaluate, coverage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from ..errors import InputError
from ..printable import say
from .declare import argument, command, option, together
from .groups import CommandGroup
from .options import DATA, FORMAT, OVERWRITE, REPORT, Lists, command_line, quiet, seed, width
from .terminal import hints, printing
from .terminal.progress import Bar

if TYPE_CHECKING:
    from ..metric import Metric
    from ..references.scoring import SystemScores

_FIRST = option("read only the first N lines of every file", of=int, low=1, metavar="N")
_LANG = option("BLEU tokenization language (en: sacrebleu's 13a)", "en")
_QUIET = quiet("no progress, no signatures; warnings remain")
_SIZE = option("use the first N extra references; may be repeated", None, "-n", of=int, low=0, many=True, metavar="N")


class Texts(NamedTuple):
    """Outputs of systems and their references: the arguments of `read_task`."""

    outputs: Path
    reference: Path
    extra: Sequence[Path]
    first: int | None


def _texts(
    outputs: Path = option("folder with one output file per system", of=Path, required=True),
    reference: Path = option("the reference, one segment per line", of=Path, required=True),
    extra: Sequence[Path] = option(
        "files of additional references (all that follow): lines, empty for none; or .jsonl of paraphrase",
        of=Path,
        many=True,
    ),
    first: int | None = _FIRST,
) -> Texts:
    return Texts(outputs, reference, extra, first)


@click.group("references", cls=CommandGroup)
def references() -> None:
    """Score systems with paraphrased references, and measure how much these improve agreement with human judgments.

    \b
    Examples:
      paragauge references score --outputs systems/ --reference ref.en --extra para1.en --extra para2.en
      paragauge references evaluate wmt19 --extra-dir paraphrases/ --human da
    """


@command("score", references, cls=Lists)
def score(
    texts: Texts = together(_texts),
    source: Path | None = option("the sources, one per line, for metrics that need them", of=Path),
    metrics: Sequence[str] = option(
        "e.g. bleu, chrf, ter, meteor15; may be repeated", ("bleu",), "-m", "--metric", many=True
    ),
    size: Sequence[int] = _SIZE,
    lang: str = _LANG,
    sentence_level: bool = option("print every segment of every system", False),
    format: str = FORMAT,
    width: int = width(),
    quiet: bool = _QUIET,
) -> None:
    """Score systems with the reference alone and with additional references: per system, or per segment.

    \b
    Examples:
      paragauge references score --outputs systems/ --reference ref.en --extra para1.en --extra para2.en -m bleu -m chrf
      paragauge references score --outputs systems/ --reference ref.en --extra para1.en -m chrf --sentence-level
    """
    from ..evaluate.plan import choose
    from ..references.scoring import score_task
    from ..references.task import read_task
    from ..tables.notices import sentences

    chosen = choose(metrics, True, lang=lang)
    task = read_task(*texts, source=source)
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
    from ..evaluate.plan import choose

    (chosen,) = choose([metric], True, lang=lang)
    return chosen


def _columns(found: Sequence[SystemScores]) -> list[str]:
    """`bleu`, `bleu +2`: the metric's name, with its parameters where two would have one name, and the extras."""
    specs = list(dict.fromkeys(scored.metric.spec for scored in found))
    short = [spec.partition(":")[0] for spec in specs]
    names = {spec: name if short.count(name) == 1 else spec for spec, name in zip(specs, short, strict=True)}
    return [names[scored.metric.spec] + (f" +{scored.extras}" if scored.extras else "") for scored in found]


@command("evaluate", references)
def evaluate(
    folder: str = argument(),
    extra_dir: Sequence[Path] = option(
        "folder of additional references; may be repeated, to compare", of=Path, many=True, required=True
    ),
    human: str = option("da, darr, or a file of segment scores (*.seg.score)", "da"),
    pair: Sequence[str] = option("evaluate only this language pair; may be repeated", many=True),
    data: Path | None = DATA,
    first: int | None = _FIRST,
    metric: str = option("e.g. bleu, chrf, ter, meteor15", "bleu", "-m"),
    size: Sequence[int] = _SIZE,
    lang: str = _LANG,
    resamples: int = option("number of bootstrap resamples", 1000, low=20),
    seed: int = seed("resampling"),
    summary: bool = option("print only the average, minimum and maximum over language pairs", False),
    report: Path | None = REPORT,
    overwrite: bool = OVERWRITE,
    format: str = FORMAT,
    quiet: bool = _QUIET,
) -> None:
    """Evaluate whether additional references improve a metric's agreement with human judgments.

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
    from ..reports.page import check_report
    from ..reports.studies.references import write_references_report

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


@command("coverage", references, cls=Lists)
def coverage(
    texts: Texts = together(_texts),
    show: str = option(
        "share of n-grams matched; n-grams newly matched; still missing; or shared by good systems but unmatched",
        "shares",
        choices=["shares", "gained", "missing", "unrewarded"],
    ),
    top: int = option("number of n-grams to list per length", 20, low=1),
    human: Path | None = option("for unrewarded: file of system scores, lines of SYSTEM and SCORE", of=Path),
    share: float = option(
        "for unrewarded: minimum share of the better half of the systems that have the n-gram", 0.75, low=0, high=1
    ),
    folds: int | None = option("for unrewarded: number of random folds of the systems", of=int, low=2),
    seed: int = seed("the folds"),
    format: str = FORMAT,
) -> None:
    """Show which n-grams of the outputs are newly matched by additional references, and which are still missing.

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

    task = read_task(*texts)
    if show == "unrewarded":
        header, rows = unrewarded_table(task, human, share, folds, seed)
    else:
        header, rows = coverage_table(task, show, top)
    printing.table(header, rows, format, title=None)
