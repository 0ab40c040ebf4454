"""One worker for all requests."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from paragauge.compute.workspace import Workspace
from paragauge.web.serve.queue import CancelledError, SharedWorkspace, Ticket, Turn, Worker


class Lengths:
    """The length of a text; computed when the gate is open, and every batch is written down."""

    label = "counting"

    def __init__(self, signature: str = "lengths") -> None:
        self.signature = signature
        self.batches: list[list[str]] = []
        self.gate = threading.Event()
        self.gate.set()

    def compute(self, keys):
        self.batches.append(list(keys))
        assert self.gate.wait(30)
        if "bad" in keys:
            raise ValueError("a bad text")
        return map(len, keys)

    def size(self, value: int) -> int:  # noqa: ARG002
        return 1000

    def pack(self, value: int) -> bytes:
        return str(value).encode()

    def unpack(self, data: bytes) -> int:
        return int(data)


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(budget=100, memory=10_000)
    yield made
    made.close()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(16) as made:
        yield made


def until(condition) -> None:
    """Wait for another thread."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def held(worker: Worker, feature: Lengths, pool: ThreadPoolExecutor):
    """A first request whose batch is under way, so that what follows waits."""
    feature.gate.clear()
    first = pool.submit(worker.values, feature, ["first"], Ticket())
    until(lambda: feature.batches)
    return first


def test_what_waits_is_computed_together_and_sorted_by_length(worker, pool):
    feature = Lengths()
    first = held(worker, feature, pool)
    texts = ["a" * 20, "b" * 5, "c" * 12]
    others = [pool.submit(worker.values, feature, [text], Ticket()) for text in texts]
    until(lambda: worker.statistics.waiting == 3)
    feature.gate.set()
    assert first.result() == {"first": 5}
    assert [other.result() for other in others] == [{text: len(text)} for text in texts]
    assert feature.batches == [["first"], sorted(texts, key=len)]


def test_a_lone_request_waits_for_nobody(worker):
    feature = Lengths()
    began = time.monotonic()
    for number in range(20):
        worker.values(feature, [str(number)], Ticket())
    assert len(feature.batches) == 20
    assert time.monotonic() - began < 10  # a fixed wait of half a second each would take as long


def test_a_long_request_leaves_room_for_short_ones(worker, pool):
    feature = Lengths()
    first = held(worker, feature, pool)
    long = [f"{number:060}" for number in range(12)]  # 22 tokens each: four or five are a batch
    slow = pool.submit(worker.values, feature, long, Ticket())
    until(lambda: worker.statistics.waiting == 1)
    quick = pool.submit(worker.values, feature, ["short"], Ticket())
    until(lambda: worker.statistics.waiting == 2)
    feature.gate.set()
    first.result()
    assert quick.result() == {"short": 5}
    assert slow.result() == dict.fromkeys(long, 60)
    place = next(number for number, batch in enumerate(feature.batches) if "short" in batch)
    assert place == 2  # first, a part of the long one, the short one with more of the long one
    assert len(feature.batches) >= 4
    assert max(sum(len(text) // 3 + 2 for text in batch) for batch in feature.batches) < 100 + 22


def test_only_texts_of_one_model_share_a_batch(worker, pool):
    one, two = Lengths("one"), Lengths("two")
    first = held(worker, one, pool)
    asked = [pool.submit(worker.values, feature, ["x"], Ticket()) for feature in (two, one, two)]
    until(lambda: worker.statistics.waiting == 3)
    one.gate.set()
    first.result()
    assert [found.result() for found in asked] == [{"x": 1}] * 3
    assert one.batches == [["first"], ["x"]]
    assert two.batches == [["x"]]


def test_a_request_that_is_given_up_is_never_computed(worker, pool):
    feature = Lengths()
    first = held(worker, feature, pool)
    ticket = Ticket()
    gone = pool.submit(worker.values, feature, ["gone"], ticket)
    stays = pool.submit(worker.values, feature, ["stays"], Ticket())
    until(lambda: worker.statistics.waiting == 2)
    ticket.cancel()
    with pytest.raises(CancelledError):
        gone.result()
    feature.gate.set()
    first.result()
    stays.result()
    assert feature.batches == [["first"], ["stays"]]
    assert worker.statistics.dropped == 1


def test_a_text_that_fails_fails_its_own_request_alone(worker, pool):
    feature = Lengths()
    first = held(worker, feature, pool)
    bad = pool.submit(worker.values, feature, ["bad"], Ticket())
    good = pool.submit(worker.values, feature, ["good"], Ticket())
    until(lambda: worker.statistics.waiting == 2)
    feature.gate.set()
    first.result()
    assert good.result() == {"good": 4}
    with pytest.raises(ValueError, match="a bad text"):
        bad.result()
    assert worker.values(feature, ["after"], Ticket()) == {"after": 5}


def test_results_are_remembered_within_a_bound(worker):
    feature = Lengths()
    worker.values(feature, ["source", "one"], Ticket())
    worker.values(feature, ["source", "two"], Ticket())
    assert feature.batches == [["one", "source"], ["two"]]
    for number in range(50):
        worker.values(feature, [f"other {number}"], Ticket())
    assert worker._size <= 10_000
    worker.values(feature, ["source"], Ticket())
    assert feature.batches[-1] == ["source"]  # forgotten meanwhile


def test_a_closed_worker_tells_who_waits(pool):
    worker, feature = Worker(), Lengths()
    first = held(worker, feature, pool)
    waits = pool.submit(worker.values, feature, ["waits"], Ticket())
    until(lambda: worker.statistics.waiting == 1)
    closing = pool.submit(worker.close)
    until(lambda: worker._closed)
    feature.gate.set()
    assert first.result() == {"first": 5}  # what was begun is finished
    closing.result()
    with pytest.raises(CancelledError):
        waits.result()


def test_a_shared_workspace_gives_what_a_workspace_gives(worker):
    texts = ["one", "three", "one", "seventeen"]
    turn = Turn()
    with turn.taken():
        shared = SharedWorkspace(worker, Ticket(), turn).get(Lengths(), texts)
    assert shared == Workspace().get(Lengths(), texts)


def test_while_one_request_waits_another_has_its_turn(worker, pool):
    feature, turn = Lengths(), Turn()
    feature.gate.clear()

    def ask(text):
        with turn.taken():
            return SharedWorkspace(worker, Ticket(), turn).get(feature, [text])

    asked = [pool.submit(ask, "a")]
    until(lambda: feature.batches)  # else the first batch may be of two requests
    asked += [pool.submit(ask, text) for text in ("bb", "ccc")]
    until(lambda: worker.statistics.waiting == 2)
    feature.gate.set()
    assert [found.result() for found in asked] == [[1], [2], [3]]
    assert len(feature.batches) == 2
