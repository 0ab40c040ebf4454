"""Folders of converted weights: made once, with the sums of their files, and made again where they are damaged."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from ..errors import ModelError
from ..files.write import put_folder
from .hub.checksum import file_sha256

_SUMS = "sha256.json"  # of the other files in the folder


def keep_folder(folder: Path, make: Callable[[Path], object], files: Iterable[str], what: str) -> Path:
    """The folder, filled (by way of a temporary folder) by `make` unless its `files` are there and undamaged."""
    expected = list(files)

    def good(place: Path) -> bool:
        return intact(place, expected)

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


def intact(folder: Path, files: Iterable[str], *, recheck: bool = False) -> bool:
    """Whether these files and those made with them are there, with the bytes they were made of."""
    try:
        sums = json.loads((folder / _SUMS).read_bytes())
        return set(files) <= sums.keys() and all(
            file_sha256(folder / name, recheck=recheck) == sha256 for name, sha256 in sums.items()
        )
    except (OSError, ValueError, AttributeError, TypeError):  # absent, or no longer the JSON it was
        return False
