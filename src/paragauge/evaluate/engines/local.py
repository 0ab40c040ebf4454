"""The engine of one machine: processes, each with its share of the cores."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from ...errors import ParagaugeError, check_count
from ...process.forks import ensure_tracker
from ...process.limits import VARIABLE, available_cores
from . import TRIES, Item, PartResult, Result

_ENDING = (signal.SIGINT, signal.SIGTERM)
_AHEAD = 2  # parts under way or waiting per worker: enough that none is idle
# what libraries below us read when they are imported in the worker
_THREAD_VARIABLES = (VARIABLE, "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")


class Local:
    """Worker processes; with one worker, this process itself."""

    def __init__(self, workers: int | None = None) -> None:
        workers = None if workers is None else check_count("workers", workers)
        self.workers = available_cores() if workers is None else workers

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[PartResult[Result]]:
        if self.workers == 1:
            yield from _in_process(work, items)
            return
        pool = _Pool(work, self.workers)
        try:
            yield from pool.outcomes(enumerate(items))
        finally:
            pool.stop()


def _in_process(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[PartResult[Result]]:
    for number, item in enumerate(items):
        yield run_with_retries(work, number, item)


def run_with_retries(work: Callable[[Item], Result], number: int, item: Item, tries: int = TRIES) -> PartResult[Result]:
    """Call, and call again after an error that may pass."""
    for left in range(tries - 1, -1, -1):
        try:
            return PartResult(number, work(item), tries=tries - left)
        except ParagaugeError as error:
            return PartResult(number, None, error.message, tries - left, error.hint)
        except Exception as error:  # whatever it is, the other parts go on, and this one is reported
            if not left:
                return PartResult(number, None, f"{type(error).__name__}: {error}", tries)
    raise AssertionError("unreachable: the last try returns")


class _Pool:
    """A pool that is made again when a worker dies.

    All parts that were under way then are suspect, as nothing tells which of them its worker died of. They are tried
    again one at a time: so a part that kills its workers is found out, and no other part is blamed for it.
    """

    def __init__(self, work: Callable[[Any], Any], workers: int) -> None:
        self._work = pickle.dumps(work)
        self._workers = workers
        self._executor: ProcessPoolExecutor | None = None

    def outcomes(self, items: Iterator[tuple[int, Any]]) -> Iterator[PartResult[Any]]:
        underway: dict[Future[PartResult[Any]], tuple[int, Any]] = {}
        suspects: deque[tuple[int, Any]] = deque()
        deaths: dict[int, int] = {}
        left = True
        stopped: Exception | None = None  # what reading the items ended with: those before it are finished first
        self._submit(_warm_up)  # so that a first worker starts while the first item is read
        while left or underway or suspects:
            alone = bool(suspects) and not underway
            if alone:
                number, item = suspects.popleft()
                underway[self._submit(_call, number, item)] = (number, item)
            while left and not (suspects or alone) and len(underway) < _AHEAD * self._workers:
                try:
                    following = next(items, None)
                except Exception as error:
                    following, stopped = None, error
                if following is None:
                    left = False
                else:
                    underway[self._submit(_call, *following)] = following
            if not underway:
                continue
            done, _ = wait(underway, return_when=FIRST_COMPLETED)
            dead = []
            for future in done:
                number, item = underway.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    dead.append((number, item))
            if dead:
                dead += underway.values()
                underway.clear()
                self.stop()
                for number, item in sorted(dead, key=lambda pair: pair[0]):
                    deaths[number] = deaths.get(number, 0) + alone
                    if deaths[number] >= TRIES:
                        yield PartResult(number, None, "its worker process died (out of memory, or killed)", TRIES)
                    else:
                        suspects.append((number, item))
        if stopped is not None:
            raise stopped

    def _submit(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        if hasattr(signal, "pthread_sigmask"):
            ensure_tracker()  # lets signals through again once it has started, so it starts first
        with _signals_held():
            for _ in range(2):
                try:
                    return self._started().submit(task, *arguments)
                except BrokenProcessPool:  # a worker died while it was idle
                    self.stop()
            return self._started().submit(task, *arguments)

    def _started(self) -> ProcessPoolExecutor:
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                self._workers,
                mp_context=multiprocessing.get_context("spawn"),  # a fork would copy threads' locks, and hang
                initializer=_start_worker,
                initargs=(self._work, max(1, available_cores() // self._workers)),
            )
        return self._executor

    def stop(self) -> None:
        """End the workers, whatever they are at."""
        if self._executor is not None:
            processes = list((getattr(self._executor, "_processes", None) or {}).values())
            for process in processes:
                process.kill()  # a worker that is still starting holds back SIGTERM
            if hasattr(signal, "pthread_sigmask"):
                ensure_tracker()
            if sys.version_info < (3, 11, 5) and hasattr(self._executor, "_call_queue"):
                # a part half written to workers that are gone would be waited for, for ever (CPython issue 94777)
                self._executor._call_queue._reader.close()  # type: ignore[attr-defined, unused-ignore]
            with _signals_held():
                self._executor.shutdown(wait=True, cancel_futures=True)  # so that nothing is left for the end of Python
            for process in processes:
                process.join()
            self._executor = None


@contextmanager
def _signals_held() -> Iterator[None]:
    """Ctrl-C and SIGTERM wait: half a worker could not be ended, and one that starts would answer with a traceback.

    The handlers are exchanged because the system may give a signal to any thread, and Python then runs the handler in
    this one; the mask is for the process that is started meanwhile, which holds the signals back until it is ready.
    """
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    handlers = {number: signal.signal(number, lambda own, _: waiting.append(own)) for number in _ENDING}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for held in dict.fromkeys(waiting):
            signal.raise_signal(held)


_work: Callable[[Any], Any]


def _start_worker(work: bytes, threads: int) -> None:
    """In the worker: take the function, leave Ctrl-C to the driver, and end when the driver is gone."""
    global _work
    os.environ.update(dict.fromkeys(_THREAD_VARIABLES, str(threads)))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _work = pickle.loads(work)  # imports what it needs, after the variables are set


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


def _warm_up() -> None:
    """What a worker is first asked for."""


def _call(number: int, item: Any) -> PartResult[Any]:
    return run_with_retries(_work, number, item)
