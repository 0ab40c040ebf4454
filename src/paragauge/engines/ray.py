"""The engine of a Ray cluster: a pool of actors that take parts one by one."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..cores import VARIABLE
from ..errors import InputError, MissingExtraError
from . import TRIES, Item, Outcome, Result
from .local import attempt

_AHEAD = 2  # parts under way or waiting per actor
_RESTARTS = 3  # of one actor, by Ray, after its process or node died


class Ray:
    """Actors with one core (and, where the cluster has any, one GPU) each; each loads its models once."""

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        if workers is not None and workers < 1:
            raise InputError(f"{workers} workers; expected at least 1")
        self._ray = _connected(address)
        resources = self._ray.cluster_resources()
        self._gpus = int(resources.get("GPU", 0))
        slots = self._gpus or int(resources.get("CPU", 1))
        self.workers = max(1, slots) if workers is None else workers

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Outcome[Result]]:
        ray = self._ray
        sent = ray.put(pickle.dumps(work))
        gpus = 1 if self._gpus >= self.workers else 0
        make = ray.remote(num_cpus=1, num_gpus=gpus, max_restarts=_RESTARTS, runtime_env=_environment())(_Worker)
        actors = [make.remote(sent) for _ in range(self.workers)]
        load = dict.fromkeys(range(self.workers), 0)
        underway: dict[Any, tuple[int, Any, int, int]] = {}  # reference to part, item, actor, tries
        waiting: list[tuple[int, Any, int]] = []
        numbered = enumerate(items)
        left = True
        try:
            while left or underway or waiting:
                while min(load.values()) < _AHEAD and (waiting or left):
                    if waiting:
                        number, item, tries = waiting.pop()
                    else:
                        following = next(numbered, None)
                        if following is None:
                            left = False
                            break
                        (number, item), tries = following, 0
                    actor = min(load, key=lambda place: load[place])
                    load[actor] += 1
                    underway[actors[actor].run.remote(number, item)] = (number, item, actor, tries + 1)
                if not underway:
                    continue
                done, _ = ray.wait(list(underway), num_returns=1)
                for reference in done:
                    number, item, actor, tries = underway.pop(reference)
                    load[actor] -= 1
                    try:
                        yield ray.get(reference)
                    except ray.exceptions.RayError as error:  # the actor or its node died; not an error of the work
                        if isinstance(error, ray.exceptions.ActorDiedError):
                            actors[actor] = make.remote(sent)
                        if tries < TRIES:
                            waiting.append((number, item, tries))
                        else:
                            yield Outcome(number, None, f"its worker died: {_first_line(error)}", tries)
        finally:
            for handle in actors:
                ray.kill(handle)


class _Worker:
    """In the actor: the function, and the parts it is called with."""

    def __init__(self, work: bytes) -> None:
        self._work: Callable[[Any], Any] = pickle.loads(work)

    def run(self, number: int, item: Any) -> Outcome[Any]:
        return attempt(self._work, number, item)


def _connected(address: str | None) -> Any:
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError('the Ray engine is not installed; pip install "paragauge[ray]"') from error
    if not ray.is_initialized():
        try:
            ray.init(address, log_to_driver=False, include_dashboard=None if address else False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise InputError(f"no Ray cluster at {address or 'this machine'}: {_first_line(error)}") from error
    return ray


def _environment() -> dict[str, Any]:
    return {"env_vars": dict.fromkeys((VARIABLE, "OMP_NUM_THREADS", "POLARS_MAX_THREADS"), "1")}


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
