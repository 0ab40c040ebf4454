"""The output folder of a training: checkpoints written whole, its log, and folders that it alone may empty."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paragauge.errors import InputError

_KEPT = 2


def save(state: Any, file: Path) -> None:
    """A file of torch, whole or not at all."""
    import torch

    temporary = file.with_suffix(".part")
    torch.save(state, temporary)
    temporary.replace(file)


def save_checkpoint(state: Any, file: Path) -> None:
    """The last checkpoints stay."""
    save(state, file)
    for old in sorted(file.parent.glob("checkpoint-*.pt"))[:-_KEPT]:
        old.unlink()


def trimmed_log(log: Path, last: int) -> None:
    """The lines of a log up to a step: a resumed training writes the others again."""
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    log.write_text("".join(line + "\n" for line in lines if json.loads(line)["step"] <= last), "utf-8")


def log_line(log: Path, entry: Mapping[str, Any]) -> None:
    """One more line."""
    with log.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(entry) + "\n")


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
