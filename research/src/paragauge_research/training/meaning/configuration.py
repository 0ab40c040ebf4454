"""What the blend of evidence depends on, and the report, read from one TOML file."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, get_type_hints

from paragauge.errors import InputError


@dataclass(frozen=True)
class DataSet:
    """One file of pairs: what its labels are, and the licence that allows it."""

    file: str  # below the data folder
    kind: str  # same, mqm, plain
    licence: str
    groups: tuple[str, ...] = ()  # of its rows; all if none is named


@dataclass(frozen=True)
class Blending:
    """Settings of the blend of all evidence, and of its calibration."""

    encoders: tuple[str, ...] = ()  # each has a blend of its own
    order: float = 1.0  # weight of the loss on perturbations, beside that of each data set
    labelled: tuple[str, ...] = ()  # sets, also such as are never trained on, whose calibration part is fitted to
    perturbed: tuple[str, ...] = ()  # sets of the configuration whose calibration part is perturbed
    calibrated: tuple[str, ...] = ()  # sets to whose calibration part only slope and offset are fitted
    rows: int = 300  # of each of these sets
    # shares of good written pairs in which the reader may find something lost, and broken language
    spare: dict[str, float] = field(default_factory=lambda: {"lost": 0.1, "broken": 0.04})


@dataclass(frozen=True)
class Configuration:
    """What blend and report depend on."""

    data_folder: Path
    sets: dict[str, DataSet]
    written: str = ""  # folder of written pairs, relative to the file
    examination: str = ""  # folder of the pairs that were written to judge by
    seed: int = 1
    longest: int = 40  # words of a text
    blend: Blending = field(default_factory=Blending)


def read_configuration(path: Path, **changes: Any) -> Configuration:
    """The configuration of a file; `changes` replace what stands there.

    A relative data folder counts from the file; `PARAGAUGE_DATA` names another.
    """
    try:
        content = tomllib.loads(path.read_text("utf-8")) | changes
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} cannot be read as a configuration: {error}") from None
    known = {entry.name for entry in fields(Configuration)}
    for name in content:
        if name not in known:
            raise InputError(f"{path}: no setting named '{name}'; known: {', '.join(sorted(known))}")
    types = get_type_hints(Configuration)
    for name in known & content.keys():
        if types[name] is int and not isinstance(content[name], int):
            raise InputError(f"{path}: {name} is {content[name]!r}; expected a whole number")
    sets = {name: _data_set(path, name, entry) for name, entry in content.pop("sets", {}).items()}
    blend = _blending(path, content.pop("blend", {}))
    folder = path.parent / Path(os.environ.get("PARAGAUGE_DATA") or content.pop("data_folder", "."))
    content.pop("data_folder", None)
    for name in ("written", "examination"):
        content[name] = str((path.parent / content[name]).resolve()) if name in content else ""
    return Configuration(data_folder=folder.resolve(), sets=sets, blend=blend, **content)


def _data_set(path: Path, name: str, entry: dict[str, Any]) -> DataSet:
    try:
        return DataSet(**{**entry, "groups": tuple(entry.get("groups", ()))})
    except TypeError as error:
        raise InputError(f"{path}: the set '{name}' is not described rightly: {error}") from None


def _blending(path: Path, entry: dict[str, Any]) -> Blending:
    known = {one.name for one in fields(Blending)}
    for name in entry:
        if name not in known:
            raise InputError(f"{path}: no setting named 'blend.{name}'; known: {', '.join(sorted(known))}")
    values: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in entry.items()}
    return Blending(**values)
