"""What every training loop does alike: a schedule of rates, and checkpoints from which it is resumed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from paragauge.errors import InputError

_KEPT = 2


def schedule(step: int, steps: int, warm_up: float) -> float:
    """The share of the peak rate at a step: up in a line, then down in one."""
    warm = max(1, round(warm_up * steps))
    return min((step + 1) / warm, max(0.02, (steps - step) / (steps - warm)))


def trained_state(network: Any) -> dict[str, torch.Tensor]:
    """What training changes."""
    return {name: value.detach() for name, value in network.named_parameters() if value.requires_grad}


def keep(output: Path, step: int, digest: str, network: Any, optimiser: Any) -> None:
    """A checkpoint after so many steps; the last ones stay."""
    state = {"step": step, "digest": digest, "network": trained_state(network), "optimiser": optimiser.state_dict()}
    file = output / f"checkpoint-{step:06d}.pt"
    temporary = output / f"part-{file.name}"
    torch.save(state, temporary)
    temporary.replace(file)
    for old in sorted(output.glob("checkpoint-*.pt"))[:-_KEPT]:
        old.unlink()


def restore(output: Path, digest: str, network: Any, optimiser: Any) -> int:
    """The step to go on with."""
    files = sorted(output.glob("checkpoint-*.pt"))
    if not files:
        return 0
    state: Mapping[str, Any] = torch.load(files[-1], weights_only=True)
    if state["digest"] != digest:
        raise InputError(f"{files[-1]} was made with other settings; choose another folder")
    network.load_state_dict(state["network"], strict=False)
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"])


def trimmed_log(log: Path, first: int) -> None:
    """The lines of a log from before a step: a resumed training writes the others again."""
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    log.write_text("".join(line + "\n" for line in lines if json.loads(line)["step"] < first), "utf-8")
