"""Manifests: the sha256 of every file of a folder, by which a damaged, missing or changed one is named."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .record import open_regular, read_object


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
