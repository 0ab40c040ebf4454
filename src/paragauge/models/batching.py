"""Inputs to results: batches of like length, computed side by side, given back in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Input = TypeVar("Input")
Result = TypeVar("Result")


def in_order(
    blocks: Iterable[Sequence[Input]],
    compute: Callable[[Sequence[Input]], Iterable[Result]],
    *,
    shape: Callable[[Input], tuple[int, ...]],
    size: int,
    workers: int,
    padding: bool = False,
) -> Iterator[Result]:
    """What `compute` makes of each input of each block, in order, as it is ready; a few batches are under way.

    A batch is of one block. Batches depend on the inputs alone, never on timing, because float32 kernels round
    differently in batches of another size. `compute` is called from several threads, never with nothing.
    """
    from concurrent.futures import ThreadPoolExecutor  # slow to import, and not needed to list metrics

    underway: deque[tuple[list[int], Future[Iterable[Result]]]] = deque()
    ready: dict[int, Result] = {}
    begin = given = 0
    with ThreadPoolExecutor(workers) as pool:

        def finished(most: int) -> Iterator[Result]:
            """Wait until no more than `most` batches are under way."""
            nonlocal given
            while len(underway) > most:
                places, future = underway.popleft()
                ready.update(zip(places, future.result(), strict=True))
                while given in ready:
                    yield ready.pop(given)
                    given += 1

        for block in blocks:
            for batch in batches(list(map(shape, block)), size, padding=padding):
                future = pool.submit(compute, [block[place] for place in batch])
                underway.append(([begin + place for place in batch], future))
                yield from finished(2 * workers)
            begin += len(block)
        yield from finished(0)


def batches(shapes: Sequence[tuple[int, ...]], size: int, *, padding: bool = False) -> Iterator[list[int]]:
    """Places of inputs of like shape, smallest first; a batch holds `size` numbers at the most, or one input.

    Without padding, which costs time and changes the last bits, the inputs of a batch have exactly one shape.
    """
    batch: list[int] = []
    widest: tuple[int, ...] = ()
    for place in sorted(range(len(shapes)), key=shapes.__getitem__):
        wider = tuple(map(max, widest, shapes[place])) if batch else shapes[place]
        alike = padding or wider == widest
        if batch and not (alike and (len(batch) + 1) * max(1, sum(wider)) <= size):
            yield batch
            batch, wider = [], shapes[place]
        batch.append(place)
        widest = wider
    if batch:
        yield batch


def blocks_of(inputs: Sequence[Input], count: int) -> Iterator[Sequence[Input]]:
    """`count` at a time, which bounds what is held back to keep the order."""
    return (inputs[start : start + count] for start in range(0, len(inputs), count))
