"""A model's name (in the registry, a folder, or on the hub) to its files, read and identified."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import InputError, ModelError, nearest
from .fetch import ensure, offline
from .registry import ALIASES, ENTRIES, entry_named
from .verify import file_sha256

_SMALL = ("config.json", "tokenizer.json", "tokenizer_config.json", "1_Pooling/config.json", "chat_template.jinja")
# What some tokenizers consist of instead of a tokenizer.json; only the torch encoder reads these.
_TOKENIZER_PARTS = (
    "special_tokens_map.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "*.model",
    "*.spm",
    "added_tokens.json",
)
CONVERTED = "ctranslate2"  # the folder, within that of a model, of weights that CTranslate2 reads as they are
_HUB = re.compile(r"(?P<model>[\w-][\w.-]*/[\w.-]+)(@(?P<revision>[\w./-]+))?")
_SANE = 1_000_000  # tokenizers without a limit of their own write 10**30


@dataclass(frozen=True)
class ModelFiles:
    """A model folder: its configuration, its weights and what identifies them."""

    name: str
    folder: Path
    config: Mapping[str, Any]
    weights: tuple[Path, ...]
    sha256: str  # of the weights
    files: str  # of everything that is read

    @property
    def is_converted(self) -> bool:
        """Are the weights in the form of CTranslate2 already?"""
        return self.weights[0].parent.name == CONVERTED

    def layers(self) -> int:
        """How many layers the model has."""
        for key in ("num_hidden_layers", "n_layers", "num_layers", "n_layer"):
            if isinstance(found := self.config.get(key), int):
                if found < 1:
                    raise ModelError(f"{self.folder / 'config.json'} says {key}={found}; expected at least 1")
                return found
        raise ModelError(f"{self.folder / 'config.json'} does not say how many layers the model has")

    def pooling(self) -> str:
        """How tokens become a sentence: the model's own way, mean if it says nothing."""
        settings = read_json(self.folder / "1_Pooling" / "config.json", absent={})
        return "cls" if settings.get("pooling_mode_cls_token") else "mean"

    def limit(self, positions: int) -> int:
        """The longest input: what the position table holds, or less if the tokenizer says so."""
        said = read_json(self.folder / "tokenizer_config.json", absent={}).get("model_max_length")
        return min(positions, int(said)) if isinstance(said, int | float) and 0 < said < _SANE else positions


def open_model(name: str) -> ModelFiles:
    """The files of an encoder; a registered model is fetched if need be, and always checked."""
    return identified(*model_folder(name, "encoder"))


def model_folder(name: str, kind: str) -> tuple[str, Path]:
    """The plain name and the folder of what is called `name`; a registered model must be of this kind."""
    if name in ALIASES or name in ENTRIES:
        entry = entry_named(name)
        if entry.kind != kind:
            raise InputError(f"{name} is not {'an' if kind[0] in 'aeiou' else 'a'} {kind}; its kind is: {entry.kind}")
        return entry.name, ensure(entry)
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder.resolve().name, folder.resolve()
    if os.sep in name and (name.startswith((".", "~")) or folder.is_absolute()):
        raise InputError(f"there is no model folder {name}")
    if found := _HUB.fullmatch(name):
        return name, _from_hub(found["model"], found["revision"])
    names = [known for known in (*ENTRIES, *ALIASES) if entry_named(known).kind == kind]
    known = nearest(name, names)
    raise InputError(f"no {kind} named '{name}'{known}; a model folder or a hub id such as org/name is accepted too")


def identified(name: str, folder: Path) -> ModelFiles:
    """A model folder in the layout of transformers, its configuration read."""
    config = read_json(folder / "config.json")
    if not isinstance(config.get("model_type"), str):
        raise ModelError(f"{folder / 'config.json'} names no model_type; is it a transformers model?")
    weights = _weights(folder)
    single = [file_sha256(file) for file in weights]
    sha256 = single[0] if len(single) == 1 else hashlib.sha256("".join(single).encode()).hexdigest()
    small = [f"{file}:{file_sha256(folder / file)}" for file in _SMALL if (folder / file).is_file()]
    files = hashlib.sha256("\n".join([sha256, *small]).encode()).hexdigest()
    return ModelFiles(name, folder, config, weights, sha256, files)


def _weights(folder: Path) -> tuple[Path, ...]:
    patterns = ("model.safetensors", "model-*-of-*.safetensors", "pytorch_model.bin", f"{CONVERTED}/model.bin")
    for pattern in patterns:
        if files := sorted(folder.glob(pattern)):
            return tuple(files)
    raise ModelError(f"{folder} holds no weights; expected model.safetensors or pytorch_model.bin")


def read_json(file: Path, absent: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """The JSON object in a file; `absent` where there is none."""
    try:
        content = json.loads(file.read_bytes())
    except FileNotFoundError:
        if absent is not None:
            return absent
        raise ModelError(f"{file.parent} has no {file.name}; is it a model folder?") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{file} cannot be read: {error}") from None
    if not isinstance(content, dict):
        raise ModelError(f"{file} holds no JSON object")
    return content


def _from_hub(model: str, revision: str | None) -> Path:
    from huggingface_hub import snapshot_download

    def download(*patterns: str) -> Path:
        return Path(
            snapshot_download(model, revision=revision, allow_patterns=list(patterns), local_files_only=offline())
        )

    small = (*_SMALL, *_TOKENIZER_PARTS)
    try:
        folder = download(*small, "model.safetensors", "model-*-of-*.safetensors")
        if not list(folder.glob("*.safetensors")):
            folder = download(*small, "pytorch_model.bin")
    except Exception as error:  # the hub's client raises its own errors, those of its HTTP library, and OSError
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
        if offline():
            said = "it is not in the local hub cache, and PARAGAUGE_OFFLINE is set"
        raise ModelError(f"{model} could not be downloaded from the hub: {said}") from None
    return folder
