"""What this process may take: cores, all or its share as one of several workers, and memory; its collector at rest."""

from __future__ import annotations

import gc
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError

VARIABLE = "PARAGAUGE_THREADS"  # what a worker is allotted; a user may set it too
_CGROUP = Path("/sys/fs/cgroup")
MEMORY_VARIABLE = "PARAGAUGE_MEMORY_LIMIT"
# A file scored by the default metrics takes 1.5 GiB with its report, by metrics of wording alone 0.9 (measured in
# VmData, which counts what is reserved and not yet used too; of that 0.7 and 0.2 GiB are in memory).
DEFAULT_MEMORY = 8 << 30


def threads() -> int:
    """The threads this process may run at once: `PARAGAUGE_THREADS`, else all of its cores."""
    chosen = os.environ.get(VARIABLE)
    if chosen is None:
        return available_cores()
    if not chosen.isdecimal() or int(chosen) < 1:
        raise InputError(f"{VARIABLE} is '{chosen}'; expected a whole number of at least 1")
    return int(chosen)


def available_cores() -> int:
    """The cores this process may use, by its affinity and the limit of its control group."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = cgroup_limit()
    return max(1, cores if limit is None else min(cores, math.ceil(limit)))


def cgroup_limit(root: Path = _CGROUP) -> float | None:
    """The processor time per second that a container may use, in cores; None where nothing limits it."""
    try:
        quota, period = (root / "cpu.max").read_text().split()[:2]  # version 2
    except (OSError, ValueError):
        try:  # version 1
            quota = (root / "cpu" / "cpu.cfs_quota_us").read_text().strip()
            period = (root / "cpu" / "cpu.cfs_period_us").read_text().strip()
        except OSError:
            return None
    if quota in ("max", "-1") or not (quota.isdecimal() and period.isdecimal() and int(period)):
        return None
    return int(quota) / int(period)


@contextmanager
def without_collector() -> Iterator[None]:
    """Hundreds of thousands of rows or tokens and no cycles: to look through them for cycles takes a tenth of the time
    of scoring them, and a quarter of that of reading them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def limit_memory() -> None:
    """Bound what this process may take from now on: `PARAGAUGE_MEMORY_LIMIT` bytes, else 8 GiB; 0 means no bound."""
    chosen = os.environ.get(MEMORY_VARIABLE, str(DEFAULT_MEMORY))
    if not chosen.isdecimal():
        raise InputError(f"{MEMORY_VARIABLE} is '{chosen}'; expected a number of bytes, or 0 for no bound")
    if sys.platform != "linux" or not int(chosen):
        return  # elsewhere the system does not count what is mapped, or refuses a bound
    import resource

    most = data_bytes() + int(chosen)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def data_bytes() -> int:
    """What RLIMIT_DATA counts of this process: memory that it may write to and shares with nobody."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmData"))
