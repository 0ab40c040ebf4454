"""A trained model that training begins from: the settings it was trained with, its vocabulary, its weights."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError
from paragauge.models.convert.weights import open_tensors
from paragauge.models.generate.generator import KIND
from paragauge.models.hub.locate import CONVERTED, model_folder
from paragauge.models.hub.registry import ALIASES, ENTRIES

from .converted import bart_tensors, read_variables

TOKENIZER = "tokenizer.json"  # among the prepared data, and in a model folder
TRAINED = "training.json"  # in a model folder: what it was trained with
WEIGHTS = "model.safetensors"  # in the model folder for transformers
EMBEDDINGS = "model.shared.weight"  # read and written with: a row for each piece
_SMALL = f"{CONVERTED}/model.bin"  # where there are no others: weights that were rounded to int8


@dataclass(frozen=True)
class Start:
    """A finished training."""

    folder: Path  # the model, in the layout of transformers or for CTranslate2
    sha256: str  # of its weights and its vocabulary
    data: str = ""  # digest of the settings that its data were prepared with
    selection: str = ""  # digest of the settings that its pairs were selected with


def find_start(folder: Path) -> tuple[Start, dict[str, Any]]:
    """A finished training, by its output folder or by the model in it, and the settings that it was trained with.

    The model that comes with the package is called by its name, as in `Path("default-paraphraser")`.
    """
    if str(folder) in ALIASES or str(folder) in ENTRIES:
        folder = model_folder(str(folder), KIND)[1]
    place = folder / "model" if (folder / "model").is_dir() else folder
    weights = _SMALL if (place / _SMALL).is_file() and not (place / WEIGHTS).is_file() else WEIGHTS
    if missing := [name for name in (TRAINED, TOKENIZER, weights) if not (place / name).is_file()]:
        raise InputError(
            f"{place} has no {', no '.join(missing)}; expected the output folder of a finished training, a model in "
            "it, or default-paraphraser"
        )
    try:
        settings = dict(json.loads((place / TRAINED).read_text("utf-8"))["settings"])
    except (OSError, ValueError, KeyError, TypeError):  # that of another kind of training, or damaged
        raise InputError(f"{place / TRAINED} has no settings; expected that of a paraphraser's training") from None
    digest = hashlib.sha256()
    for name in (TOKENIZER, weights):
        with (place / name).open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return Start(place, digest.hexdigest()), settings


def load_start(network: Any, start: Start) -> None:
    """The weights of the start; rows for codes that it lacks are drawn as its other rows are spread.

    Such a row then is as far from the others as a piece is from another, and codes are told apart from the first step.
    """
    import torch

    tensors = _tensors(start.folder)
    found: dict[str, Any] = {}
    for name, value in network.named_parameters():
        if name not in tensors:
            if value.requires_grad:
                raise InputError(f"{start.folder} has no {name}; expected a network of the shape that is configured")
            continue  # computed, as Marian's positions are
        read, wanted = tensors[name], tuple(value.shape)
        if name == EMBEDDINGS and read.shape[1:] == wanted[1:] and len(read) < len(value):
            drawn = np.random.default_rng(0).normal(size=(len(value) - len(read), wanted[1]))
            read = np.concatenate([read, read.mean(axis=0) + read.std(axis=0) * drawn])
        if read.shape != wanted:
            raise InputError(
                f"{start.folder} has {name} of the shape {list(read.shape)}; the configuration asks for {list(wanted)}"
            )
        found[name] = torch.from_numpy(np.array(read, np.float32))
    if further := [name for name in tensors if name not in network.state_dict()]:
        raise InputError(f"{start.folder} has {further[0]}; the configuration asks for a network without it")
    network.load_state_dict(found, strict=False)
    network.tie_weights()


def _tensors(folder: Path) -> Mapping[str, NDArray[np.float32]]:
    if (folder / WEIGHTS).is_file():
        return {name: read() for name, read in open_tensors([folder / WEIGHTS]).items()}
    return bart_tensors(read_variables(folder / _SMALL))
