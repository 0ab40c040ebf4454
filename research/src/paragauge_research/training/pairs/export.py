"""A trained pair model as package data: its updates as int8 rows with a scale each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.models.hub.verify import file_sha256


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
    import torch
    from safetensors.numpy import save_file

    state = torch.load(checkpoint, weights_only=True)["network"]
    file.parent.mkdir(parents=True, exist_ok=True)
    save_file(exported_tensors({name: value.float().numpy() for name, value in state.items()}), file)
    return file_sha256(file, recheck=True)
