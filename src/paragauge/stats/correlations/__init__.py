"""The correlations that agreement is measured by: one file each, found by its name."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path

from ..arrays import choice
from ..statistic import Statistic


@cache
def names() -> tuple[str, ...]:
    """The statistics there are: a file of this folder is one, with - for _."""
    order = ("pearson", "spearman")  # then the others by name
    found = [file.stem.replace("_", "-") for file in Path(__file__).parent.glob("[!_]*.py")]
    return tuple(sorted(found, key=lambda name: (name not in order, name)))


@cache
def statistic(name: str) -> Statistic:
    """The statistic of this name."""
    choice(name, names(), "statistic")
    found: Statistic = importlib.import_module(f"{__name__}.{name.replace('-', '_')}").STATISTIC
    return found
