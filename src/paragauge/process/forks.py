"""What does not survive a fork and is made again in the child; and Python's resource tracker, started when killed."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

from ..errors import InputError

T = TypeVar("T")

_PARALLEL = "TOKENIZERS_PARALLELISM"
_known: weakref.WeakSet[PerProcess[Any]] = weakref.WeakSet()
_state = {"forked": False, "silenced": False, "polars": False, "polars lost": False}


class PerProcess(Generic[T]):
    """A value that is made when first asked for, and again in a forked child.

    The child never touches the value of its parent, not even to free it: to end an engine is to wait for its threads,
    which the child does not have.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: list[T] = []
        self._lock = threading.Lock()
        _known.add(self)

    def get(self) -> T:
        """The value of this process."""
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]

    @property
    def made(self) -> bool:
        """Whether it was asked for in this process."""
        return bool(self._made)

    def forget(self) -> None:
        """Let go of the value; it is made again when next asked for."""
        self._made = []

    def _abandon(self) -> None:
        for value in self._made:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))  # so that nothing ever frees it
        self._made = []
        self._lock = threading.Lock()  # another thread of the parent may have held it


def forked() -> bool:
    """Whether this process is a fork of one that had imported paragauge."""
    return _state["forked"]


def check_polars(what: str) -> None:
    """Refuse what polars would do with its threads in a child that has lost them: it would wait for them for ever."""
    if _state["polars lost"]:
        raise InputError(
            f"{what} in a forked process, whose parent has used polars, would never end; start processes by spawn: "
            'multiprocessing.get_context("spawn")'
        )


def _before() -> None:
    _state["polars"] = "polars" in sys.modules and _has_thread("polars-0")
    # In a child the tokenizers library goes on without threads, and says so in five lines, unless this is set.
    if "tokenizers" in sys.modules and _PARALLEL not in os.environ:
        os.environ[_PARALLEL] = "false"
        _state["silenced"] = True


def _has_thread(name: str) -> bool:
    """Whether this process has a thread of this name; True where that cannot be known."""
    try:
        return any(file.read_text().strip() == name for file in Path("/proc/self/task").glob("*/comm"))
    except OSError:
        return True


def _in_parent() -> None:
    if _state["silenced"]:
        os.environ.pop(_PARALLEL, None)
        _state["silenced"] = False


def _in_child() -> None:
    _state["forked"] = True
    _state["polars lost"] = _state["polars lost"] or _state["polars"]
    for value in list(_known):
        value._abandon()
    if "torch" in sys.modules:  # OpenMP waits for threads that the child does not have; torch's own workers do the same
        sys.modules["torch"].set_num_threads(1)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)


def ensure_tracker() -> None:
    """Have a tracker that knows all semaphores of this process.

    One that Python itself starts again knows none, and prints a traceback for each that is released later.
    """
    from multiprocessing import resource_tracker, synchronize, util

    if _is_sound(resource_tracker):
        resource_tracker.ensure_running()
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nothing leaks: what it knew is passed to the next one
        resource_tracker.ensure_running()
    for made in list(getattr(util, "_finalizer_registry", {}).values()):
        if getattr(made, "_callback", None) is synchronize.SemLock._cleanup:  # type: ignore[attr-defined]
            resource_tracker.register(made._args[0], "semaphore")


def _is_sound(module: object) -> bool:
    """Was none started yet, or is it still alive?"""
    own = getattr(module, "_resource_tracker", None)
    return getattr(own, "_fd", None) is None or own._check_alive()  # type: ignore[union-attr]
