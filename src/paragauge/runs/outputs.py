"""The outputs that a run has written, with their sha256: a rerun knows them as its own, and replaces no other file."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ..files.remote import Remote, is_uri, local_path
from ..files.write import UNFINISHED, PathLike, below
from .record import file_sha256, open_regular

_FILE = "outputs.jsonl"
_MOST = 64 << 20  # bytes; more is none of ours


def noting(folder: Path, output: PathLike) -> Callable[[str], None]:
    """What is to be called with the sha256 of an output before it appears: then it is known whenever this ends."""

    def note(digest: str) -> None:
        line = json.dumps({"output": _place(output), "sha256": digest})
        with (folder / _FILE).open("a", encoding="utf-8") as stream:
            stream.write(f"{line}\n")
            stream.flush()
            os.fsync(stream.fileno())

    return note


def is_own(folder: Path, output: PathLike) -> bool:
    """Is this file, or everything in this folder, what the run in `folder` has put there?"""
    known = _known(folder)
    if not known:
        return False
    place = _place(output)
    if is_uri(place) or not os.path.isdir(place):
        return _is_known(known, place)
    files = [file.name for file in Path(place).iterdir() if not file.match(UNFINISHED)]
    return all(_is_known(known, below(place, name)) for name in files)


def _is_known(known: dict[str, set[str]], place: str) -> bool:
    return place in known and _digest(place) in known[place]


def _known(folder: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    with suppress(OSError), open_regular(folder / _FILE) as stream:
        for line in stream.read(_MOST).splitlines():
            with suppress(ValueError, KeyError, TypeError, RecursionError):  # the last line may be cut
                told = json.loads(line)
                found.setdefault(told["output"], set()).add(told["sha256"])
    return found


def _place(output: PathLike) -> str:
    name = local_path(os.fspath(output))
    return name if is_uri(name) else os.path.realpath(name)


def _digest(place: str) -> str:
    if is_uri(place):
        with Remote(place).open() as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]
    with suppress(OSError):
        return file_sha256(Path(place))
    return ""
