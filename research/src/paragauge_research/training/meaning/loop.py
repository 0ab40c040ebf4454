"""The training loop: resumable, and the same curve with or without a stop."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from paragauge.errors import InputError
from paragauge.models.hub.locate import ModelFiles

from .batches import batch_at, read_pools
from .configuration import Configuration, digest, last_step
from .losses import Scales, step_losses
from .mining import MINED, mined_items
from .network import PairNetwork, Tokens, load_network
from .teacher import TEACHER, taught_items

_KEPT = 3  # checkpoints


def run_training(
    configuration: Configuration,
    output: Path,
    base: ModelFiles,
    wordnet: Path,
    *,
    resume: bool,
    progress: Callable[[str], None],
) -> None:
    """Train the base to the last step; checkpoints and `log.jsonl` lie in the output folder."""
    torch.set_num_threads(configuration.threads)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(configuration.seed)
    output.mkdir(parents=True, exist_ok=True)
    pools = read_pools(configuration, wordnet)
    progress(f"{len(pools.taught)} taught pairs, {len(pools.labelled)} labelled, {len(pools.triples)} for triples")
    pools = pools._replace(
        taught=taught_items(pools.taught, configuration.teacher, output / "teacher", progress),
        mined=mined_items(pools.mined, configuration.encoder, output / "mined.json", progress),
    )
    network = load_network(base.folder, configuration.frozen_layers)
    if configuration.start:
        network.load_state_dict(_last_weights(output / configuration.start))
    tokens = Tokens(base.folder, base.limit(configuration.tokens))
    scales = Scales([*configuration.sets, TEACHER, MINED])
    optimiser = _optimiser(network, scales, configuration)
    first = _restore(output, configuration, network, scales, optimiser) if resume else 0
    log = output / "log.jsonl"
    kept = [line for line in _lines(log) if json.loads(line)["step"] < first]
    log.write_text("".join(line + "\n" for line in kept), "utf-8")
    started = time.monotonic()
    sums: dict[str, float] = {}
    last = last_step(configuration)
    for step in range(first, last):
        batch = batch_at(pools, configuration, step)
        choose = random.Random(f"{configuration.seed} {step} order")
        losses = step_losses(network, scales, tokens, batch, choose, configuration.precision)
        total = sum(
            (configuration.weights.get(name, 0.0) * loss for name, loss in losses.items()),
            torch.zeros(()),
        )
        for group in optimiser.param_groups:
            group["lr"] = group["peak"] * _schedule(step, configuration)
        optimiser.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        for name, loss in losses.items():
            sums[name] = sums.get(name, 0.0) + loss.item()
        if (step + 1) % 20 == 0:
            shown = {"step": step, **{name: round(value / 20, 5) for name, value in sums.items()}}
            with log.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(shown) + "\n")
            seconds = (time.monotonic() - started) / (step + 1 - first)
            progress(f"{json.dumps(shown)} {seconds:.2f} s a step")
            sums = {}
        if (step + 1) % configuration.checkpoint == 0 or step + 1 == last:
            _keep(output, configuration, step + 1, network, scales, optimiser)


def _optimiser(network: PairNetwork, scales: Scales, configuration: Configuration) -> torch.optim.AdamW:
    encoder = [value for value in network.encoder.parameters() if value.requires_grad]
    known = {id(value) for value in network.encoder.parameters()}
    heads = [value for value in network.parameters() if id(value) not in known]
    groups: list[dict[str, Any]] = [
        {"params": encoder, "peak": configuration.rate, "weight_decay": configuration.decay},
        {"params": heads, "peak": configuration.head_rate, "weight_decay": configuration.decay},
        {"params": list(scales.parameters()), "peak": configuration.head_rate, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW([group for group in groups if group["params"]], lr=configuration.rate, betas=(0.9, 0.98))


def _schedule(step: int, configuration: Configuration) -> float:
    warm = max(1, round(configuration.warm_up * configuration.steps))
    return min((step + 1) / warm, (configuration.steps - step) / max(1, configuration.steps - warm))


def _keep(
    output: Path,
    configuration: Configuration,
    step: int,
    network: PairNetwork,
    scales: Scales,
    optimiser: torch.optim.AdamW,
) -> None:
    state = {
        "step": step,
        "digest": digest(configuration),
        "network": network.state_dict(),
        "scales": scales.state_dict(),
        "optimiser": optimiser.state_dict(),
    }
    temporary = output / "checkpoint.part"
    torch.save(state, temporary)
    temporary.replace(output / f"checkpoint-{step:06d}.pt")
    for old in sorted(output.glob("checkpoint-*.pt"))[:-_KEPT]:
        old.unlink()


def _restore(
    output: Path, configuration: Configuration, network: PairNetwork, scales: Scales, optimiser: torch.optim.AdamW
) -> int:
    """The step to go on with; 0 where there is no checkpoint of these settings."""
    for file in sorted(output.glob("checkpoint-*.pt"), reverse=True):
        state: dict[str, Any] = torch.load(file, weights_only=True)
        if state["digest"] == digest(configuration):
            network.load_state_dict(state["network"])
            scales.load_state_dict(state["scales"])
            optimiser.load_state_dict(state["optimiser"])
            return int(state["step"])
    return 0


def _last_weights(folder: Path) -> dict[str, Any]:
    files = sorted(folder.glob("checkpoint-*.pt"))
    if not files:
        raise InputError(f"{folder} has no checkpoint to start from")
    weights: dict[str, Any] = torch.load(files[-1], weights_only=True)["network"]
    return weights


def _lines(log: Path) -> list[str]:
    return log.read_text("utf-8").splitlines() if log.exists() else []
