"""What the blend of evidence depends on, and the report, read from one TOML file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ..settings import read_settings, typed


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

    order: float = 1.0  # weight of the loss on perturbations, next to that of each data set
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
    sets: dict[str, DataSet] = field(default_factory=dict)
    written: str = ""  # folder of written pairs, relative to the file
    examination: str = ""  # folder of the pairs that were written to judge by
    seed: int = 1
    longest: int = 40  # words of a text
    blend: Blending = field(default_factory=Blending)


def read_configuration(path: Path) -> Configuration:
    """The configuration of a file, whose folders count from it; `PARAGAUGE_DATA` names another data folder."""
    content = read_settings(path)
    for name in ("written", "examination"):
        if name in content:
            content[name] = str((path.parent / content[name]).resolve())
    found: Configuration = typed(Configuration, content, str(path))
    return found
