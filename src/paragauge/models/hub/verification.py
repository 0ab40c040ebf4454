"""Every file of the models that are here, read again and compared with the registry."""

from __future__ import annotations

from typing import NamedTuple

from ..convert.encoder import converted_folders, undamaged
from .fetch import cached_folder, damaged_files, installed_folder
from .registry import ENTRIES, entry_named


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
    """The model of that name, or all that are here and what was converted from them."""
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
        # a damaged conversion is made again when it is next needed, so it is shown but is no error
        state = "ok" if undamaged(folder, recheck=True) else "damaged"
        files.append(CheckedFile("(converted)", str(folder), state))
    return Verification(files, damaged)
