"""JSON that is kept next to results, read with the caution that files of others need, and manifests: the sha256 of
every file of a folder, by which a damaged, missing or changed one is named."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Mapping
from io import BufferedReader
from pathlib import Path
from typing import Any

from ..errors import InputError

RECORD = "run.json"
# of the record, its first entry: 1 had no such entry, and the verdict in a file of its own; what reads a record reads
# every format up to this one, and a change that it would not understand takes the next number
FORMAT = 2
_MOST_BYTES = 128 << 20  # thirty metrics of five thousand systems
_DEEPEST = 20  # our own records nest to a depth of five
# what the record of a run holds where it holds it, and what is in that
_KINDS: dict[str, tuple[type, type | None]] = {
    "format": (int, None), "status": (str, None), "kind": (str, None), "empty": (str, None), "rows": (int, None),
    "metrics": (dict, str), "signatures": (dict, str), "scales": (dict, dict), "notes": (dict, None),
    "notices": (list, dict), "verdict": (dict, None), "summary": (list, dict), "warnings": (list, str),
    "files": (list, str),
}  # fmt: skip


def open_regular(path: Path) -> BufferedReader:
    """A file opened for reading; a pipe or a device, which may never end, is an OSError, and is not waited for."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "it is not a regular file")
    return open(descriptor, "rb")


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file: a ValueError or an OSError tells in a sentence what else it is."""
    with open_regular(path) as stream:
        data = stream.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError(f"it has more than {_MOST_BYTES >> 20} MiB")
    found = parse_json(data)
    if not isinstance(found, dict):
        raise ValueError("it holds no JSON object")
    return found


def parse_json(data: bytes | str) -> Any:
    """JSON that is no deeper than any of ours, and can be written again; a ValueError tells what is wrong with it."""
    try:
        found = json.loads(data)
    except RecursionError:
        raise ValueError(f"it is nested deeper than {_DEEPEST}") from None
    level: list[Any] = [found]
    for _ in range(_DEEPEST):
        level = [inner for one in level if isinstance(one, (dict, list)) for inner in _inside(one)]
    if level:
        raise ValueError(f"it is nested deeper than {_DEEPEST}")
    json.dumps(found, ensure_ascii=False, allow_nan=False).encode()  # what cannot be written again is none of ours
    return found


def read_record(folder: Path, record: str = RECORD) -> dict[str, Any]:
    """The record of a run, `run.json` in its folder; what else stands there is refused in a sentence."""
    try:
        found = read_object(folder / record)
        for name, (kind, inner) in _KINDS.items():
            if name in found and not _is_a(found[name], kind, inner):
                raise ValueError(f"its '{name}' is not what a run has there")
        if found.get("format", 1) > FORMAT:
            raise ValueError(f"it has the format {found['format']} of a newer version; known: up to {FORMAT}")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{folder} is not a run folder: {record} cannot be read ({why})") from error
    return found


def as_record(value: Mapping[str, Any]) -> bytes:
    """A record as JSON; an undefined number is null."""
    return (json.dumps(without_nan(value), indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def without_nan(value: Any) -> Any:
    """JSON has no NaN: an undefined number is null."""
    if isinstance(value, Mapping):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(item) for item in value]
    return None if isinstance(value, float) and value != value else value


def _inside(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value


def _is_a(value: Any, kind: type, inner: type | None) -> bool:
    sound = isinstance(value, kind) and not isinstance(value, bool)
    return sound and (inner is None or all(isinstance(one, inner) for one in _inside(value)))


def sha256_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def file_sha256(path: Path) -> str:
    with open_regular(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def as_manifest(sums: Mapping[str, str]) -> bytes:
    """The content of a manifest: sha256 by file name."""
    return (json.dumps({"sha256": dict(sorted(sums.items()))}, indent=2) + "\n").encode()


def faults(manifest: Path, names: set[str], only: set[str] | None = None) -> list[str]:
    """What is wrong with the files next to a manifest, which must name these: `scores.parquet is missing`.

    With `only`, no more than these are read.
    """
    try:
        sums = read_object(manifest)["sha256"]
    except FileNotFoundError:
        return [f"{manifest.name} is missing"]
    except (OSError, ValueError, KeyError):
        return [f"{manifest.name} is damaged"]
    if not isinstance(sums, dict) or set(sums) != names or any(Path(name).name != name for name in names):
        return [f"{manifest.name} is damaged"]
    found = {name: _fault(manifest.parent / name, digest) for name, digest in sums.items() if name in (only or names)}
    return [f"{name} {fault}" for name, fault in found.items() if fault]


def _fault(file: Path, digest: object) -> str:
    try:
        return "" if file_sha256(file) == digest else "was changed or damaged"
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read ({error.strerror or error})"


def difference(before: Any, now: Any) -> str:
    """What two records differ in, and nothing else of them: `added chrf; changed bleu (tok:13a, now tok:zh)`."""
    if not (isinstance(before, Mapping) and isinstance(now, Mapping)):
        return "{}, now {}".format(*_apart(before, now))
    added = [str(name) for name in now if name not in before]
    removed = [str(name) for name in before if name not in now]
    changed = [
        f"{name} ({difference(before[name], now[name])})"
        for name in before
        if name in now and before[name] != now[name]
    ]
    parts = {"added": added, "removed": removed, "changed": changed}
    return "; ".join(f"{what} {_listed(names)}" for what, names in parts.items() if names)


def _listed(names: list[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _apart(before: Any, now: Any) -> tuple[str, str]:
    """Two values as texts, of signatures only the fields that differ, of long texts only where they begin to."""
    if isinstance(before, str) and isinstance(now, str) and "|" in before + now:
        fields = before.split("|"), now.split("|")
        own = [[field for field in one if field not in other] for one, other in (fields, fields[::-1])]
        if any(own):
            before, now = ("|".join(one) for one in own)
    texts = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in (before, now)]
    same = next((place for place, pair in enumerate(zip(*texts, strict=False)) if pair[0] != pair[1]), 0)
    start = max(0, same - 20) if max(map(len, texts)) > 60 else 0
    first, second = (_cut(text, start) or "nothing" for text in texts)
    return first, second


def _cut(text: str, start: int, length: int = 60) -> str:
    return "…" * (start > 0) + text[start : start + length] + "…" * (len(text) > start + length)
