"""The training loop: resumable, and the same curve with or without a stop."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import torch

from ..checkpoints import keep, restore, schedule, trimmed_log
from .configuration import Configuration, digest
from .network import load_rewriter, tokenized
from .pairs import pairs_at, read_pools


def run_training(
    configuration: Configuration, output: Path, model: Path, progress: Callable[[str], None], every: int = 20
) -> None:
    """Train to the last step, from the last checkpoint in the folder if there is one; `log.jsonl` has the losses."""
    torch.set_num_threads(configuration.threads)
    torch.manual_seed(configuration.seed)
    output.mkdir(parents=True, exist_ok=True)
    pools = read_pools(configuration)
    progress(", ".join(f"{name} {len(rows)}" for name, rows in pools.items()))
    network, tokenizer = load_rewriter(model, configuration.rank)
    own = [value for value in network.parameters() if value.requires_grad]
    groups = [{"params": own, "peak": configuration.rate}]
    optimiser = torch.optim.AdamW(groups, lr=configuration.rate, betas=(0.9, 0.98), weight_decay=configuration.decay)
    first = restore(output, digest(configuration), network, optimiser)
    log = output / "log.jsonl"
    trimmed_log(log, first)
    started, total = time.monotonic(), 0.0
    for step in range(first, configuration.steps):
        rows = tokenized(tokenizer, pairs_at(pools, configuration, step))
        for group in optimiser.param_groups:
            group["lr"] = group["peak"] * schedule(step, configuration.steps, configuration.warm_up)
        optimiser.zero_grad()
        loss = network(rows, configuration.chunk)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(own, 1.0)
        optimiser.step()
        total += loss.item()
        if (step + 1) % every == 0:
            shown = {"step": step, "loss": round(total / every, 4)}
            with log.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(shown) + "\n")
            progress(f"{json.dumps(shown)} {(time.monotonic() - started) / (step + 1 - first):.2f} s a step")
            total = 0.0
        if (step + 1) % configuration.checkpoint == 0 or step + 1 == configuration.steps:
            keep(output, step + 1, digest(configuration), network, optimiser)
