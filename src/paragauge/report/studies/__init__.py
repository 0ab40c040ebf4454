"""Reports of studies: which metric to trust, whether further references help, whether paraphrases help a task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError, MissingExtraError
from ..extrinsic.results import Evaluation as Extrinsic
from ..files.write import PathLike
from ..meta.analysis import Analysed, Request, analyse, analysis
from ..meta.leaderboard import Leaderboard
from ..meta.scored import Scored
from ..references import wmt
from ..references.coverage import coverage_table
from ..references.evaluation import Evaluation
from .sections import extrinsic, meta, references
from .write import save

ANALYSES = ("groups", "ability", "copies")


def write_meta_report(
    found: Leaderboard, scored: Scored, request: Request, *, output: PathLike, command: str = ""
) -> None:
    """A leaderboard with the analyses that its ratings allow; of the others it says why not."""
    analyses: dict[str, Analysed] = {}
    notes: list[str] = []
    for name in ANALYSES:
        try:
            lacking = [metric for metric in analysis(name).needs(request.similarity) if metric not in scored.scores]
            if lacking:
                notes.append(f"no analysis '{name}': {lacking[0]} is not among the metrics")
            else:
                analyses[name] = analyse(name, scored, request)
        except (InputError, MissingExtraError) as error:
            notes.append(f"no analysis '{name}': {error}")
    name = scored.ratings.name
    sections = meta.sections(found, name, analyses, notes, scored.signatures, command)
    save(output, f"Which metric to trust: {name}", sections)


def write_references_report(
    found: Evaluation,
    folder: Path,
    extra_folders: Sequence[Path],
    first: int | None,
    metric: str,
    *,
    output: PathLike,
    command: str = "",
) -> None:
    """Gains of further references, and which n-grams of the outputs they match."""
    coverage: dict[str, tuple[Sequence[str], Sequence[Sequence[Any]]]] = {}
    for place in extra_folders:
        for pair in dict.fromkeys(str(row["pair"]) for row in found.rows if row["references"] == place.name):
            task = wmt.read_pair(folder, pair, wmt.extra_files(place, pair), first)
            coverage[f"{place.name} {pair}"] = coverage_table(task)
    save(output, f"Paraphrased references: {metric}", references.sections(found, metric, coverage, command))


def write_extrinsic_report(found: Extrinsic, *, output: PathLike, title: str | None = None, command: str = "") -> None:
    """Accuracies with and without paraphrases, and which metric foresees them."""
    save(output, title or f"Do paraphrases help: {', '.join(found.tasks)}", extrinsic.sections(found, command))
