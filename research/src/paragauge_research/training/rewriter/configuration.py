"""All that a training of the paraphraser depends on, read from one TOML file."""

from __future__ import annotations

import hashlib
import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paragauge.errors import InputError


@dataclass(frozen=True)
class Configuration:
    """Equal settings, data and machine give equal weights."""

    data_folder: Path
    written: Path  # the folder of what was written for the purpose
    shares: dict[str, float] = field(default_factory=dict)  # of what is drawn, by source
    model: str = "smollm2-135m-instruct"
    seed: int = 1
    rank: int = 16
    batch: int = 32  # pairs of a step
    chunk: int = 8  # … that go through the network together
    steps: int = 900
    rate: float = 8e-4
    warm_up: float = 0.05
    decay: float = 0.01
    longest: int = 40  # words of a text
    threads: int = 1
    checkpoint: int = 50


def read_configuration(path: Path, **changes: Any) -> Configuration:
    """The configuration of a file; `PARAGAUGE_DATA` names another data folder."""
    try:
        content = tomllib.loads(path.read_text("utf-8")) | changes
        folder = path.parent / Path(os.environ.get("PARAGAUGE_DATA") or content.pop("data_folder"))
        content.pop("data_folder", None)
        written = (path.parent / content.pop("written")).resolve()
        return Configuration(data_folder=folder.resolve(), written=written, **content)
    except (OSError, tomllib.TOMLDecodeError, TypeError, KeyError) as error:
        raise InputError(f"{path} cannot be read as a configuration: {error}") from None


def digest(configuration: Configuration) -> str:
    """Of all settings, so that a training is resumed only with those it began with."""
    shown = {**vars(configuration), "data_folder": None, "written": None, "checkpoint": None, "threads": None}
    return hashlib.sha256(repr(shown).encode()).hexdigest()
