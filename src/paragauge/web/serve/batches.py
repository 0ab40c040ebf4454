"""What is expensive of the texts of requests, computed in batches that several requests share."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from ...compute.workspace import Workspace

BUDGET = 8_192  # tokens of a batch: some tenths of a second on two cores, so that a short request soon has its turn
MEMORY = 128 << 20  # bytes of results that are remembered: while someone types, the source stays the same


class CancelledError(Exception):
    """Nobody waits for the answer any more."""


class Cancellation:
    """Whether anybody still waits for the answer to a request; others may wait for or compute parts of it."""

    cancelled = False

    def check(self) -> None:
        """Stop here if nobody does."""
        if self.cancelled:
            raise CancelledError


class _Ask:
    """Some texts of one request."""

    def __init__(self, feature: Any, keys: Sequence[Any], cancellation: Cancellation) -> None:
        self.feature, self.left, self.cancellation = feature, deque(keys), cancellation
        self.values: dict[Any, Any] = {}
        self.answer: Future[dict[Any, Any]] = Future()


class Batches:
    """Features of the texts of all requests, computed by one thread, batch by batch.

    A batch is made when the one before is finished, of whatever waits by then: nobody waits for others to come. It
    takes the oldest request and, in the order they came, what others ask of the same model, up to a budget of tokens;
    what is left of a long request goes to the end of the queue. Within a batch texts are sorted by length. Requests
    that were cancelled are dropped, and what was computed is remembered within a bound.
    """

    def __init__(self, budget: int = BUDGET, memory: int = MEMORY) -> None:
        self.budget, self.memory = budget, memory
        self._asks: list[_Ask] = []
        self._lock = threading.Lock()
        self._thread = ThreadPoolExecutor(1, "paragauge-batches")
        self._remembered: OrderedDict[tuple[str, Any], tuple[Any, int]] = OrderedDict()
        self._size = 0
        self._counts = Counter(batches=0, texts=0, remembered=0, dropped=0)

    def values(self, feature: Any, keys: Sequence[Any], cancellation: Cancellation) -> dict[Any, Any]:
        """The feature of every key, by whichever batch computes it; blocks until all are there."""
        with self._lock:
            known = {key: value for key in keys if (value := self._recall(feature.signature, key)) is not None}
            self._counts["remembered"] += len(known)
            missing = [key for key in keys if key not in known]
            if not missing:
                return known
            ask = _Ask(feature, missing, cancellation)
            self._asks.append(ask)
        self._thread.submit(self._run)
        while True:  # a request that is cancelled is taken out by the next batch at the latest
            try:
                return known | ask.answer.result(0.1)
            except TimeoutError:
                if ask.answer.done():
                    raise
                cancellation.check()

    @property
    def statistics(self) -> dict[str, int]:
        """Batches and texts computed, texts remembered, requests that wait, requests dropped."""
        with self._lock:
            return {**self._counts, "waiting": len(self._asks)}

    def _run(self) -> None:
        while batch := self._next():
            self._compute(batch)

    def _next(self) -> list[tuple[_Ask, list[Any]]]:
        """The asks of the next batch, each with the keys that are computed now."""
        with self._lock:
            waiting = [ask for ask in self._asks if not ask.cancellation.cancelled]
            self._counts["dropped"] += len(self._asks) - len(waiting)
            left = self.budget
            batch: list[tuple[_Ask, list[Any]]] = []
            others: list[_Ask] = []
            rest: list[_Ask] = []
            for ask in waiting:
                taken: list[Any] = []
                while ask.left and left > 0 and ask.feature.signature == waiting[0].feature.signature:
                    taken.append(ask.left.popleft())
                    left -= tokens_of(taken[-1])
                if taken:
                    batch.append((ask, taken))
                if ask.left:
                    (rest if taken else others).append(ask)
            self._asks = [*others, *rest]
            return batch

    def _compute(self, batch: list[tuple[_Ask, list[Any]]]) -> None:
        feature = batch[0][0].feature
        keys = sorted({key for _, taken in batch for key in taken}, key=tokens_of)
        try:
            values = dict(zip(keys, feature.compute(keys), strict=True))
        except Exception as error:  # whatever a model raises is an answer to who asked, not the end of the thread
            if len(batch) > 1:  # it may be due to the texts of one request, which the others need not suffer for
                for one in batch:
                    self._compute([one])
                return
            batch[0][0].answer.set_exception(error)
            with self._lock:
                self._asks = [ask for ask in self._asks if not ask.answer.done()]
            return
        with self._lock:
            self._counts.update(batches=1, texts=len(keys))
            for key, value in values.items():
                self._remember(feature, key, value)
        for ask, taken in batch:
            ask.values.update((key, values[key]) for key in taken)
            if not ask.left:
                ask.answer.set_result(ask.values)

    def _recall(self, signature: str, key: Any) -> Any:
        found = self._remembered.get((signature, key))
        if found is None:
            return None
        self._remembered.move_to_end((signature, key))
        return found[0]

    def _remember(self, feature: Any, key: Any, value: Any) -> None:
        size = feature.size(value) + 200  # with what Python keeps of it
        _, before = self._remembered.pop((feature.signature, key), (None, 0))
        self._size += size - before
        self._remembered[feature.signature, key] = value, size
        while self._size > self.memory:
            _, (_, oldest) = self._remembered.popitem(last=False)
            self._size -= oldest


def tokens_of(key: Any) -> int:
    """About how many tokens a text, or a pair of texts, has: the tokenizer itself would cost as much again.

    An English token has four letters or so, a Chinese one a character of three bytes.
    """
    if isinstance(key, str):
        return len(key.encode(errors="replace")) // 3 + 2
    return sum(map(tokens_of, key))


class SharedWorkspace(Workspace):
    """The workspace of one request; what is expensive is left to the batches.

    A thread that computes in Python holds the lock, one request at a time, as the interpreter would have it anyway: so
    metrics need not be safe to call from several threads. While a request waits for a batch, others go on.
    """

    def __init__(self, batches: Batches, cancellation: Cancellation, lock: threading.Lock) -> None:
        super().__init__()
        self.batches, self.cancellation, self.lock = batches, cancellation, lock

    def _compute(self, feature: Any, keys: list[Any], stored: bool) -> None:
        self.cancellation.check()
        if not stored or not keys:
            super()._compute(feature, keys, stored)
            return
        with _released(self.lock):
            values = self.batches.values(feature, keys, self.cancellation)
        for key in keys:
            self._keep(feature, key, values[key])


@contextmanager
def _released(lock: threading.Lock) -> Iterator[None]:
    lock.release()
    try:
        yield
    finally:
        lock.acquire()
