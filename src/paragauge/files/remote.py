"""Files by URI (s3://, gs://, hdfs:// …), through pyarrow's filesystems; file:// is a local path."""

from __future__ import annotations

import io
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import IO, Any
from urllib.parse import quote, unquote, urlsplit

from ..errors import InputError
from ..process.extras import require

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")  # two letters at least: C:// is a drive
_SECRET = re.compile(r"(?<=://)[^/@]*:[^/@]*@")
_BUCKETS = ("s3", "gcs", "abfs")  # what these hold lies in buckets, and folders are parts of its name
_BUFFER = 1 << 20


def is_uri(name: str) -> bool:
    """Does a filesystem other than the local one hold it?"""
    return _URI.match(name) is not None and not name.lower().startswith("file://")


def local_path(name: str) -> str:
    """The path that a file:// URI stands for; anything else as it is."""
    if not name.lower().startswith("file://"):
        return name
    from urllib.request import url2pathname  # brings ssl and http along

    host, path = name[len("file://") :].partition("/")[::2]
    if host not in ("", "localhost") or not path:
        raise InputError(f"{name}: no absolute path; expected a URI such as file:///folder/pairs.csv")
    return url2pathname(f"/{path}")


def shown(name: str) -> str:
    """A URI as it may be printed: without the key and the secret that it may hold, and without its query."""
    return _SECRET.sub("…@", name.partition("?")[0]) if is_uri(name) else name


def lies_in(uri: str, folder: str) -> bool:
    """Is it this place, or one below it, however the filesystem is reached?"""
    below, above = (_SECRET.sub("", one.partition("?")[0]) for one in (uri, folder))
    return f"{unquote(below)}/".startswith(f"{unquote(above).rstrip('/')}/")


def path_of(name: str) -> str:
    """The path in a URI, whose query says how to reach the filesystem; anything else as it is."""
    return unquote(urlsplit(name).path) if is_uri(name) else name


class Remote:
    """One place in a filesystem of pyarrow, by its URI. Errors are InputErrors, in one sentence."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.name = shown(uri)
        with self.friendly_errors():
            self._files, self.path = _filesystem(uri)

    @contextmanager
    def friendly_errors(self) -> Iterator[None]:
        """A failure of the filesystem as a sentence that names the URI."""
        arrow = _arrow(self.name)
        try:
            yield
        except FileNotFoundError as error:
            raise InputError(f"{self.name}: no such file") from error
        except (OSError, arrow.ArrowException) as error:
            reason = str(error).strip().partition("\n")[0]
            raise InputError(f"could not reach {self.name}: {_SECRET.sub('…@', reason)}") from error

    @cached_property
    def _info(self) -> Any:
        with self.friendly_errors():
            return self._files.get_file_info(self.path)

    @property
    def is_file(self) -> bool:
        return bool(self._info.is_file)

    @property
    def is_folder(self) -> bool:
        return bool(self._info.type.name == "Directory")

    @property
    def size(self) -> int:
        if not self.is_file:
            raise InputError(f"{self.name}{' is a folder; expected a file' if self.is_folder else ': no such file'}")
        return int(self._info.size)

    @property
    def changed(self) -> int:
        """When it was last written, in nanoseconds; 0 where the filesystem does not tell."""
        return int(self._info.mtime_ns or 0)

    @contextmanager
    def native(self) -> Iterator[Any]:
        """As pyarrow reads it; what fails later is its error."""
        with self.friendly_errors():
            stream = self._files.open_input_file(self.path)
        with stream:
            yield stream

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        with self.native() as raw, io.BufferedReader(raw, _BUFFER) as stream:
            yield stream

    def within(self, recursive: bool = False) -> list[str]:
        """URIs of the files and, unless `recursive`, of the folders (with / at their end) that lie here."""
        from pyarrow.fs import FileSelector

        with self.friendly_errors():
            found = self._files.get_file_info(FileSelector(self.path, recursive=recursive))
        names = {one.path.removeprefix(self.path).lstrip("/"): one.is_file for one in found}
        here, mark, query = self.uri.partition("?")
        return [
            f"{here.removesuffix('/')}/{quote(name)}{'' if is_file else '/'}{mark}{query}"
            for name, is_file in names.items()
            if is_file or not recursive
        ]

    def check_target(self) -> None:
        """Refuse a place where nothing can be written; whether it is permitted shows when it is done."""
        if self.is_folder:
            raise InputError(f"cannot write {self.name}: it is a folder")
        above = self.path.partition("/")[0] if self._files.type_name in _BUCKETS else self.path.rpartition("/")[0]
        with self.friendly_errors():
            known = not above or self._files.get_file_info(above).type.name == "Directory"
        if not known:
            raise InputError(f"cannot write {self.name}: there is no folder {above}")

    def check_folder(self, inputs: list[str]) -> bool:
        """Refuse a folder that is a file or holds an input; says whether something is in it."""
        if self.is_file:
            raise InputError(f"cannot write in {self.name}: it is a file")
        for given in inputs:
            if is_uri(given) and lies_in(given, self.uri):
                raise InputError(f"cannot write in {self.name}: the input {shown(given)} is in it")
        return self.is_folder and bool(self.within())

    def make_folder(self) -> None:
        """Where folders are part of a name, as in a bucket, there is nothing to make."""
        if self._files.type_name not in _BUCKETS:
            with self.friendly_errors():
                self._files.create_dir(self.path, recursive=True)

    def write(self, stream: IO[bytes]) -> None:
        """Under a temporary name first, so that the file is there whole or not at all; an OSError where it fails."""
        arrow = _arrow(self.name)
        folder, slash, _ = self.path.rpartition("/")
        temporary = f"{folder}{slash}.paragauge-{secrets.token_hex(8)}.part"
        try:
            self._copy(stream, temporary)
            try:
                self._files.move(temporary, self.path)
            except (OSError, NotImplementedError, arrow.ArrowException):
                # S3 moves no more than 5 GB, HDFS replaces nothing
                stream.seek(0)
                self._copy(stream, self.path)
                self._files.delete_file(temporary)
        except BaseException as error:
            with suppress(OSError, arrow.ArrowException):
                self._files.delete_file(temporary)
            if isinstance(error, arrow.ArrowException):
                raise OSError(str(error)) from error
            raise

    def _copy(self, stream: IO[bytes], path: str) -> None:
        """A stream that is closed half-way leaves what it has, which is removed."""
        try:
            with self._files.open_output_stream(path) as target:
                shutil.copyfileobj(stream, target, _BUFFER)
        except BaseException:
            with suppress(OSError):
                self._files.delete_file(path)
            raise


_reached: dict[tuple[int, str, str, str], Any] = {}


def _filesystem(uri: str) -> tuple[Any, str]:
    """One connection for all files of a bucket or host, and another in a forked process."""
    from pyarrow.fs import FileSystem

    scheme, host, _, query, _ = urlsplit(uri)
    try:
        files, path = FileSystem.from_uri(uri)
    except ValueError as error:
        reason = _SECRET.sub("…@", str(error).strip().partition("\n")[0])
        raise InputError(f"{shown(uri)} is not a URI that pyarrow reads, such as file, s3, gs: {reason}") from error
    return _reached.setdefault((os.getpid(), scheme, host, query), files), path


def _arrow(name: str) -> Any:
    return require("pyarrow", "remote", f"{name}: URIs need pyarrow").lib
