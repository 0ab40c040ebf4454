"""All that a training of the pair model depends on, read from one TOML file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ..settings import digest_of, read_settings, typed
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


def read_configuration(path: Path) -> Configuration:
    """The configuration of a file; `PARAGAUGE_DATA` names another data folder."""
    found: Configuration = typed(Configuration, read_settings(path), str(path))
    return found


def digest(configuration: Configuration) -> str:
    """Of all settings that change the weights."""
    return digest_of({**vars(configuration), "data_folder": None, "checkpoint": None, "threads": None})
