"""Which files a path, a glob pattern, a folder or a list of them stands for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from glob import glob
from urllib.parse import quote, unquote, urlsplit

from ..errors import InputError
from .remote import Remote, is_uri, local_path, path_of, shown
from .write import PathLike

_MAGIC = re.compile(r"[*?[]")


def table_files(given: PathLike | Sequence[PathLike]) -> list[str]:
    """Files in the order in which they are read: those of a pattern or folder by name, those of a list as given."""
    if isinstance(given, (str, os.PathLike)):
        return _files_of(os.fspath(given))
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise InputError(f"{type(given).__name__} {given!r:.40} names no table; expected a path or a list of paths")
    files = [file for one in given for file in table_files(one)]
    if not files:
        raise InputError("the list of tables is empty; expected at least one path")
    seen: dict[str, str] = {}
    for file in files:
        place = file if is_uri(file) or file == "-" else os.path.realpath(local_path(file))
        if place in seen:
            also = "" if seen[place] == file else f", also as {shown(seen[place])}"
            raise InputError(f"the file {shown(file)} is given twice{also}")
        seen[place] = file
    return files


def _files_of(name: str) -> list[str]:
    if name == "-":
        return [name]
    if is_uri(name):
        if _MAGIC.search(path_of(name)):
            return _some(_matching(name), name)
        place = Remote(name)
        return _tables(place.within(), name) if place.is_folder else [name]
    path = local_path(name)
    if os.path.isdir(path):
        listed = [f"{entry.path}/" if entry.is_dir() else entry.path for entry in os.scandir(path)]
        return _tables(listed, name)
    if _MAGIC.search(path) and not os.path.lexists(path):
        return _some([file for file in glob(path, recursive=True) if not os.path.isdir(file)], name)
    return [name]


def _some(found: list[str], pattern: str) -> list[str]:
    if not found:
        raise InputError(f"no file matches {shown(pattern)}")
    return sorted(found)


def _tables(listed: list[str], folder: str) -> list[str]:
    """Without what other programs leave next to tables (_SUCCESS, .crc); a folder inside is refused."""
    folder = shown(folder).rstrip("/")
    seen = sorted(one for one in listed if not os.path.basename(path_of(one).rstrip("/")).startswith((".", "_")))
    for one in seen:
        if one.endswith("/"):
            raise InputError(
                f"the folder {folder} holds the folder {os.path.basename(path_of(one).rstrip('/'))}; expected tables "
                f"alone, or a pattern such as '{folder}/*/*.parquet'"
            )
    if not seen:
        raise InputError(f"the folder {folder} holds no table")
    return seen


def _matching(pattern: str) -> list[str]:
    """URIs of the files that match: * and […] within a name, ** for any folders; a ? begins the URI's query."""
    scheme, host, path, query, _ = urlsplit(pattern)
    names = unquote(path).split("/")
    fixed = next((place for place, name in enumerate(names) if _MAGIC.search(name)), len(names))
    wanted = names[fixed:]
    base = f"{scheme}://{host}{quote('/'.join(names[:fixed])) or '/'}{'?' * bool(query)}{query}"
    found = Remote(base).within(recursive=len(wanted) > 1 or wanted == ["**"])
    depth = len(path_of(base).rstrip("/").split("/"))
    return [uri for uri in found if uri[-1] != "/" and _matches(path_of(uri).split("/")[depth:], wanted)]


def _matches(names: list[str], wanted: list[str]) -> bool:
    if not wanted:
        return not names
    if wanted[0] == "**" and (wanted[1:] or not names):
        return any(_matches(names[place:], wanted[1:]) for place in range(len(names) + 1))
    if not names or (names[0].startswith(".") and not wanted[0].startswith(".")):
        return False
    if wanted[0] == "**":
        return _matches(names[1:], wanted) or len(names) == 1
    return fnmatchcase(names[0], wanted[0]) and _matches(names[1:], wanted[1:])
