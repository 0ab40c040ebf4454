"""The workspace: computes a feature of a text (or of a pair of texts) once, whichever metric asks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from ..tables.notices import Notices
from .store import FeatureStore

K = TypeVar("K", bound=Hashable, contravariant=True)
V = TypeVar("V", covariant=True)
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Progress = Callable[[str, int, int], None]  # what is being computed, how many are done, of how many


def no_progress(*_: object) -> None:
    """A Progress that tells nobody."""


class Feature(Protocol[K, V]):
    """A pure function of a key; equal signatures mean equal values."""

    @property
    def signature(self) -> str: ...

    def compute(self, keys: Sequence[K]) -> Iterable[V]:
        """One value per key, in order."""
        ...


class Stored(Protocol):
    """A feature of a text that is expensive enough to be kept on disk."""

    progress_label: str

    def size(self, value: Any) -> int: ...

    def pack(self, value: Any) -> bytes: ...

    def unpack(self, data: bytes) -> Any: ...


class Workspace:
    """Features by signature and key, in memory and (those that ask for it) in a store on disk.

    `flush` ends a chunk of work: what is cheap is forgotten, what is expensive is written down, so that memory stays
    bounded. Writing only there also means that an interrupted chunk leaves no trace: float32 kernels round differently
    in batches of another size, so a resumed run must meet the same batches to end with the same bytes.
    """

    def __init__(
        self, store: FeatureStore | None = None, memory: int = 1 << 30, progress: Progress | None = None
    ) -> None:
        self.store = store
        self.memory = memory
        self.progress = progress
        self.notices = Notices()  # what the reader of the scores may have to know
        self.reported: set[tuple[str, str]] = set()  # texts of this chunk that are in them already, by who read them
        self.text_flags: dict[tuple[str, str], tuple[int, int]] = {}  # tokens of a text: unknown, cut off
        self.prepared: dict[str, Any] = {}  # what a metric took from the whole input before scoring it
        self._values: dict[str, dict[Any, Any]] = {}
        self._stored: dict[str, Any] = {}  # the features that are stored, by signature
        self._unsaved: dict[str, list[str]] = {}
        self._sizes: dict[tuple[str, str], int] = {}

    def get(self, feature: Feature[Key, Value], keys: Sequence[Key]) -> list[Value]:
        """The feature of every key, in order; unknown distinct keys are computed, shortest first."""
        known = self._values.setdefault(feature.signature, {})
        missing = [key for key in dict.fromkeys(keys) if key not in known]
        if missing:
            stored = hasattr(feature, "unpack")  # is it a Stored one?
            if stored and self.store is not None:
                missing = self._recall(feature, missing)
            size: Callable[[Any], int] = len if set(map(type, missing)) == {str} else _size
            missing.sort(key=size)
            self._compute(feature, missing, stored)
        return list(map(known.__getitem__, keys))

    def _recall(self, feature: Any, keys: list[Any]) -> list[Any]:
        assert self.store is not None
        found = self.store.read(feature.signature, keys)
        for key, data in found.items():
            self._keep(feature, key, feature.unpack(data))
        return [key for key in keys if key not in found]

    def _compute(self, feature: Any, keys: list[Any], stored: bool) -> None:
        known = self._values[feature.signature]
        values = feature.compute(keys) if keys else ()
        if not stored:
            known.update(zip(keys, values, strict=True))
            return
        for done, (key, value) in enumerate(zip(keys, values, strict=True), 1):
            self._keep(feature, key, value)
            self._unsaved.setdefault(feature.signature, []).append(key)
            if self.progress is not None:
                self.progress(feature.progress_label, done, len(keys))

    def _keep(self, feature: Any, key: str, value: Any) -> None:
        self._stored[feature.signature] = feature
        self._values[feature.signature][key] = value
        self._sizes[feature.signature, key] = feature.size(value)

    def flush(self) -> None:
        """Write what is expensive to the store, forget what is cheap, and keep memory within its bound."""
        excess = sum(self._sizes.values()) - self.memory
        if excess > 0 and self.store is None:
            self.store = FeatureStore.temporary()  # so that a text is still encoded only once in this run
        if self.store is not None:
            for signature, keys in self._unsaved.items():
                pack, known = self._stored[signature].pack, self._values[signature]
                self.store.write(signature, ((key, pack(known[key])) for key in keys))
            self._unsaved.clear()
        self.reported.clear()
        self.text_flags.clear()
        for signature in [name for name in self._values if name not in self._stored]:
            del self._values[signature]
        for signature, key in list(self._sizes) if excess > 0 else ():
            excess -= self._sizes.pop((signature, key))
            del self._values[signature][key]
            if excess <= 0:
                break

    def is_new(self, reader: str, text: str) -> bool:
        """Is this text of the chunk not in the notices yet, as this reader has it? From now on it is."""
        before = len(self.reported)
        self.reported.add((reader, text))
        return len(self.reported) > before

    def close(self) -> None:
        """Write what is left and release the store."""
        self.flush()
        if self.store is not None:
            self.store.close()


def _size(key: Any) -> int:
    return len(key) if isinstance(key, str) else sum(map(len, key))
