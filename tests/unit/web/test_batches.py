"""Texts of several requests in one batch."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from paragauge.compute.workspace import Workspace
from paragauge.web.serve.batches import Batches, Cancellation, CancelledError, SharedWorkspace


class Lengths:
    """The length of a text; computed when the gate is open, and every batch is written down."""

    progress_label = "counting"

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
def batches() -> Batches:
    return Batches(budget=100, memory=10_000)


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


def held(batches: Batches, feature: Lengths, pool: ThreadPoolExecutor):
    """A first request whose batch is under way, so that what follows waits."""
    feature.gate.clear()
    first = pool.submit(batches.values, feature, ["first"], Cancellation())
    until(lambda: feature.batches)
    return first


def test_what_waits_is_computed_together_and_sorted_by_length(batches, pool):
    feature = Lengths()
    first = held(batches, feature, pool)
    texts = ["a" * 20, "b" * 5, "c" * 12]
    others = [pool.submit(batches.values, feature, [text], Cancellation()) for text in texts]
    until(lambda: batches.statistics["waiting"] == 3)
    feature.gate.set()
    assert first.result() == {"first": 5}
    assert [other.result() for other in others] == [{text: len(text)} for text in texts]
    assert feature.batches == [["first"], sorted(texts, key=len)]


def test_a_lone_request_waits_for_nobody(batches):
    feature = Lengths()
    began = time.monotonic()
    for number in range(20):
        batches.values(feature, [str(number)], Cancellation())
    assert len(feature.batches) == 20
    assert time.monotonic() - began < 10  # a fixed wait of half a second each would take as long


def test_a_long_request_leaves_room_for_short_ones(batches, pool):
    feature = Lengths()
    first = held(batches, feature, pool)
    long = [f"{number:060}" for number in range(12)]  # 22 tokens each: four or five are a batch
    slow = pool.submit(batches.values, feature, long, Cancellation())
    until(lambda: batches.statistics["waiting"] == 1)
    quick = pool.submit(batches.values, feature, ["short"], Cancellation())
    until(lambda: batches.statistics["waiting"] == 2)
    feature.gate.set()
    first.result()
    assert quick.result() == {"short": 5}
    assert slow.result() == dict.fromkeys(long, 60)
    place = next(number for number, batch in enumerate(feature.batches) if "short" in batch)
    assert place == 2  # first, a part of the long one, the short one with more of the long one
    assert len(feature.batches) >= 4
    assert max(sum(len(text) // 3 + 2 for text in batch) for batch in feature.batches) < 100 + 22


def test_only_texts_of_one_model_share_a_batch(batches, pool):
    one, two = Lengths("one"), Lengths("two")
    first = held(batches, one, pool)
    asked = [pool.submit(batches.values, feature, ["x"], Cancellation()) for feature in (two, one, two)]
    until(lambda: batches.statistics["waiting"] == 3)
    one.gate.set()
    first.result()
    assert [found.result() for found in asked] == [{"x": 1}] * 3
    assert one.batches == [["first"], ["x"]]
    assert two.batches == [["x"]]


def test_a_request_that_is_given_up_is_never_computed(batches, pool):
    feature = Lengths()
    first = held(batches, feature, pool)
    cancellation = Cancellation()
    gone = pool.submit(batches.values, feature, ["gone"], cancellation)
    stays = pool.submit(batches.values, feature, ["stays"], Cancellation())
    until(lambda: batches.statistics["waiting"] == 2)
    cancellation.cancelled = True
    with pytest.raises(CancelledError):
        gone.result()
    feature.gate.set()
    first.result()
    stays.result()
    assert feature.batches == [["first"], ["stays"]]
    assert batches.statistics["dropped"] == 1


def test_a_text_that_fails_fails_its_own_request_alone(batches, pool):
    feature = Lengths()
    first = held(batches, feature, pool)
    bad = pool.submit(batches.values, feature, ["bad"], Cancellation())
    good = pool.submit(batches.values, feature, ["good"], Cancellation())
    until(lambda: batches.statistics["waiting"] == 2)
    feature.gate.set()
    first.result()
    assert good.result() == {"good": 4}
    with pytest.raises(ValueError, match="a bad text"):
        bad.result()
    assert batches.values(feature, ["after"], Cancellation()) == {"after": 5}


def test_results_are_remembered_within_a_bound(batches):
    feature = Lengths()
    batches.values(feature, ["source", "one"], Cancellation())
    batches.values(feature, ["source", "two"], Cancellation())
    assert feature.batches == [["one", "source"], ["two"]]
    for number in range(50):
        batches.values(feature, [f"other {number}"], Cancellation())
    assert batches._size <= 10_000
    batches.values(feature, ["source"], Cancellation())
    assert feature.batches[-1] == ["source"]  # forgotten meanwhile


def test_a_shared_workspace_gives_what_a_workspace_gives(batches):
    texts = ["one", "three", "one", "seventeen"]
    lock = threading.Lock()
    with lock:
        shared = SharedWorkspace(batches, Cancellation(), lock).get(Lengths(), texts)
    assert shared == Workspace().get(Lengths(), texts)


def test_while_one_request_waits_another_has_its_turn(batches, pool):
    feature, lock = Lengths(), threading.Lock()
    feature.gate.clear()

    def ask(text):
        with lock:
            return SharedWorkspace(batches, Cancellation(), lock).get(feature, [text])

    asked = [pool.submit(ask, "a")]
    until(lambda: feature.batches)  # else the first batch may be of two requests
    asked += [pool.submit(ask, text) for text in ("bb", "ccc")]
    until(lambda: batches.statistics["waiting"] == 2)
    feature.gate.set()
    assert [found.result() for found in asked] == [[1], [2], [3]]
    assert len(feature.batches) == 2
