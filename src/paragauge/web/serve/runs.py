"""The runs that the server shows, and its pages with what they load."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InputError
from ...reports.page import part
from ...runs.listing import RunFolder, describe_run
from ...runs.record import RECORD, faults, read_object, read_record
from ...runs.store import files_of
from ..guard import RequestError
from ..messages import Endpoint

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


_OLDER = "verdict.json"  # of runs whose record has no verdict

KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
SHARED = ("data.js", "words.js", "pair.js", "style.css")  # of the report: texts and tokens are shown alike in both


class RunsFolder:
    """A folder of runs. A name is looked up among what the folder holds, never put together to a path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def listed(self) -> list[RunFolder]:
        """All runs, newest first."""
        found = [run for path in self._folders().values() if (run := describe_run(path)) is not None]
        return sorted(found, key=lambda run: run.changed, reverse=True)

    def path(self, name: str) -> Path:
        """The folder of a run; unknown runs raise 404."""
        found = self._folders().get(name)
        if found is None:
            raise RequestError(404, f"there is no run named {name[:100]!r}")
        return found

    def record(self, name: str) -> dict[str, Any]:
        """What `run.json` of a run says."""
        path = self.path(name)
        try:
            found = read_record(path)
        except InputError:
            raise RequestError(409, f"the record of the run {name!r} cannot be read") from None
        if found.get("status") == "complete":
            _check_unchanged(path, found, RECORD)
        return found

    def verdict(self, name: str, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """What a run says of usable candidates: thresholds, systems, and what to conclude; None where it does not."""
        try:
            found = record.get("verdict")
            if found is None and _OLDER in files_of(record):
                path = self.path(name)
                _check_unchanged(path, record, _OLDER)
                found = read_object(path / _OLDER)
            return found and {key: found[key] for key in ("accept", "min_changed", "systems", "conclusion")}
        except (OSError, ValueError, KeyError):
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


def _check_unchanged(path: Path, record: Mapping[str, Any], file: str) -> None:
    """What was changed after the run is not shown as if it were of it."""
    wrong = faults(path / "manifest.json", files_of(record), {file})
    if wrong:
        raise RequestError(409, f"the run {path.name!r} was modified after it was complete: {'; '.join(wrong)}")


def _is_own(folder: Path) -> bool:
    """Has it a record, and does nothing in it lead elsewhere?"""
    try:
        with os.scandir(folder) as entries:
            links = {entry.name: entry.is_symlink() for entry in entries if not entry.is_dir(follow_symlinks=False)}
    except OSError:
        return False
    return RECORD in links and not any(links.values())


class Pages:
    """Every file by its name; nothing else can be asked for."""

    def __init__(self) -> None:
        own = files(__package__).joinpath("page").iterdir()
        self._files = {file.name: file.read_bytes() for file in own if file.name.endswith(tuple(KINDS))}
        self._files |= {f"report-{name}": part(name).encode() for name in SHARED}

    def page(self, name: str = "") -> Endpoint:
        """The endpoint of a page, or of the file that the address names."""

        async def endpoint(request: Request) -> Response:
            from starlette.responses import Response

            asked = name or request.path_params["name"]
            if asked not in self._files:
                raise RequestError(404, f"there is no file {asked[:100]!r}")
            kind = KINDS["." + asked.rpartition(".")[2]]
            return Response(self._files[asked], media_type=kind, headers={"cache-control": "no-cache"})

        return endpoint
