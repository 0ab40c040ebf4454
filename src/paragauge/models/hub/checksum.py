"""The sha256 of a file, remembered for as long as the file is visibly the same."""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from pathlib import Path

from ...files.folders import cache_folder
from ...files.write import write_whole

# A file system may give two writes within one tick of its clock the same time, so a file that was changed a moment
# ago is not remembered.
_SETTLED = 2_000_000_000


def file_sha256(path: Path, *, recheck: bool = False) -> str:
    """Of the file's bytes; read again when its size, times or inode changed since, or when asked to `recheck`."""
    note = cache_folder() / "checksums" / f"{_digest(str(path.resolve()).encode())[:32]}.json"
    before = _stamp(path)
    if not recheck and (known := _recall(note, before)):
        return known
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if _stamp(path) == before and time.time_ns() - max(before[1:3]) > _SETTLED:
        with contextlib.suppress(OSError):  # a read-only cache only means that the file is read again next time
            note.parent.mkdir(parents=True, exist_ok=True)
            write_whole(note, json.dumps({"stamp": before, "sha256": found}).encode())
    return found


def _stamp(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]


def _recall(note: Path, stamp: list[int]) -> str | None:
    try:
        entry = json.loads(note.read_bytes())
        return str(entry["sha256"]) if entry["stamp"] == stamp else None
    except (OSError, ValueError, KeyError, TypeError):  # absent, damaged, or not ours
        return None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
