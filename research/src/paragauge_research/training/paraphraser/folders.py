"""Folders that training fills, and empties when it fills them again: never one that it has not made."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from paragauge.errors import InputError

TOKENIZER = "tokenizer.json"  # among the prepared data, and in a model folder
TRAINED = "training.json"  # in a model folder: what it was trained with
WEIGHTS = "model.safetensors"  # in the model folder for transformers


def emptied(folder: Path, marker: str) -> Path:
    """The folder with nothing in it but an empty JSON object, the marker that tells that training has made it."""
    if folder.exists() and any(folder.iterdir()) and not (folder / marker).is_file():
        raise InputError(f"{folder} has no {marker}, so training has not made it; expected another output folder")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    write_json(folder / marker, {})
    return folder


def write_json(file: Path, content: Any) -> None:
    """A readable JSON file; entries keep their order, as that of data sets changes which pairs are selected."""
    file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")
