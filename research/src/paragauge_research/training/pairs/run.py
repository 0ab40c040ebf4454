"""One configuration file to the weights of a reader: package data, with updates as int8 rows and a scale for each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file

from paragauge.models.hub.locate import open_model
from paragauge.models.hub.verify import file_sha256
from paragauge.models.pairs.reader import SETTINGS, read_settings

from ..meaning.run import write_settings
from ..wordnet import open_wordnet
from .configuration import read_configuration
from .loop import run_training

VERSION = 4  # of the exported format


def run(
    path: Path, output: Path, *, resume: bool, progress: Callable[[str], None], wordnet: Path | None = None
) -> Path:
    """Train, then export next to the readers that are there already."""
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


def exported_tensors(state: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[Any]]:
    """What was trained, under the names of the encoder's own weights."""
    tensors: dict[str, NDArray[Any]] = {}
    for name, values in state.items():
        short = name.removeprefix("encoder.")
        if values.ndim == 2 and min(values.shape) > len(values.shape):
            tensors[f"{short}:rows"], tensors[f"{short}:scales"] = quantised(values)
        else:
            tensors[short] = values
    return tensors


def quantised(values: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Each row as whole numbers from -127 to 127 and what they are multiplied with."""
    scales = np.maximum(np.abs(values).max(axis=1), np.float32(1e-12)) / np.float32(127)
    return np.rint(values / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def export(checkpoint: Path, file: Path) -> str:
    """Write the weights of a checkpoint; their sha256."""
    state = torch.load(checkpoint, weights_only=True)["network"]
    file.parent.mkdir(parents=True, exist_ok=True)
    save_file(exported_tensors({name: value.float().numpy() for name, value in state.items()}), file)
    return file_sha256(file, recheck=True)
