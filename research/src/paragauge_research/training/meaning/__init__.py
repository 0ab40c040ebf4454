"""Training of the weights behind `meaning`; needs the extra `torch`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from paragauge.process.extras import require

CONFIGURATION = Path(__file__).parent / "meaning.toml"


def train_metric(
    configuration: Path | None,
    output: Path,
    *,
    resume: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> Path:
    """Train, blend, calibrate and export as a configuration file says; gives the folder of the exported weights.

    Checkpoints, the teacher's scores and `log.jsonl` lie in the output folder; a run that was stopped is resumed from
    its last checkpoint and ends with the same weights.
    """
    for module in ("torch", "transformers"):
        require(module, "torch", "training needs torch and transformers")
    from .run import run

    return run(configuration or CONFIGURATION, output, resume=resume, progress=progress)


def blend_metric(
    weights: Path, configuration: Path | None = None, progress: Callable[[str], None] = lambda _: None
) -> Path:
    """Fit blend and calibration of trained weights again, as a configuration file says; needs no torch."""
    from .configuration import read_configuration
    from .run import blend_weights

    return blend_weights(read_configuration(configuration or CONFIGURATION), weights, progress)


def report_metric(
    part: str, configuration: Path | None = None, weights: Path | None = None, encoder: str = "all-MiniLM-L6-v2"
) -> Iterator[str]:
    """How well weights do on the development or the test part of every data set, line by line."""
    from paragauge.models.pairs.learned import FOLDER, load_meaning

    from .configuration import read_configuration
    from .report import lines

    return lines(read_configuration(configuration or CONFIGURATION), load_meaning(weights or FOLDER), part, encoder)
