"""The engine of a Ray cluster: a pool of actors that take parts one by one."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...errors import InputError, ParagaugeError, check_count
from ...process.extras import require
from ...process.limits import VARIABLE
from . import TRIES, Item, PartResult, Result
from .local import run_with_retries


class Ray:
    """Actors with one core (and, where the cluster has any, one GPU) each; each loads its models once."""

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        workers = None if workers is None else check_count("workers", workers)
        self._ray = _connected(address)
        resources = self._ray.cluster_resources()
        self._gpus = int(resources.get("GPU", 0))
        slots = self._gpus or int(resources.get("CPU", 1))
        self.workers = max(1, slots) if workers is None else workers

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[PartResult[Result]]:
        ray = self._ray
        gpus = 1 if self._gpus >= self.workers else 0
        # no restarts by Ray: an actor that died is replaced below, so that its part alone is blamed and tried again
        make = ray.remote(num_cpus=1, num_gpus=gpus, max_restarts=0, runtime_env=_environment())(_Worker)
        sent = pickle.dumps(work)
        starting: dict[Any, Any] = {}  # reference to actor: of more actors than there is room for, some stay here
        idle: list[Any] = []
        underway: dict[Any, tuple[int, Any, int, Any]] = {}  # reference to number, item, tries, actor

        def start() -> None:
            actor = make.remote(sent)
            starting[actor.ready.remote()] = actor

        for _ in range(self.workers):
            start()
        failures = 0  # to start an actor, one after another
        again: list[tuple[int, Any, int]] = []
        numbered = ((number, item, 0) for number, item in enumerate(items))
        left = True
        stopped: Exception | None = None  # what reading the items ended with: those before it are finished first
        try:
            while True:
                while idle and (again or left):
                    try:
                        following = again.pop() if again else next(numbered, None)
                    except Exception as error:
                        following, stopped = None, error
                    if following is None:
                        left = False
                        break
                    number, item, tries = following
                    actor = idle.pop()
                    underway[actor.run.remote(number, item)] = (number, item, tries + 1, actor)
                if not (underway or again or left):
                    break
                (reference,), _ = ray.wait([*underway, *starting], num_returns=1)
                if reference in starting:
                    actor = starting.pop(reference)
                    try:
                        ray.get(reference)
                        idle.append(actor)
                        failures = 0
                    except ray.exceptions.RayError as error:
                        failures += 1
                        if failures == TRIES * self.workers:
                            raise ParagaugeError(f"no Ray worker could be started: {_last_line(error)}") from error
                        start()
                    continue
                number, item, tries, actor = underway.pop(reference)
                try:
                    outcome = ray.get(reference)
                    idle.append(actor)
                    yield outcome
                except ray.exceptions.RayError as error:  # the actor or its node died
                    ray.kill(actor)
                    start()
                    if tries < TRIES:
                        again.append((number, item, tries))
                    else:
                        yield PartResult(number, None, f"its worker died: {_first_line(error)}", tries)
            if stopped is not None:
                raise stopped
        finally:
            for actor in (*idle, *starting.values(), *(entry[-1] for entry in underway.values())):
                ray.kill(actor)


class _Worker:
    """In the actor: the function, and the parts it is called with."""

    def __init__(self, work: bytes) -> None:
        self._work: Callable[[Any], Any] = pickle.loads(work)

    def ready(self) -> None:
        """Answered once the actor has a place in the cluster and its function is loaded."""

    def run(self, number: int, item: Any) -> PartResult[Any]:
        return run_with_retries(self._work, number, item)


def _connected(address: str | None) -> Any:
    ray = require("ray", "ray", "the Ray engine is not installed")
    if not ray.is_initialized():
        try:
            ray.init(address, log_to_driver=False, logging_level="ERROR", include_dashboard=None if address else False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise InputError(f"no Ray cluster at {address or 'this machine'}: {_first_line(error)}") from error
        # or the cluster's messages, as of a worker that died, would stand on standard output, among the scores; Ray
        # has no public setting for these (log_to_driver is for what workers print)
        ray._private.worker._worker_logs_enabled = False
    return ray


def _environment() -> dict[str, Any]:
    return {"env_vars": dict.fromkeys((VARIABLE, "OMP_NUM_THREADS", "POLARS_MAX_THREADS"), "1")}


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _last_line(error: BaseException) -> str:
    """Where the error of an actor has its cause."""
    return next(reversed(str(error).strip().splitlines()), type(error).__name__)
