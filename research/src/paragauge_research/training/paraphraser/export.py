"""The trained network as model folders: in the layout of transformers, and in int8 for CTranslate2."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paragauge._version import __version__
from paragauge.models.convert.seq2seq import specification
from paragauge.models.convert.weights import open_tensors
from paragauge.models.hub.locate import CONVERTED
from paragauge.paraphrasers._truecase import CASE, KEY

from ...paraphrasers._trees import TREES
from ...paraphrasers.codes import CENTRES, ENCODER, KIND, PARSER
from ..output import emptied, write_json
from .configuration import Configuration
from .loop import Look, weights_file
from .network import make_network
from .prepared import DONE, Prepared
from .start import TOKENIZER, TRAINED, WEIGHTS


def export(configuration: Configuration, prepared: Prepared, looks: Sequence[Look], output: Path) -> tuple[Path, Path]:
    """Write `model` (float32, for transformers) and `int8` (for CTranslate2): the mean of the weights of some looks."""
    network = make_network(configuration, prepared.vocabulary)
    network.load_state_dict(_mean([weights_file(output, look.step) for look in looks]))
    network.tie_weights()
    whole, small = output / "model", output / "int8"
    for folder in (whole, small):
        emptied(folder, TRAINED)
    network.save_pretrained(whole)
    (whole / "generation_config.json").unlink(missing_ok=True)
    config = json.loads((whole / "config.json").read_text("utf-8")) | _described(configuration, prepared)
    tokens = {"model_max_length": configuration.network.positions}
    for folder in (whole, small):
        (folder / "config.json").write_text(json.dumps(config, indent=1, sort_keys=True) + "\n", "utf-8")
        (folder / "tokenizer_config.json").write_text(json.dumps(tokens) + "\n", "utf-8")
        for name in (TOKENIZER, CENTRES, TREES, *([CASE] if KEY in config else [])):
            if (prepared.folder / name).is_file():
                shutil.copyfile(prepared.folder / name, folder / name)
        write_json(folder / TRAINED, _provenance(configuration, prepared, looks))
    made = specification(config, open_tensors([whole / WEIGHTS]))
    made.optimize(quantization="int8")
    (small / CONVERTED).mkdir()
    made.save(str(small / CONVERTED))
    return whole, small


def _provenance(configuration: Configuration, prepared: Prepared, looks: Sequence[Look]) -> dict[str, Any]:
    """Which settings, data and steps the weights come of."""
    settings = dataclasses.asdict(configuration)
    settings.pop("data_folder")
    start = settings.pop("start")
    return {
        "paragauge": __version__,
        "settings": settings,
        **({"start": start["sha256"]} if start else {}),
        "pairs": json.loads((prepared.folder / DONE).read_text("utf-8"))["pairs"],
        "steps": [look.step for look in looks],
        "dev_loss": [look.loss for look in looks],
    }


def _described(configuration: Configuration, prepared: Prepared) -> dict[str, Any]:
    """Entries of config.json beyond those of transformers."""
    codes = configuration.codes
    found: dict[str, Any] = {"bad_words_ids": [[token] for token in prepared.vocabulary.never]}
    if codes.kind != "none":
        found[KIND] = codes.kind
    if codes.kind == "semantic":
        found[ENCODER] = codes.encoder
    if codes.kind == "syntactic":
        found[PARSER] = codes.parser
    normalizer = json.loads(prepared.vocabulary.tokenizer.to_str()).get("normalizer") or {}
    if normalizer.get("lowercase"):
        found[KEY] = "source"
    return found


def _mean(files: Sequence[Path]) -> dict[str, Any]:
    import torch

    states = [torch.load(file, weights_only=True, map_location="cpu") for file in files]
    return {
        name: torch.from_numpy(np.mean([state[name].double().numpy() for state in states], axis=0).astype(np.float32))
        for name in states[0]
    }
