"""All that a training run depends on, read from one TOML file."""

from __future__ import annotations

import hashlib
import os
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, get_type_hints

from paragauge.errors import InputError


@dataclass(frozen=True)
class DataSet:
    """One file of pairs: what its labels are, how many rows are taken, and the licence that allows it."""

    file: str  # below the data folder
    kind: str  # same, mqm, nli, plain
    rows: int
    licence: str
    groups: tuple[str, ...] = ()  # of its rows; all if none is named
    taught: bool = False  # whether the teacher reads it
    paraphrases: bool = False  # whether its pairs (those labelled 1) mean the same, so that perturbations are worse


PRECISIONS = ("float32", "bfloat16")


@dataclass(frozen=True)
class Blending:
    """Settings of the blend of all evidence, and of its calibration."""

    encoders: tuple[str, ...] = ()  # each has a blend of its own
    order: float = 1.0  # weight of the loss on perturbations, beside that of each data set
    labelled: tuple[str, ...] = ()  # sets, also such as are never trained on, whose calibration part is fitted to
    perturbed: tuple[str, ...] = ()  # sets of the configuration whose calibration part is perturbed
    calibrated: tuple[str, ...] = ()  # sets to whose calibration part only slope and offset are fitted
    rows: int = 300  # of each of these sets


@dataclass(frozen=True)
class Configuration:
    """Settings of a training run; equal settings and data give equal weights on one machine."""

    data_folder: Path
    sets: dict[str, DataSet]
    seed: int = 1
    longest: int = 40  # words of a text
    words: int = 46  # of both texts of a pair
    tokens: int = 256  # the longest input of both texts
    encoder: str = "all-MiniLM-L6-v2"
    teacher: str = "all-mpnet-base-v2"
    taught: int = 16_000  # pairs whose similarities are learned from the teacher
    labelled: int = 5_000  # pairs with a label of the same or not
    mined: int = 0  # pairs of paraphrases with a text near the first that means something else
    tripled: int = 3_000  # pairs with a worse third text
    relations: bool = False  # whether NLI rows are read
    start: str = ""  # folder of an earlier run, relative to the output folder, whose last weights are begun with
    frozen_layers: int = 2  # of the encoder, counted from below
    taught_batch: int = 16  # pairs of a step from the teacher's pairs
    labelled_batch: int = 8  # … with a label
    mined_batch: int = 0  # … of paraphrases and of near texts that mean something else
    triple_batch: int = 8  # … with a worse third text
    steps: int = 1_500
    rate: float = 1e-4
    head_rate: float = 1e-3
    warm_up: float = 0.06  # of all steps
    stop: int = 0  # after this many steps, where the rate is planned for more
    average: int = 1  # of so many last checkpoints the mean is exported
    decay: float = 0.01
    precision: str = (
        "float32"  # bfloat16: the layers of the encoder compute in it, several times as fast where they can
    )
    threads: int = 2
    checkpoint: int = 100  # steps between two checkpoints
    weights: dict[str, float] = field(default_factory=dict)  # of each loss
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
    if content.get("precision", "float32") not in PRECISIONS:
        raise InputError(f"{path}: precision is {content['precision']!r}; expected {' or '.join(PRECISIONS)}")
    folder = path.parent / Path(os.environ.get("PARAGAUGE_DATA") or content.pop("data_folder", "."))
    content.pop("data_folder", None)
    return Configuration(data_folder=folder.resolve(), sets=sets, blend=blend, **content)


def last_step(configuration: Configuration) -> int:
    """How many steps are made."""
    return configuration.stop or configuration.steps


def digest(configuration: Configuration) -> str:
    """Of all settings that change the weights, so that a run is resumed only with those it began with."""
    others = ("data_folder", "checkpoint", "blend", "average", "stop")
    shown = {entry.name: getattr(configuration, entry.name) for entry in fields(Configuration)}
    return hashlib.sha256(repr({**shown, **dict.fromkeys(others)}).encode()).hexdigest()


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
