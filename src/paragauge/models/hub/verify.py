"""Which files of models are here, and whether they are what they should be: registered ones and converted weights."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import ModelError
from ...files.folders import cache_folder
from ...files.write import put_folder, write_whole
from .registry import ENTRIES, Entry, entry_named

VERSION = 1  # of the form of converted weights; part of the name under which they are kept

# A file system may give two writes within one tick of its clock the same time, so a file that was changed a moment
# ago is not remembered.
_SETTLED = 2_000_000_000
_SUMS = "sha256.json"  # of the other files in a folder of converted weights
_CONVERTED = ("model.bin",)  # without which a converted model is none
_PACKAGE = Path(__file__).parents[2]


class CheckedFile(NamedTuple):
    """A file and what is wrong with it, or `ok`."""

    model: str
    file: str
    state: str


class Verification(NamedTuple):
    """All files that were read, and the models that are not as the registry says."""

    files: list[CheckedFile]
    damaged: list[str]


def verify(name: str | None = None) -> Verification:
    """The model of that name, or all that are here and what was converted from them, each file read again."""
    files: list[CheckedFile] = []
    damaged = []
    for entry in ENTRIES.values() if name is None else [entry_named(name)]:
        folder = cached_folder(entry)
        if not folder.is_dir():
            folder = installed_folder(entry) or folder
        if name is None and not folder.is_dir():
            continue
        faults = damaged_files(entry, folder, recheck=True)
        files += [CheckedFile(entry.name, str(folder / file), faults.get(file, "ok")) for file in entry.files]
        damaged += [entry.name] if faults else []
    for folder in converted_folders() if name is None else ():
        # a damaged conversion is made again when it is next needed, so it is shown but is not an error
        state = "ok" if is_complete(folder, recheck=True) else "damaged"
        files.append(CheckedFile("(converted)", str(folder), state))
    return Verification(files, damaged)


def cached_folder(entry: Entry) -> Path:
    """Where the model is kept once it is fetched, or within this package, where it comes with it."""
    if entry.source.packaged:
        return _PACKAGE / entry.source.folder
    return cache_folder() / "models" / entry.name


def installed_folder(entry: Entry) -> Path | None:
    """The model's folder in a package the user installed; the package is looked at, not imported."""
    import importlib.metadata  # slow to import, and needed only where the cache lacks the model

    if entry.source.archive or entry.source.npm or entry.source.packaged:
        return None
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        package = importlib.metadata.distribution(distribution(entry.source.requirements[0]))
        return Path(str(package.locate_file(entry.source.folder)))
    return None


def present_folder(entry: Entry) -> Path | None:
    """The folder that `ensure` would return without fetching."""
    candidates = (cached_folder(entry), installed_folder(entry))
    return next((folder for folder in candidates if folder and not damaged_files(entry, folder)), None)


def damaged_files(entry: Entry, folder: Path, *, recheck: bool = False) -> dict[str, str]:
    """File → 'missing' or 'damaged', for those that are."""
    faults = {}
    for name, sha256 in entry.files.items():
        try:
            if file_sha256(folder / name, recheck=recheck) != sha256:
                faults[name] = "damaged"
        except OSError:
            faults[name] = "missing"
    return faults


def distribution(requirement: str) -> str:
    """The name of a package without its version."""
    return re.split(r"[=<>~! ]", requirement, maxsplit=1)[0]


def cached_conversion(config: Mapping[str, Any], sha256: str, part: str, specification: Callable[[], Any]) -> Path:
    """The folder of weights as CTranslate2 reads them, made unless it is there and undamaged."""
    described = hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()
    folder = cache_folder() / "converted" / f"{sha256[:32]}-{described[:8]}-{part}-v{VERSION}"
    try:
        return filled_once(folder, lambda made: specification().save(str(made)), _CONVERTED, "the converted model")
    except KeyError as error:
        raise ModelError(f"the weights lack {error}, which a {config['model_type']} model has") from None


def converted_folders() -> list[Path]:
    """All converted models that are kept."""
    return sorted(file.parent for file in (cache_folder() / "converted").glob("[!.]*/model.bin"))


def filled_once(folder: Path, make: Callable[[Path], object], files: Iterable[str], what: str) -> Path:
    """The folder, filled (by way of a temporary folder) by `make` unless its `files` are there and undamaged."""
    expected = list(files)

    def good(place: Path) -> bool:
        return is_complete(place, expected)

    if good(folder):
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".converting-", dir=folder.parent) as temporary:
            made = Path(temporary) / "made"
            made.mkdir()
            make(made)
            sums = {file.name: file_sha256(file) for file in made.iterdir()}
            (made / _SUMS).write_text(json.dumps(sums))
            put_folder(made, folder, good)
    except OSError as error:
        raise ModelError(
            f"{what} cannot be stored in {folder.parent} ({error}); set PARAGAUGE_CACHE to another folder"
        ) from None
    return folder


def is_complete(folder: Path, files: Iterable[str] = _CONVERTED, *, recheck: bool = False) -> bool:
    """Whether these files and those made with them are there, with the bytes they were made of."""
    try:
        sums = json.loads((folder / _SUMS).read_bytes())
        return set(files) <= sums.keys() and all(
            file_sha256(folder / name, recheck=recheck) == sha256 for name, sha256 in sums.items()
        )
    except (OSError, ValueError, AttributeError, TypeError):  # absent, or no longer the JSON it was
        return False


def file_sha256(path: Path, *, recheck: bool = False) -> str:
    """Of the file's bytes; remembered until its size, times or inode change, and read again when asked to `recheck`."""
    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:32]
    note = cache_folder() / "checksums" / f"{name}.json"
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
