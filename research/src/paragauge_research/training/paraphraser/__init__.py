"""Training of a sequence-to-sequence paraphraser; needs the extra `torch`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from paragauge.errors import InputError
from paragauge.process.extras import require

CONFIGURATIONS = Path(__file__).parent / "configurations"


def train_paraphraser(
    configuration: str | Path,
    output: Path,
    *,
    start: str | Path | None = None,
    resume: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[Path, Path]:
    """Train as a TOML file says, or one of `known_configurations`; gives the model folders, in float32 and in int8.

    `start` is the output folder of a finished training: its vocabulary and weights are begun with, and settings that
    the file does not have are as there.

    The prepared data, checkpoints and `log.jsonl` lie in the output folder; a run that was stopped is resumed from its
    last checkpoint, and ends with the same weights and the same curve.
    """
    file = CONFIGURATIONS / f"{configuration}.toml"
    if not file.is_file() and not (file := Path(configuration)).is_file():
        raise InputError(
            f"there is no configuration file {configuration}; known by name: {', '.join(known_configurations())}"
        )
    for module in ("torch", "transformers"):
        require(module, "torch", "training needs torch and transformers")
    from .configuration import read_configuration
    from .export import export
    from .loop import best_looks, run_training
    from .prepared import prepare

    settings = read_configuration(file, None if start is None else Path(start))
    output.mkdir(parents=True, exist_ok=True)
    prepared = prepare(settings, output / "data", progress)
    looks = run_training(settings, prepared, output, resume=resume, progress=progress)
    best = best_looks(looks, settings.training.average)
    progress(f"exporting step {', '.join(f'{look.step:,} (dev {look.loss:.4f})' for look in best)}")
    return export(settings, prepared, best, output)


def known_configurations() -> list[str]:
    """Names of the configurations that come along."""
    return sorted(file.stem for file in CONFIGURATIONS.glob("*.toml"))
