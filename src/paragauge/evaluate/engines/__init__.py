"""Engines hand numbered parts of some work to workers: the cores of this machine, or the nodes of a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, NamedTuple, Protocol, TypeVar

from ...errors import InputError, nearest

Item = TypeVar("Item")
Result = TypeVar("Result")
TRIES = 3  # of one part, before it is given up
NAMES = ("local", "ray")


class Outcome(NamedTuple, Generic[Result]):
    """What became of one part: its result or, after so many tries, the error."""

    number: int
    result: Result | None
    error: str | None = None
    tries: int = 1
    hint: str = ""  # what to do about it


class Engine(Protocol):
    """Calls a function for each item, in workers; items and results come and go by pickle, a few at a time.

    Outcomes are given in any order, one per item. An item whose worker dies or that raises is tried again, three
    times in all; a `ParagaugeError`, which would only come again, is final at once. A worker never runs more threads
    than its share of the cores.
    """

    workers: int

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Outcome[Result]]: ...


def engine(name: str = "local", workers: int | None = None, address: str | None = None) -> Engine:
    """The engine of this name; `workers` is the number of processes or actors, by default one per core."""
    if name == "local":
        if address is not None:
            raise InputError("the local engine has no address; expected engine 'ray'")
        from .local import Local

        return Local(workers)
    if name == "ray":
        from .ray import Ray

        return Ray(workers, address)
    raise InputError(f"no engine named '{name}'{nearest(name, NAMES)}")
