"""Settings of a training: one TOML file read into dataclasses, where it keeps its data, and a digest to resume by."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import tomllib
import types
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from paragauge.errors import InputError, nearest

_NAMES = {int: "a whole number", float: "a number", bool: "true or false", str: "text", list: "a list", dict: "a table"}


def read_settings(path: Path) -> dict[str, Any]:
    """What a file says, over what the file says that it is `like`.

    A relative `data_folder` counts from the file; `PARAGAUGE_DATA` names another.
    """
    content = _content(path)
    folder = path.parent / Path(os.environ.get("PARAGAUGE_DATA") or content.get("data_folder", "."))
    return content | {"data_folder": folder.resolve()}


def _content(path: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} cannot be read as a configuration: {error}") from None
    return _content(path.parent / content.pop("like")) | content if "like" in content else content


def digest_of(settings: object) -> str:
    """Of settings that change the weights, so that a training is resumed only with those it began with."""
    return hashlib.sha256(repr(settings).encode()).hexdigest()


def typed(kind: Any, content: dict[str, Any], where: str) -> Any:
    """An instance of a dataclass of what stands in a table of the file."""
    hints = get_type_hints(kind)
    for name in content:
        if name not in hints:
            raise InputError(f"{where}: no setting named '{name}'{nearest(name, list(hints))}")
    for entry in dataclasses.fields(kind):
        if entry.name not in content and entry.default is entry.default_factory is dataclasses.MISSING:
            raise InputError(f"{where} lacks the setting '{entry.name}'")
    return kind(**{name: _value(hints[name], value, f"{where}: {name}") for name, value in content.items()})


def _value(hint: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(hint):
        return typed(hint, checked(dict, value, where), where)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is dict:
        return {key: _value(arguments[1], one, f"{where}.{key}") for key, one in checked(dict, value, where).items()}
    if origin is tuple:
        return tuple(_value(arguments[0], one, where) for one in checked(list, value, where))
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if hint is str and isinstance(value, int):  # a column by its number
        return str(value)
    return checked(hint, value, where)


def checked(kind: type | types.UnionType, value: Any, where: str) -> Any:
    """A value of this type; another is refused."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise InputError(f"{where} is {value!r}; expected {_NAMES.get(kind, kind) if isinstance(kind, type) else kind}")
    return value
