"""The trained network as package data: int8 rows with a scale each, and a small JSON beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.models.hub.checksum import file_sha256
from paragauge.models.pairs.learned import SETTINGS, WEIGHTS

_LAYERS = "encoder.encoder.layer."
_HEAD = ("dense.", "output.")  # `relation` and the scales of the data sets serve training alone

State = Mapping[str, NDArray[np.float32]]


def quantised(values: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Each row as whole numbers from -127 to 127 and what they are multiplied with."""
    scales = np.maximum(np.abs(values).max(axis=1), np.float32(1e-12)) / np.float32(127)
    return np.rint(values / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def shipped_tensors(state: State, frozen_layers: int) -> dict[str, NDArray[Any]]:
    """What has to come along of a network's state: the layers that were trained, and the head."""
    tensors: dict[str, NDArray[Any]] = {}
    for name, values in state.items():
        layer = name.startswith(_LAYERS) and int(name.removeprefix(_LAYERS).split(".")[0])
        if layer is not False and layer >= frozen_layers:
            short = name.removeprefix("encoder.")
            if values.ndim == 2:
                tensors[f"{short}:rows"], tensors[f"{short}:scales"] = quantised(values)
            else:
                tensors[short] = values
        elif name.startswith(_HEAD):
            tensors[name] = values
    return tensors


def export(state: State, frozen_layers: int, folder: Path, **settings: Any) -> None:
    """Write weights and settings to a folder."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    save_file(shipped_tensors(state, frozen_layers), folder / WEIGHTS)
    write_settings(folder, {"sha256": file_sha256(folder / WEIGHTS, afresh=True), **settings})


def write_settings(folder: Path, settings: Mapping[str, Any]) -> None:
    """What is known of the weights in a folder, beside them."""
    temporary = folder / f"part-{SETTINGS}"  # so that a stopped command leaves those that were there
    temporary.write_text(json.dumps(settings, indent=1) + "\n", "utf-8")
    temporary.replace(folder / SETTINGS)


def network_state(checkpoints: Sequence[Path]) -> dict[str, NDArray[np.float32]]:
    """The mean of the network's weights over some checkpoints."""
    import torch

    states = [torch.load(checkpoint, weights_only=True)["network"] for checkpoint in checkpoints]
    return {
        name: np.asarray(np.mean([state[name].double().numpy() for state in states], axis=0), np.float32)
        for name in states[0]
    }
