"""One configuration file to the weights of a reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from paragauge.models.hub.locate import open_model
from paragauge.models.pairs.reader import SETTINGS, read_settings

from ..meaning.run import write_settings
from ..wordnet import open_wordnet
from .configuration import read_configuration
from .export import export
from .loop import run_training

VERSION = 4  # of the exported format


def run(
    path: Path, output: Path, *, resume: bool, progress: Callable[[str], None], wordnet: Path | None = None
) -> Path:
    """Train, then export beside the readers that are there already."""
    configuration = read_configuration(path)
    base = open_model(configuration.encoder)
    if not resume:
        for old in output.glob("checkpoint-*.pt"):
            old.unlink()
    run_training(configuration, path.parent, output, base.folder, wordnet or open_wordnet(), progress)
    folder = output / "weights"
    sha256 = export(sorted(output.glob("checkpoint-*.pt"))[-1], folder / f"{base.name}.safetensors")
    readers = dict(read_settings(folder)["readers"]) if (folder / SETTINGS).exists() else {}
    readers[base.name] = {
        "base": configuration.encoder,
        "base_sha256": base.sha256,
        "sha256": sha256,
        "limit": configuration.tokens,
    }
    write_settings(folder, {"version": VERSION, "readers": readers})
    return folder
