"""The run folders that may be looked at: those right inside one folder, and nothing that leads out of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ...files.runs.listing import RunFolder, describe_run
from ...files.runs.run import read_record
from ..security import RequestError


class RunsFolder:
    """A folder of runs. A name is looked up among what the folder holds, never put together to a path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def listed(self) -> list[RunFolder]:
        """All runs, newest first."""
        found = [run for path in self._folders().values() if (run := describe_run(path)) is not None]
        return sorted(found, key=lambda run: run.changed, reverse=True)

    def path(self, name: str) -> Path:
        """The folder of a run; what is no run of ours is not found."""
        found = self._folders().get(name)
        if found is None:
            raise RequestError(404, f"there is no run named {name[:100]!r}")
        return found

    def record(self, name: str) -> dict[str, Any]:
        """What `run.json` of a run says."""
        path = self.path(name)
        try:
            found = read_record(path)
            json.dumps(found, allow_nan=False)
            return found
        except ValueError:  # InputError is one
            raise RequestError(409, f"the record of the run {name!r} cannot be read") from None

    def verdict(self, name: str) -> dict[str, Any] | None:
        """What a run says of usable candidates: thresholds, systems, and what to conclude; None where it does not."""
        try:
            found = json.loads((self.path(name) / "verdict.json").read_bytes())
            told = {key: found[key] for key in ("accept", "min_changed", "systems", "conclusion")}
            json.dumps(told, allow_nan=False)
            return told
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            raise RequestError(409, f"the verdict of the run {name!r} cannot be read") from None

    def new(self, stem: str) -> Path:
        """A folder that does not exist yet, for a run of a file of this name."""
        name = (
            "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in stem)[:60].strip("-") or "run"
        )
        taken = {entry.lower() for entry in os.listdir(self.folder)} if self.folder.is_dir() else set()
        numbered = (f"{name}-{number}" for number in range(2, 1_000_000))
        return self.folder / next(one for one in (name, *numbered) if one.lower() not in taken)

    def _folders(self) -> dict[str, Path]:
        if not self.folder.is_dir():
            return {}
        with os.scandir(self.folder) as entries:
            names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        return {name: path for name in sorted(names) if _is_own(path := self.folder / name)}


def _is_own(folder: Path) -> bool:
    """Has it a record, and does nothing in it lead elsewhere?"""
    try:
        with os.scandir(folder) as entries:
            found = {
                entry.name: entry.is_symlink() or not entry.is_file() for entry in entries if not _is_folder(entry)
            }
    except OSError:
        return False
    return "run.json" in found and not any(found.values())


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)
