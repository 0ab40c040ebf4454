"""The one driver: items handed to an engine, their results in order, and what failed in one sentence at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from ..compute.workspace import Progress, no_progress
from ..errors import ParagaugeError
from ..files.input import Input
from ..runs.store import Parts, Store
from ..tables.display import counted
from ..tables.summary import Summary
from .engines import Engine, Item, PartResult, Result
from .engines import engine as make_engine
from .engines.local import Local
from .part import PartScorer
from .plan import ROWS, Part, Plan, needs_store

FEW = 3  # parts: fewer are scored in this process, as starting others would take longer
_SHOWN = 5  # failures; more are counted


def drive(
    engine: Engine | None,
    work: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    name: Callable[[Item], str] = lambda _: "a part",
    noun: str = "part",
    kept: bool = False,
) -> Iterator[Result]:
    """The result of every item, in the order of the items, whichever is ready first; without an engine, from here.

    What fails is an error at the end, when the others are finished (and, where they are `kept`, need not be done
    again). Where the first two fail alike the others would too, and are not tried: a wrong key, a missing model.
    """
    if engine is None:
        yield from map(work, items)
        return
    names: dict[int, str] = {}

    def named() -> Iterator[Item]:
        for number, item in enumerate(items):
            names[number] = name(item)
            yield item

    ready: dict[int, PartResult[Result]] = {}
    failed: list[tuple[str, PartResult[Result]]] = []
    errors: list[str] = []
    finished = following = 0
    for outcome in engine.map(work, named()):
        ready[outcome.number] = outcome
        if outcome.error is None:
            finished += 1
        else:
            errors.append(outcome.error)
        if not finished and len(errors) == 2 and errors[0] == errors[1]:
            raise ParagaugeError(errors[0], outcome.hint)
        while following in ready:
            first, called = ready.pop(following), names.pop(following)
            following += 1
            if first.error is None:
                yield first.result  # type: ignore[misc]
            else:
                failed.append((called, first))
    if failed:
        raise _failure(failed, finished, noun, kept)


def _failure(failed: list[tuple[str, PartResult[Result]]], finished: int, noun: str, kept: bool) -> ParagaugeError:
    """What went wrong, and with what; where it is the same everywhere, that alone."""
    first = failed[0][1]
    alike = all(outcome.error == first.error for _, outcome in failed)
    if alike and not finished:
        return ParagaugeError(first.error or "", first.hint)
    shown = [
        f"{called} failed{f' (tried {one.tries} times)' if one.tries > 1 else ''}: {one.error}"
        for called, one in failed[:_SHOWN]
    ]
    if len(failed) > _SHOWN:
        shown.append(f"and {counted(len(failed) - _SHOWN, f'more {noun}')}")
    shown.append(f"{counted(finished, f'other {noun}')} {'is' if finished == 1 else 'are'} finished")
    if kept:
        shown.append("rerun to try these again")
    return ParagaugeError("; ".join(shown), first.hint if alike else "")


def score_parts(
    plan: Plan,
    *,
    store: Store | None = None,
    parts: Parts | None = None,
    engine: Engine | None = None,
    cache: Path | str | None = None,
    progress: Progress = no_progress,
) -> tuple[Summary, list[str]]:
    """Score an input part by part in bounded memory: the summary, and what was wrong with parts that were repaired.

    The summary is that of the parts in order, whichever worker scored them. What the store has finished is not done
    again; the scores of single rows are kept in `parts`. Without an engine, all cores are used where that pays. `cache`
    is as in `PartScorer`.
    """
    complete = store.folder if store is not None and store.complete else None
    work = PartScorer(plan.metrics, plan.prepared, plan.shared, parts, complete, cache, progress)
    summary, repaired = Summary(shared=plan.shared), []
    by = Local(1) if complete is not None else _fitting(engine, plan)
    for result in drive(by, work, plan.parts(), name=_rows_of, kept=store is not None):
        summary.merge(result.summary)
        repaired += result.repaired
        progress("scoring rows", summary.size, _expected(plan, summary.size))
    return summary, repaired


def _rows_of(part: Part) -> str:
    return f"rows {part.first_row:,} to {part.last_row:,}"


def _fitting(engine: Engine | None, plan: Plan) -> Engine:
    """The engine given or chosen; but this process alone where starting others would take longer."""
    if engine is None:
        # models run on all cores in one process already, and a process of their own would hold them once more
        alone = any(map(needs_store, plan.metrics)) or not _exceeds(plan, FEW - 1)
        return make_engine("local", 1 if alone else None)
    return engine if not isinstance(engine, Local) or _exceeds(plan, 1) else Local(1)


def _exceeds(plan: Plan, parts: int) -> bool:
    """Are there more parts, by what an input tells without being read?"""
    try:
        if isinstance(plan.chunks, Input):
            return plan.chunks.exceeds(parts * ROWS)
        return sum(1 for _ in islice(plan.chunks, parts + 1)) > parts
    except Exception:
        return False  # it comes up again in its turn, when the rows before it are scored


def _expected(plan: Plan, rows: int) -> int:
    """How many rows there may be in all, by how far reading is."""
    if not isinstance(plan.chunks, Input):
        return rows
    if plan.chunks.length is not None:
        return plan.chunks.length
    done, total = plan.chunks.progress()
    return max(rows, round(rows * total / max(done, 1)))
