"""Which rows all systems have, so that systems are compared on the same ones."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, nearest
from ..stats.resample import source_keys
from .samples import Samples

EMPTY = ("worst", "skip")  # what an empty candidate counts in a mean: the worst score, or nothing
Keys = NDArray[np.uint64]


def check_empty(empty: str) -> None:
    """Refuse an unknown way to count empty candidates."""
    if empty not in EMPTY:
        raise InputError(f"empty={empty!r} is unknown{nearest(str(empty), EMPTY)}")


def unit_keys(samples: Samples) -> NDArray[np.uint64]:
    """`source_keys`; a row without a source is a unit of its own, by its id."""
    rows = zip(samples.sources, samples.ids, strict=True)
    return source_keys([source if source.strip() else f"\0{name}" for source, name in rows])


class SharedRows:
    """The rows that count: those with a candidate, of which every system has one.

    A missing candidate is not a row of its system, nor is an empty one where `empty` is "skip". Rows of two systems are
    the same if id and source are; where systems have no such row in common (each row has an id of its own), if the
    source is. What is kept is small: eight bytes for each row that some system lacks.
    """

    def __init__(self, empty: str = "worst", chunks: Iterable[Samples] = ()) -> None:
        check_empty(empty)
        self.empty = empty
        self.matched = "nothing"  # or "id", "source": by what rows of two systems are the same
        self.rows = 0  # ids or sources that all systems have
        self._lacking: Keys = np.empty(0, dtype=np.uint64)
        systems = self._read(chunks)
        if len(systems) < 2:
            return
        self.matched = "none"
        for place, kind in enumerate(("id", "source")):
            every = [system[place] for system in systems.values()]
            if not len(reduce(np.intersect1d, (all_keys for all_keys, _ in every))):
                continue
            present = [keys for _, keys in every if len(keys)]  # a system without any candidate has no say
            common = reduce(np.intersect1d, present) if present else np.empty(0, dtype=np.uint64)
            self._lacking = np.setdiff1d(reduce(np.union1d, (all_keys for all_keys, _ in every)), common)
            self.matched, self.rows = kind, len(common)
            return

    def counts(self, samples: Samples) -> NDArray[np.bool_]:
        """Does each of these rows count?"""
        found = self._present(samples)
        if len(self._lacking):
            found &= ~np.isin(self.keys(samples), self._lacking)
        return found

    def keys(self, samples: Samples) -> Keys:
        """A number for each row; rows of two systems that have the same are the same row."""
        return _keys(samples)[self.matched == "source"]

    def _present(self, samples: Samples) -> NDArray[np.bool_]:
        found = ~samples.failures() if self.empty == "skip" else np.ones(len(samples), dtype=np.bool_)
        found[list(samples.missing)] = False
        return found

    def _read(self, chunks: Iterable[Samples]) -> dict[str, list[tuple[Keys, Keys]]]:
        """Of each system the ids (with their sources) and the sources, each in all its rows and in those present."""
        parts: dict[str, list[tuple[Keys, Keys, NDArray[np.bool_]]]] = {}
        for chunk in chunks:
            by_id, by_source = _keys(chunk)
            present = self._present(chunk)
            names = np.array(chunk.systems, dtype=object)
            for system in dict.fromkeys(chunk.systems):
                own = names == system
                parts.setdefault(system, []).append((by_id[own], by_source[own], present[own]))
        found = {}
        for system, lists in parts.items():
            ids, sources, present = (np.concatenate(column) for column in zip(*lists, strict=True))
            found[system] = [(np.unique(keys), np.unique(keys[present])) for keys in (ids, sources)]
        return found


def _keys(samples: Samples) -> tuple[Keys, Keys]:
    """A number for each row's id and source, and one for its source (or, without a source, for its id)."""
    sources = unit_keys(samples)
    with np.errstate(over="ignore"):
        ids = source_keys(samples.ids) * np.uint64(0x9E3779B97F4A7C15) ^ sources
    return ids, sources
