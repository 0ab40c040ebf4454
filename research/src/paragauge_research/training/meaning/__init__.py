"""The weights behind `meaning`: blended with other evidence, and reported on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from paragauge.errors import InputError
from paragauge.process.extras import require

CONFIGURATION = Path(__file__).parent / "meaning.toml"
READERS = Path(__file__).parents[1] / "pairs"  # its configurations, one for each encoder


def train_metric(
    configuration: str, output: Path, *, resume: bool = True, progress: Callable[[str], None] = lambda _: None
) -> Path:
    """Train a reader as a configuration says, a TOML file or one that comes along; gives the folder of its weights.

    Checkpoints and `log.jsonl` lie in the output folder; a run that was stopped is resumed from its last checkpoint and
    ends with the same weights. `blend_metric` then makes them weights of `meaning`.
    """
    path = _configuration_file(configuration)
    for module in ("torch", "transformers"):
        require(module, "torch", "training needs torch and transformers")
    from ..pairs.loop import run

    return run(path, output, resume=resume, progress=progress)


def label_pairs(
    configuration: str,
    weights: Path,
    encoder: str,
    output: Path,
    count: int,
    progress: Callable[[str], None] = lambda _: None,
) -> Path:
    """Write what trained weights say of so many pairs, in probabilities, for a smaller model; needs no torch."""
    from paragauge.models.pairs.reader import load_reader

    from ..pairs.configuration import read_configuration
    from ..pairs.soft import write_soft_labels
    from ..wordnet import open_wordnet

    path = _configuration_file(configuration)
    file = output / "soft.jsonl"
    reader = load_reader(encoder, folder=weights)
    write_soft_labels(read_configuration(path), path.parent, open_wordnet(), reader, file, count, progress)
    return file


def _configuration_file(configuration: str) -> Path:
    path = READERS / f"{configuration}.toml" if (READERS / f"{configuration}.toml").is_file() else Path(configuration)
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in READERS.glob("*.toml") if file.stem != "words"))
        raise InputError(f"no configuration '{configuration}'; expected a TOML file or one of: {known}")
    return path


def blend_metric(
    weights: Path, configuration: Path | None = None, progress: Callable[[str], None] = lambda _: None
) -> Path:
    """Fit blend, calibration and limits of trained weights, as a configuration file says; needs no torch."""
    from .configuration import read_configuration
    from .run import blend_weights

    return blend_weights(read_configuration(configuration or CONFIGURATION), weights, progress)


def report_metric(
    part: str, configuration: Path | None = None, weights: Path | None = None, encoder: str = "all-MiniLM-L6-v2"
) -> Iterator[str]:
    """How well weights do on the development or the test part of every data set, line by line.

    `exam-dev` and `exam-test` are the halves of the examination, `exam-second` is a later one, read by the weights that
    ship.
    """
    from paragauge.models.pairs.reader import FOLDER, load_reader

    from .configuration import read_configuration
    from .examination import lines as examined
    from .report import lines

    if part.startswith("exam-"):
        folder = Path(read_configuration(configuration or CONFIGURATION).examination)
        return examined(folder, part.removeprefix("exam-"), encoder)
    reader = load_reader(encoder, folder=weights or FOLDER)
    return lines(read_configuration(configuration or CONFIGURATION), reader, part, encoder)
