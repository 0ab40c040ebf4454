"""Python's process that removes what others leave behind, its resource tracker: started again where it was killed."""

from __future__ import annotations

import warnings


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
