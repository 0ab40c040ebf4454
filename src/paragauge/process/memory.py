"""How much memory a process of a server may take besides what it holds: a request of more ends with an error."""

from __future__ import annotations

import os
import sys

from ..errors import InputError

VARIABLE = "PARAGAUGE_MEMORY_LIMIT"
# A file scored by the default metrics takes 1.5 GiB with its report, by metrics of wording alone 0.9 (measured in
# VmData, which counts what is reserved and not yet used too; of that 0.7 and 0.2 GiB are in memory).
DEFAULT = 8 << 30


def limit_memory() -> None:
    """Bound what this process may take from now on: `PARAGAUGE_MEMORY_LIMIT` bytes, else 8 GiB; 0 means no bound."""
    chosen = os.environ.get(VARIABLE, str(DEFAULT))
    if not chosen.isdecimal():
        raise InputError(f"{VARIABLE} is '{chosen}'; expected a number of bytes, or 0 for no bound")
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
