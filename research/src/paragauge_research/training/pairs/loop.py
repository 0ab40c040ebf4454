"""The training loop: resumable, and the same curve with or without a stop."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch import Tensor
from torch.nn import functional

from paragauge.errors import InputError
from paragauge.models.encoders.tokenize import read_tokenizer
from paragauge.models.hub.locate import open_model
from paragauge.models.hub.verify import file_sha256
from paragauge.models.pairs.reader import SETTINGS, read_settings, read_tensors

from ..meaning.run import write_settings
from ..output import log_line, save_checkpoint, trimmed_log
from ..wordnet import open_wordnet
from .batches import IGNORED, batch_at, read_pools, tokenize
from .configuration import Configuration, digest, read_configuration
from .errors import KINDS
from .network import Outputs, PairNetwork, load_network
from .rows import UNKNOWN, Row


def losses_of(
    found: Outputs, rows: Sequence[Row], marks: Sequence[Sequence[int]], kept_weight: float
) -> dict[str, Tensor]:
    """Each loss by its name. Where only both directions together are known, the loss is that of their product."""
    known = torch.tensor([[row.forward, row.backward, row.fluent] for row in rows])
    mask = (known != UNKNOWN).float()
    each = functional.binary_cross_entropy_with_logits(found.pair, known.clamp(min=0), reduction="none") * mask
    losses = {"directions": each[:, :2].sum() / len(rows), "fluent": each[:, 2].sum() / len(rows)}
    same = torch.tensor([row.same for row in rows])
    asked = (same == 0) & ((mask[:, :2] * (1 - known[:, :2])).sum(1) == 0)  # no direction is known to fail
    log_both = functional.logsigmoid(found.pair[:, 0]) + functional.logsigmoid(found.pair[:, 1])
    if asked.any():
        losses["same"] = -torch.log1p(-log_both[asked].exp().clamp(max=1 - 1e-6)).sum() / len(rows)
    flat = torch.cat(found.marks)
    labels = torch.tensor([mark for own in marks for mark in own])
    if (labels != IGNORED).any():
        weights = torch.ones(len(KINDS))
        weights[0] = kept_weight
        losses["marks"] = functional.cross_entropy(flat, labels, weight=weights, ignore_index=IGNORED)
    return losses


def run_training(
    configuration: Configuration,
    config_folder: Path,
    output: Path,
    base: Path,
    wordnet: Path,
    progress: Callable[[str], None],
    every: int = 20,
) -> None:
    """Train to the last step, from the last checkpoint in the folder if there is one; `log.jsonl` has the losses."""
    torch.set_num_threads(configuration.threads)
    torch.manual_seed(configuration.seed)
    output.mkdir(parents=True, exist_ok=True)
    pools = read_pools(configuration, config_folder, output, wordnet)
    progress(", ".join(f"{name} {len(rows)}" for name, rows in pools.rows.items()))
    network = load_network(base, configuration.frozen_layers, configuration.rank)
    if configuration.start:
        network.load_state_dict(_started(output / configuration.start, network), strict=False)
    tokenizer = read_tokenizer(base)
    tokenizer.no_padding()
    tokenizer.enable_truncation(configuration.tokens)
    optimiser = _optimiser(network, configuration)
    first = _restore(output, digest(configuration), network, optimiser)
    log = output / "log.jsonl"
    trimmed_log(log, first - 1)
    started, sums = time.monotonic(), dict[str, float]()
    for step in range(first, configuration.steps):
        rows = batch_at(pools, configuration, step)
        ids, types, marks = tokenize(tokenizer, rows)
        found = network(ids, types if network.encoder.config.model_type == "bert" else None, configuration.chunk)
        losses = losses_of(found, rows, marks, configuration.kept_weight)
        total = sum(
            (loss * (configuration.mark_weight if name == "marks" else 1) for name, loss in losses.items()),
            torch.zeros(()),
        )
        for group in optimiser.param_groups:
            group["lr"] = group["peak"] * schedule(step, configuration.steps, configuration.warm_up)
        optimiser.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        for name, loss in losses.items():
            sums[name] = sums.get(name, 0.0) + loss.item()
        if (step + 1) % every == 0:
            shown = {"step": step, **{name: round(value / every, 4) for name, value in sums.items()}}
            log_line(log, shown)
            progress(f"{json.dumps(shown)} {(time.monotonic() - started) / (step + 1 - first):.2f} s a step")
            sums = {}
        if (step + 1) % configuration.checkpoint == 0 or step + 1 == configuration.steps:
            state = {"network": _trained(network), "optimiser": optimiser.state_dict()}
            named = {"step": step + 1, "digest": digest(configuration)}
            save_checkpoint(named | state, output / f"checkpoint-{step + 1:06d}.pt")


def schedule(step: int, steps: int, warm_up: float) -> float:
    """The share of the peak rate at a step: up in a line, then down in one."""
    warm = max(1, round(warm_up * steps))
    return min((step + 1) / warm, max(0.02, (steps - step) / max(1, steps - warm)))


def _trained(network: PairNetwork) -> dict[str, Tensor]:
    """What training changes."""
    return {name: value.detach() for name, value in network.named_parameters() if value.requires_grad}


def _restore(output: Path, digest: str, network: PairNetwork, optimiser: torch.optim.AdamW) -> int:
    """The step to go on with."""
    files = sorted(output.glob("checkpoint-*.pt"))
    if not files:
        return 0
    state: dict[str, Any] = torch.load(files[-1], weights_only=True)
    if state["digest"] != digest:
        raise InputError(f"{files[-1]} was made with other settings; choose another folder")
    network.load_state_dict(state["network"], strict=False)
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"])


def _started(file: Path, network: PairNetwork) -> dict[str, Tensor]:
    """What a checkpoint holds, or exported weights, whose rows are rounded to int8."""
    if file.suffix != ".safetensors":
        state: dict[str, Tensor] = torch.load(file, weights_only=True)["network"]
        return state
    tensors = read_tensors(file)
    names = {name.removeprefix("encoder."): name for name in _trained(network)}
    if names.keys() != tensors.keys():
        raise InputError(f"{file} does not hold what is trained here: {sorted(names.keys() ^ tensors.keys())[:3]} …")
    return {names[short]: torch.from_numpy(values) for short, values in tensors.items()}


def _optimiser(network: PairNetwork, configuration: Configuration) -> torch.optim.AdamW:
    encoder = [value for value in network.encoder.parameters() if value.requires_grad]
    heads = [value for part in (network.dense, network.output, network.mark) for value in part.parameters()]
    groups: list[dict[str, Any]] = [
        {"params": encoder, "peak": configuration.rate, "weight_decay": configuration.decay},
        {"params": heads, "peak": configuration.head_rate, "weight_decay": configuration.decay},
    ]
    return torch.optim.AdamW(groups, lr=configuration.rate, betas=(0.9, 0.98))


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
