"""Batches: a function of the inputs alone, small, few at a time, and back in order."""

import random
import threading
import time
from collections.abc import Iterator, Sequence

import pytest

from paragauge.models.batching import batches, blocks_of, in_order

SIZE = 1024


def some_shapes(dimensions: int) -> list[tuple[int, ...]]:
    sizes = random.Random(1)
    return [*(tuple(sizes.choices(range(1, 40), k=dimensions)) for _ in range(500)), (5000,) * dimensions]


@pytest.mark.parametrize("padding", [False, True])
@pytest.mark.parametrize("dimensions", [1, 2])
def test_batches_hold_every_input_once_and_stay_small(dimensions: int, padding: bool) -> None:
    shapes = some_shapes(dimensions)
    found = list(batches(shapes, SIZE, padding=padding))
    assert sorted(place for batch in found for place in batch) == list(range(501))
    for batch in found:
        held = [shapes[place] for place in batch]
        assert padding or len(set(held)) == 1
        assert len(batch) * sum(map(max, zip(*held, strict=True))) <= SIZE or len(batch) == 1


def test_equally_long_inputs_fill_their_batches() -> None:
    # 1024 // 300 = 3 at a time, the shorter ones first, in the order in which they came
    shapes = [(300,), (2,), (300,), (300,), (300,), (2,)]
    assert list(batches(shapes, SIZE)) == [[1, 5], [0, 2, 3], [4]]
    assert list(batches(shapes, SIZE, padding=True)) == [[1, 5, 0], [2, 3, 4]]
    assert list(batches([(0,)] * 3, 2)) == [[0, 1], [2]]  # nothing has no length, and yet a batch ends
    assert list(batches([], SIZE)) == []


@pytest.mark.parametrize("workers", [1, 3])
def test_results_come_in_order_however_long_each_takes(workers: int) -> None:
    words = ["x" * length for length in random.Random(2).choices(range(1, 30), k=700)]
    asked: list[list[str]] = []
    lock = threading.Lock()

    def compute(batch: Sequence[str]) -> list[str]:
        with lock:
            asked.append(list(batch))
        time.sleep(0.001 * (len(batch) % 3))
        return [word.upper() for word in batch]

    found = in_order(blocks_of(words, 100), compute, shape=lambda word: (len(word),), size=64, workers=workers)
    assert list(found) == [word.upper() for word in words]
    cut = []
    for block in blocks_of(words, 100):
        cut += [[block[place] for place in batch] for batch in batches([(len(word),) for word in block], 64)]
    assert sorted(asked) == sorted(cut)  # whatever the number of workers


def test_a_block_is_asked_for_when_it_is_needed() -> None:
    """So that texts are not all tokenised before the first is computed, and results do not pile up."""
    begun = 0

    def blocks() -> Iterator[list[int]]:
        nonlocal begun
        for number in range(50):
            begun += 1
            yield [number]

    found = in_order(blocks(), list, shape=lambda _: (1,), size=1, workers=2)
    assert next(found) == 0
    assert begun <= 6  # twice the workers wait, one was given, one was just begun
    found.close()
    assert begun <= 6


def test_an_error_reaches_the_caller() -> None:
    def compute(batch: Sequence[int]) -> list[int]:
        raise RuntimeError(f"out of memory at {batch[0]}")

    with pytest.raises(RuntimeError, match="out of memory at 1"):
        list(in_order([[1, 2]], compute, shape=lambda _: (1,), size=1, workers=2))


def test_a_result_too_few_is_no_silent_loss() -> None:
    with pytest.raises(ValueError, match="shorter"):
        list(in_order([[1, 2]], lambda batch: batch[1:], shape=lambda _: (1,), size=2, workers=1))
