"""Parts handed to an engine, and merged in their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ..compute.workspace import Progress, no_progress
from ..errors import ParagaugeError
from ..files.input import Input
from ..metric import Metric
from ..runs.run import PartFiles, Run
from ..tables.samples import Samples
from ..tables.shared_rows import SharedRows
from ..tables.summary import Summary
from .choose import MODELS
from .engines import Engine, Outcome
from .engines import engine as make_engine
from .engines.local import Local
from .part import PartResult, PartScorer, aggregation_of
from .plan import ROWS, Part, Place, learn, plan

FEW = 3  # parts: fewer are scored in this process, as starting others would take longer


def evaluate_input(
    chunks: Iterable[Samples],
    metrics: Sequence[Metric],
    learned: Mapping[str, Any] | None = None,
    *,
    run: Run | None = None,
    files: PartFiles | None = None,
    engine: Engine | None = None,
    cache: Path | str | None = None,
    empty: str = "worst",
    progress: Progress = no_progress,
) -> Summary:
    """Score an input part by part in bounded memory, by an engine; with a run folder, go on where it stopped.

    `chunks` must be re-iterable: which rows all systems have is known only at their end. The scores of single rows go
    to the run folder, or to `files`; the summary is that of the parts in their order, whoever scored them. Without an
    engine, all cores are used where that pays. `learned` is what `learn` gives, `cache` as in `PartScorer`.
    """
    one_system = isinstance(chunks, Input) and not chunks.several_systems  # a pass over the input that can be spared
    shared = SharedRows(empty, () if one_system else chunks)
    learned = learn(chunks, metrics) if learned is None else learned
    summary = Summary(shared=shared)
    parts = plan(chunks, metrics)
    if run is not None and run.complete:
        aggregations = {metric.spec: aggregation_of(metric) for metric in metrics}
        for part in parts:
            found = run.load(part.samples, aggregations)
            if files is not None:
                files.save(part.number, found)
            summary.add(found)
        return summary
    scorer = PartScorer(metrics, learned, shared, files if run is None else run.files, cache, progress)
    failed: list[tuple[Place, Outcome[PartResult]]] = []
    for place, outcome in in_order(parts, scorer, _fitting(engine, chunks, metrics)):
        if outcome.result is None:
            failed.append((place, outcome))
            continue
        summary.merge(outcome.result.summary)
        if run is not None:
            run.recomputed += outcome.result.recomputed
        progress("scoring rows", summary.size, _expected(chunks, place))
    if failed:
        raise _failure(failed, summary.chunks, run is not None)
    return summary


def _fitting(engine: Engine | None, chunks: Iterable[Samples], metrics: Sequence[Metric]) -> Engine:
    """The engine given or chosen; but this process alone where starting others would take longer."""
    if engine is None:
        # models run on all cores in one process already, and a process of their own would hold them once more
        alone = any(metric.loads in MODELS for metric in metrics) or not _exceed(chunks, FEW - 1)
        return make_engine("local", 1 if alone else None)
    return engine if not isinstance(engine, Local) or _exceed(chunks, 1) else Local(1)


def _exceed(chunks: Iterable[Samples], parts: int) -> bool:
    """Are there more parts, by what an input tells without being read?"""
    try:
        if isinstance(chunks, Input):
            return chunks.exceeds(parts * ROWS)
        return sum(1 for _ in islice(chunks, parts + 1)) > parts
    except Exception:
        return False  # it comes up again in its turn, when the rows before it are scored


def in_order(parts: Iterator[Part], scorer: PartScorer, engine: Engine) -> Iterator[tuple[Place, Outcome[PartResult]]]:
    """The outcome of every part, in the order of the parts, whichever is ready first."""
    places: dict[int, Place] = {}

    def noted() -> Iterator[Part]:
        for part in parts:
            places[part.number] = Place(part.number, part.first_row, len(part.rows))
            yield part

    ready: dict[int, Outcome[PartResult]] = {}
    following = 0
    for outcome in engine.map(scorer, noted()):
        ready[outcome.number] = outcome
        while following in ready:
            yield places.pop(following), ready.pop(following)
            following += 1


def _expected(chunks: Iterable[Samples], place: Place) -> int:
    """How many rows there may be in all, by how far reading is."""
    if isinstance(chunks, Input):
        if chunks.length is not None:
            return chunks.length
        done, total = chunks.progress()
        return max(place.last_row, round(place.last_row * total / max(done, 1)))
    return place.last_row


def _failure(failed: Sequence[tuple[Place, Outcome[PartResult]]], finished: int, kept: bool) -> ParagaugeError:
    """What went wrong, and with which rows; where it is the same everywhere, that alone."""
    errors = {outcome.error for _, outcome in failed}
    if len(errors) == 1 and not finished:
        return ParagaugeError(str(*errors), failed[0][1].hint)
    told = [
        f"rows {place.first_row:,} to {place.last_row:,} failed (tried {outcome.tries} times): {outcome.error}"
        for place, outcome in failed[:5]
    ]
    more = f"; and {len(failed) - 5} more parts" if len(failed) > 5 else ""
    rest = f"{finished:,} other parts are finished" + ("; rerun to try these again" if kept else "")
    return ParagaugeError("; ".join(told) + f"{more}; {rest}")
