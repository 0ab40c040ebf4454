"""Engines hand numbered parts of some work to workers: the cores of this machine, or the nodes of a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, NamedTuple, Protocol, TypeVar

from ...errors import InputError, nearest

Item = TypeVar("Item")
Result = TypeVar("Result")
TRIES = 3  # of one part, before it is given up
NAMES = ("local", "ray")


class PartResult(NamedTuple, Generic[Result]):
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

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[PartResult[Result]]: ...


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


class Workers(NamedTuple):
    """Where parts are computed: the arguments of `engine`."""

    engine: str | None = None
    workers: int | None = None
    address: str | None = None

    @classmethod
    def read(cls, given: int | str | None) -> Workers:
        """8 or `8`: processes; `ray`, `ray:auto`, `ray:host:6379`, `ray://host:10001`; `8@ray`: so many actors."""
        if given is None:
            return cls()
        text = str(given)
        number, at, place = text.rpartition("@")
        if not at and text.isdecimal():
            number, place = text, "local"
        name, colon, address = place.partition(":")
        if name not in NAMES or (name == "local" and colon) or (number and not (number.isdecimal() and int(number))):
            raise InputError(f"workers is {text!r:.60}; expected a number, ray, ray:ADDRESS, or both, as in 8@ray")
        address = f"ray:{address}" if address.startswith("//") else address
        return cls(name, int(number) if number else None, address or None)
