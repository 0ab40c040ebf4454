"""Output that is written whole or not at all, and the formats that suffixes stand for."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import secrets
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar

from ..errors import ExistingFileError, InputError, ParagaugeError, WriteError
from ..printable import FORMULA, NUMBER, guard_cell, shortened
from ..process.forks import check_polars
from .layout import FORMATS, format_by_suffix, unknown_suffix
from .remote import Remote, is_uri, lies_in, local_path, path_of, shown

if TYPE_CHECKING:
    import polars

    Frame = TypeVar("Frame", polars.DataFrame, polars.LazyFrame)


PathLike = str | os.PathLike[str]
UNFINISHED = ".paragauge-*.part"  # what a file is called until it is whole; a killed process leaves it so


def check_output(
    path: PathLike,
    formats: Mapping[str, str] = FORMATS,
    *,
    inputs: Iterable[PathLike] = (),
    overwrite: bool = False,
) -> str:
    """Refuse, before any work is done, a path that may not be written; gives the format of its suffix."""
    format = format_by_suffix(os.fspath(path), formats)
    if format is None:
        raise unknown_suffix(os.fspath(path), formats)
    check_path(path, inputs=inputs, overwrite=overwrite)
    return format


def check_path(path: PathLike, *, inputs: Iterable[PathLike] = (), overwrite: bool = False) -> None:
    """Refuse a file that cannot be written, one that is read, and one that exists unless it may be overwritten.

    A file is an input by whatever name or link it is reached (`-` is standard input), and so is all that lies in a
    folder that is one. Devices and pipes hold nothing that could be lost.
    """
    name = os.fspath(path)
    if is_uri(name):
        _check_remote(Remote(name), inputs, overwrite)
        return
    name = local_path(name)
    _check_name(name)
    target = Path(os.path.realpath(name))
    if target.is_dir():
        raise InputError(f"cannot write {name}: it is a folder")
    check_not_input(name, inputs)
    if _written_straight(name):
        if not os.access(name, os.W_OK):
            raise InputError(f"cannot write {name}: no permission")
    elif not target.parent.is_dir():
        raise InputError(f"cannot write {name}: there is no folder {target.parent}")
    elif not os.access(target.parent, os.W_OK | os.X_OK):
        raise InputError(f"cannot write {name}: no permission to write in {target.parent}")
    elif os.path.lexists(target) and not overwrite:
        raise ExistingFileError(name)


def _check_name(name: str) -> None:
    """There may be no such file, but there has to be such a name."""
    try:
        os.lstat(name)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"cannot write {shortened(name)}: {reason}") from error


def _check_remote(target: Remote, inputs: Iterable[PathLike], overwrite: bool) -> None:
    for given in [os.fspath(one) for one in inputs]:
        if is_uri(given) and lies_in(target.uri, given):
            where = "it is the input" if lies_in(given, target.uri) else f"it lies in the input {shown(given)}"
            raise InputError(f"cannot write {target.name}: {where}, which would be lost")
    target.check_target()
    if target.is_file and not overwrite:
        raise ExistingFileError(target.name)


def check_not_input(path: PathLike, inputs: Iterable[PathLike]) -> None:
    """Refuse an output that is an input or lies in one, through symbolic and hard links too."""
    name = local_path(os.fspath(path))
    places: list[PathLike] = [name, *Path(os.path.realpath(name)).parents]
    found = [status for place in places if (status := _status(place)) is not None]
    for given in inputs:
        status = _status(given)
        # a terminal may well be both standard input and standard output
        if status is None or not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            continue
        if any(os.path.samestat(status, one) for one in found):
            where = "it lies in the input" if stat.S_ISDIR(status.st_mode) else "it is the input"
            where += {"-": ", standard input", name: ""}.get(os.fspath(given), f" {os.fspath(given)}")
            raise InputError(f"cannot write {name}: {where}, which would be lost")


def check_folder(path: PathLike, inputs: Iterable[PathLike]) -> None:
    """Refuse an output folder that is an input, lies in one or holds one."""
    inputs = list(inputs)
    _check_name(local_path(os.fspath(path)))
    check_not_input(path, inputs)
    own = _status(path)
    if own is None:
        return
    for given in inputs:
        above = (_status(place) for place in Path(os.path.realpath(local_path(os.fspath(given)))).parents)
        if os.fspath(given) != "-" and any(one is not None and os.path.samestat(own, one) for one in above):
            raise InputError(f"cannot write in {os.fspath(path)}: the input {os.fspath(given)} is in it")


def _status(path: PathLike) -> os.stat_result | None:
    try:
        return os.fstat(0) if os.fspath(path) == "-" else os.stat(local_path(os.fspath(path)))
    except (OSError, ValueError):
        return None


def write_frame(
    frame: polars.DataFrame,
    path: PathLike,
    *,
    inputs: Iterable[PathLike] = (),
    overwrite: bool = False,
    spreadsheet: bool = False,
    ready: Callable[[str], None] | None = None,
) -> None:
    """A table as parquet, csv, tsv or jsonl; lists become JSON lists in csv and tsv.

    With `spreadsheet`, text in csv and tsv that a spreadsheet would run as a formula has an apostrophe before it.
    `ready` is as in `atomic_write`.
    """
    format = check_output(path, inputs=inputs, overwrite=overwrite)
    check_polars(f"writing {path}")
    buffer = io.BytesIO()
    match format:
        case "parquet":
            frame.write_parquet(buffer)
        case "jsonl":
            frame.write_ndjson(buffer)
        case _:
            flat = _flat(frame)
            (guard_frame(flat) if spreadsheet else flat).write_csv(buffer, separator="\t" if format == "tsv" else ",")
    data = buffer.getvalue()
    # mtime=0: the same table gives the same bytes
    zipped = path_of(os.fspath(path)).lower().endswith(".gz")
    atomic_write(path, gzip.compress(data, mtime=0) if zipped else data, ready)


def _flat(frame: polars.DataFrame) -> polars.DataFrame:
    import polars

    def written(column: polars.Series) -> polars.Series:
        texts = [None if cell is None else json.dumps(cell, ensure_ascii=False) for cell in column.to_list()]
        return polars.Series(column.name, texts, dtype=polars.String)

    return frame.with_columns(
        written(column) for column in frame if isinstance(column.dtype, (polars.List, polars.Array))
    )


@contextmanager
def kept_in(folder: PathLike | None) -> Iterator[None]:
    """Where a file cannot be written, say what is not lost with it; None: all of it."""
    try:
        yield
    except WriteError as error:
        if folder is None:
            raise
        raise WriteError(error.message, f"what was finished is kept in {folder}; rerun to resume") from error


def atomic_write(
    path: PathLike, data: bytes | Callable[[IO[bytes]], object], ready: Callable[[str], None] | None = None
) -> None:
    """Bytes, or what a function writes to the file it is given: all of it or, after an error, nothing.

    `ready` is called with the sha256 when all of it is written, before it appears under its name.
    """
    name = local_path(os.fspath(path))
    try:
        if is_uri(name):
            with tempfile.TemporaryFile(prefix="paragauge-") as whole:  # before a byte of it is sent
                _fill(whole, data)
                _tell(whole, ready)
                Remote(name).write(whole)
        elif _written_straight(name):
            # appending: /dev/stdout may be a file that holds earlier output
            with open(name, "ab") as stream:
                _fill(stream, data)
        else:
            write_whole(Path(os.path.realpath(name)), data, ready)
    except OSError as error:
        reason = error.strerror or str(error).strip().partition("\n")[0]
        raise WriteError(f"could not write {shown(name)}: {reason}") from error


def keep(path: Path, data: bytes | Callable[[IO[bytes]], object]) -> None:
    """A file of a folder of our own, written as `atomic_write` does; a link or a pipe of its name gives way to it."""
    if path.is_symlink() or (path.exists() and not path.is_file() and not path.is_dir()):
        path.unlink()
    atomic_write(path, data)


def make_folder(path: PathLike) -> None:
    """A folder, by path or URI, and those above it; it may be there."""
    name = local_path(os.fspath(path))
    if is_uri(name):
        Remote(name).make_folder()
        return
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParagaugeError(f"could not make the folder {shortened(name)}: {error.strerror or error}") from error


def below(folder: PathLike, name: str) -> str:
    """A file in a folder, by path or URI; the query of a URI stays at its end."""
    place = local_path(os.fspath(folder))
    if not is_uri(place):
        return str(Path(place, name))
    place, mark, query = place.partition("?")
    return f"{place.rstrip('/')}/{name}{mark}{query}"


def put_folder(made: Path, folder: Path, good: Callable[[Path], bool]) -> None:
    """Put a folder in its place, where another process may have been faster; the files of both have the same bytes."""
    try:
        os.rename(made, folder)
    except OSError:
        if good(folder):
            return
        if not folder.is_dir():
            raise
        for file in made.iterdir():  # one by one, so that at every moment each of them is whole
            os.replace(file, folder / file.name)


def write_whole(
    target: Path, data: bytes | Callable[[IO[bytes]], object], ready: Callable[[str], None] | None = None
) -> None:
    """The same for a regular file, with the OSError as it is; several processes may do it at once."""
    temporary = target.parent / UNFINISHED.replace("*", secrets.token_hex(8))
    try:
        with temporary.open("x+b") as stream:
            with suppress(FileNotFoundError):
                os.fchmod(stream.fileno(), stat.S_IMODE(target.stat().st_mode))
            _fill(stream, data)
            stream.flush()
            os.fsync(stream.fileno())
            _tell(stream, ready)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _fill(stream: IO[bytes], data: bytes | Callable[[IO[bytes]], object]) -> None:
    if callable(data):
        data(stream)
    else:
        stream.write(data)


def _tell(stream: IO[bytes], ready: Callable[[str], None] | None) -> None:
    """The sha256 of what is written, to whom it is asked for by; the stream is at its beginning then."""
    stream.seek(0)
    if ready is not None:
        ready(hashlib.file_digest(stream, "sha256").hexdigest())  # type: ignore[arg-type]
        stream.seek(0)


def _written_straight(name: str) -> bool:
    """Is it a device or a pipe, which cannot be replaced? /dev/stdout may lead to a regular file, and stays itself."""
    path = os.path.abspath(name)
    if path.startswith(("/dev/", "/proc/")) and not path.startswith("/dev/shm/"):
        return True
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def guard_frame(frame: Frame) -> Frame:
    """Every column of text, and the names of the columns, by `guard_cell`."""
    import polars

    def guarded(name: str) -> polars.Expr:
        text = polars.col(name)
        formula = text.str.contains(FORMULA) & ~text.str.contains(NUMBER + r"\z")
        return polars.when(formula).then("'" + text).otherwise(text).alias(name)

    schema = frame.collect_schema()
    texts = [name for name, kind in schema.items() if kind == polars.String]
    return frame.with_columns(map(guarded, texts)).rename(guard_cell)
