"""One configuration file to model folders: data, training, export."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from .configuration import read_configuration
from .export import export
from .loop import best_looks, run_training
from .prepared import prepare


def run(
    config: Path, output: Path, *, start: Path | None, resume: bool, progress: Callable[[str], None]
) -> tuple[Path, Path]:
    """See `train_paraphraser`."""
    configuration = read_configuration(config, start)
    output.mkdir(parents=True, exist_ok=True)
    prepared = prepare(configuration, output / "data", progress)
    looks = run_training(configuration, prepared, output, resume=resume, progress=progress)
    best = best_looks(looks, configuration.training.average)
    progress(f"exporting step {', '.join(f'{look.step:,} (dev {look.loss:.4f})' for look in best)}")
    return export(configuration, prepared, best, output)
