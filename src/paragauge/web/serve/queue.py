"""One worker for all requests: what is expensive of their texts is computed in batches that several requests share."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from ...compute.workspace import Workspace

BUDGET = 8_192  # tokens of a batch: some tenths of a second on two cores, so that a short request soon has its turn
MEMORY = 128 << 20  # bytes of results that are remembered: while someone types, the source stays the same


class CancelledError(Exception):
    """Whoever asked has gone."""


class Ticket:
    """One request, which may be given up while others wait for or compute parts of it."""

    def __init__(self) -> None:
        self._gone = threading.Event()

    def cancel(self) -> None:
        self._gone.set()

    @property
    def cancelled(self) -> bool:
        return self._gone.is_set()

    def check(self) -> None:
        """Stop here if nobody waits for the answer."""
        if self.cancelled:
            raise CancelledError


class Statistics(NamedTuple):
    """What a worker has done so far."""

    batches: int
    texts: int
    remembered: int
    waiting: int
    dropped: int


class _Ask:
    """Some texts of one request."""

    def __init__(self, feature: Any, keys: Sequence[Any], ticket: Ticket) -> None:
        self.feature, self.left, self.ticket = feature, deque(keys), ticket
        self.values: dict[Any, Any] = {}
        self.error: BaseException | None = None
        self.done = threading.Event()


class Worker:
    """A thread that computes features, batch by batch.

    A batch is made when the one before is finished, of whatever waits by then: nobody waits for others to come. It
    takes the oldest request and, in the order they came, what others ask of the same model, up to a budget of tokens;
    what is left of a long request goes to the end of the queue. Within a batch texts are sorted by length. Requests
    that were given up are dropped, and what was computed is remembered within a bound.
    """

    def __init__(self, budget: int = BUDGET, memory: int = MEMORY) -> None:
        self.budget, self.memory = budget, memory
        self._asks: deque[_Ask] = deque()
        self._changed = threading.Condition()
        self._remembered: OrderedDict[tuple[str, Any], tuple[Any, int]] = OrderedDict()
        self._size = 0
        self._batches = self._texts = self._hits = self._dropped = 0
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="paragauge-worker", daemon=True)
        self._thread.start()

    def values(self, feature: Any, keys: Sequence[Any], ticket: Ticket) -> dict[Any, Any]:
        """The feature of every key, by whichever batch computes it; blocks until all are there."""
        with self._changed:
            known = {key: value for key in keys if (value := self._recall(feature.signature, key)) is not None}
            self._hits += len(known)
            missing = [key for key in keys if key not in known]
            if not missing:
                return known
            if self._closed:
                raise CancelledError
            ask = _Ask(feature, missing, ticket)
            self._asks.append(ask)
            self._changed.notify_all()
        while not ask.done.wait(0.1):  # a request that is given up is taken out by the next batch at the latest
            ticket.check()
        if ask.error is not None:
            raise ask.error
        return known | ask.values

    @property
    def statistics(self) -> Statistics:
        with self._changed:
            return Statistics(self._batches, self._texts, self._hits, len(self._asks), self._dropped)

    def close(self) -> None:
        """End when the batch under way is finished; whoever still waits is told so."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._asks and not self._closed:
                    self._changed.wait()
                if self._closed:
                    for ask in self._asks:
                        _finish(ask, CancelledError())
                    return
                batch = self._next()
            if batch:
                self._compute(batch)

    def _next(self) -> list[tuple[_Ask, list[Any]]]:
        """The asks of the next batch, each with the keys that are computed now."""
        waiting = deque(ask for ask in self._asks if not ask.ticket.cancelled)
        for ask in self._asks:
            if ask.ticket.cancelled:
                self._dropped += 1
                _finish(ask, CancelledError())
        self._asks = waiting
        if not waiting:
            return []
        signature, left = waiting[0].feature.signature, self.budget
        batch: list[tuple[_Ask, list[Any]]] = []
        rest: list[_Ask] = []
        others: list[_Ask] = []
        for ask in waiting:
            if ask.feature.signature != signature or left <= 0:
                others.append(ask)
                continue
            taken: list[Any] = []
            while ask.left and left > 0:
                taken.append(ask.left.popleft())
                left -= tokens_of(taken[-1])
            batch.append((ask, taken))
            if ask.left:
                rest.append(ask)
        self._asks = deque([*others, *rest])
        return batch

    def _compute(self, batch: list[tuple[_Ask, list[Any]]]) -> None:
        feature = batch[0][0].feature
        keys = sorted({key for _, taken in batch for key in taken}, key=tokens_of)
        try:
            values = dict(zip(keys, feature.compute(keys), strict=True))
        except Exception as error:  # whatever a model raises is an answer to who asked, not the end of the worker
            if len(batch) > 1:  # it may be due to the texts of one request, which the others need not suffer for
                for one in batch:
                    self._compute([one])
                return
            with self._changed:
                for ask, _ in batch:
                    _finish(ask, error)
                self._asks = deque(ask for ask in self._asks if not ask.done.is_set())
            return
        with self._changed:
            self._batches += 1
            self._texts += len(keys)
            for key, value in values.items():
                self._remember(feature, key, value)
            for ask, taken in batch:
                ask.values.update((key, values[key]) for key in taken)
                if not ask.left:
                    _finish(ask, None)

    def _recall(self, signature: str, key: Any) -> Any:
        found = self._remembered.get((signature, key))
        if found is None:
            return None
        self._remembered.move_to_end((signature, key))
        return found[0]

    def _remember(self, feature: Any, key: Any, value: Any) -> None:
        size = feature.size(value) + 200  # with what Python keeps beside it
        before = self._remembered.pop((feature.signature, key), None)
        self._size += size - (before[1] if before is not None else 0)
        self._remembered[feature.signature, key] = value, size
        while self._size > self.memory:
            _, (_, oldest) = self._remembered.popitem(last=False)
            self._size -= oldest


def _finish(ask: _Ask, error: BaseException | None) -> None:
    ask.error = error
    ask.done.set()


def tokens_of(key: Any) -> int:
    """About how many tokens a text, or a pair of texts, has: the tokenizer itself would cost as much again.

    An English token has four letters or so, a Chinese one a character of three bytes.
    """
    if isinstance(key, str):
        return len(key.encode(errors="replace")) // 3 + 2
    return sum(map(tokens_of, key))


class Turn:
    """Who computes in Python: one request at a time, as the interpreter would have it anyway.

    So metrics need not be safe to call from several threads. While a request waits for the worker, others go on.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @contextmanager
    def taken(self) -> Iterator[None]:
        with self._lock:
            yield

    @contextmanager
    def given_up(self) -> Iterator[None]:
        self._lock.release()
        try:
            yield
        finally:
            self._lock.acquire()


class SharedWorkspace(Workspace):
    """The workspace of one request; what is expensive is left to the worker."""

    def __init__(self, worker: Worker, ticket: Ticket, turn: Turn) -> None:
        super().__init__()
        self.worker, self.ticket, self.turn = worker, ticket, turn

    def _compute(self, feature: Any, keys: list[Any], stored: bool) -> None:
        self.ticket.check()
        if not stored or not keys:
            super()._compute(feature, keys, stored)
            return
        with self.turn.given_up():
            values = self.worker.values(feature, keys, self.ticket)
        for key in keys:
            self._keep(feature, key, values[key])
