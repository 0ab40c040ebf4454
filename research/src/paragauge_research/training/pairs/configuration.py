"""All that a training of the pair model depends on, read from one TOML file."""

from __future__ import annotations

import hashlib
import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paragauge.errors import InputError

from .rows import SetOf


@dataclass(frozen=True)
class Configuration:
    """Equal settings, data and machine give equal weights."""

    data_folder: Path
    sets: dict[str, SetOf]
    written: tuple[str, ...] = ()  # folders of written pairs, relative to the file
    paraphrases: tuple[str, ...] = ()  # … of sentences with paraphrases written for them
    soft: tuple[str, ...] = ()  # files of pairs with a teacher's labels, relative to the output folder
    encoder: str = "all-MiniLM-L6-v2"
    start: str = ""  # a checkpoint, or exported weights, to begin with, relative to the output folder
    seed: int = 1
    longest: int = 60  # words of a text
    tokens: int = 192  # the longest input of both texts
    rank: int = 0  # of the updates; 0: all weights of the upper layers are trained
    frozen_layers: int = 0
    batch: int = 32  # pairs of a step
    chunk: int = 8  # … that go through the network together
    steps: int = 1000
    rate: float = 2e-4
    head_rate: float = 1e-3
    warm_up: float = 0.05
    decay: float = 0.01
    threads: int = 1
    checkpoint: int = 100
    near: float = 0.35  # how often an error is put into the source instead of the paraphrase
    harm: float = 0.75  # how often a made-up change is an error
    lower: float = 0.08  # how often both texts are read in lower case
    shares: dict[str, float] = field(default_factory=dict)  # of what is drawn: made, joined, written, …
    mark_weight: float = 0.5
    kept_weight: float = 0.3  # of a word that is not at fault, in the loss of marks


def read_configuration(path: Path, **changes: Any) -> Configuration:
    """The configuration of a file; `PARAGAUGE_DATA` names another data folder."""
    try:
        content = _content(path) | changes
        sets = {
            name: SetOf(**{**one, "groups": tuple(one.get("groups", ()))}) for name, one in content.pop("sets").items()
        }
        folder = path.parent / Path(os.environ.get("PARAGAUGE_DATA") or content.pop("data_folder", "."))
        content.pop("data_folder", None)
        content |= {name: tuple(content[name]) for name in ("written", "paraphrases", "soft") if name in content}
        return Configuration(data_folder=folder.resolve(), sets=sets, **content)
    except (OSError, tomllib.TOMLDecodeError, TypeError, KeyError) as error:
        raise InputError(f"{path} cannot be read as a configuration: {error}") from None


def _content(path: Path) -> dict[str, Any]:
    """What a file says, and what the file says that it is like, where it says nothing itself."""
    content = tomllib.loads(path.read_text("utf-8"))
    return _content(path.parent / content.pop("like")) | content if "like" in content else content


def digest(configuration: Configuration) -> str:
    """Of all settings, so that a training is resumed only with those it began with."""
    shown = {**vars(configuration), "data_folder": None, "checkpoint": None, "threads": None}
    return hashlib.sha256(repr(shown).encode()).hexdigest()
