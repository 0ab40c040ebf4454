"""The training loop: resumable, and the same curve with or without a stop."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from paragauge.models.engines import chosen_device
from paragauge.process.limits import threads

from ..output import log_line, save, save_checkpoint, trimmed_log
from .batches import Batch, batches, in_order
from .configuration import Configuration, Schedule, digest
from .network import make_network, parameter_groups
from .prepared import Prepared

_SHOWN = 50  # steps between two lines of the log
LOG = "log.jsonl"


class Look(NamedTuple):
    """A look at the dev part."""

    loss: float  # a piece, without smoothing
    step: int


def run_training(
    configuration: Configuration, prepared: Prepared, output: Path, *, resume: bool, progress: Callable[[str], None]
) -> list[Look]:
    """Train to the last step, or until the dev part gets no better; gives all looks at it.

    Checkpoints, the weights of the best looks and `log.jsonl` lie in the output folder.
    """
    import torch

    settings = configuration.training
    device = chosen_device(torch.cuda.device_count())
    torch.set_num_threads(settings.threads or threads())
    network = make_network(configuration, prepared.vocabulary).to(device)
    groups = parameter_groups(network, configuration)
    optimiser = torch.optim.AdamW(groups, settings.rate, (0.9, 0.98), weight_decay=settings.decay, fused=True)
    first, looks, total = _restore(output, configuration, network, optimiser) if resume else (0, [], 0.0)
    log = output / LOG
    trimmed_log(log, first)
    stream = batches(
        prepared.train,
        prepared.vocabulary,
        settings.tokens,
        configuration.seed,
        first=first * settings.accumulate,
        copies=settings.copying * settings.accumulate,
    )
    started, examples = time.monotonic(), 0
    for step in range(first, settings.steps):
        if is_over(looks, settings.patience):
            progress(f"no lower loss on the dev part in {settings.patience} looks: it ends")
            break
        for group in optimiser.param_groups:
            group["lr"] = group["peak"] * rate_at(step, settings)
        own = [next(stream) for _ in range(settings.accumulate)]
        network.train()
        # dropout depends on the step alone, so a resumed run draws what an undisturbed one draws
        torch.manual_seed(configuration.seed * 1_000_003 + step)
        total += _step(network, optimiser, own, settings, device)
        examples += sum(len(batch.sources) for batch in own)
        line: dict[str, float] = {}
        done = step + 1
        if done % _SHOWN == 0:
            line["loss"] = total / _SHOWN
            total = 0.0
        if done % settings.evaluate == 0 or done == settings.steps:
            line["dev"] = dev_loss(network, prepared, settings, device)
            looks = _look(output, network, looks, Look(line["dev"], done), settings)
        if line:
            log_line(log, {"step": done, **line})
            seconds = time.monotonic() - started
            left = seconds / (done - first) * (settings.steps - done)
            shown = ", ".join(f"{name} {value:.4f}" for name, value in line.items())
            progress(
                f"step {done:,} of {settings.steps:,}: {shown}; {examples / seconds:.0f} examples/s, "
                f"{left / 60:.0f} minutes left"
            )
        if done % settings.checkpoint == 0 or done == settings.steps:
            _keep(output, configuration, done, looks, network, optimiser, total)
    return looks


def rate_at(step: int, settings: Schedule) -> float:
    """The share of the peak rate at a step."""
    warm = min(1.0, (step + 1) / max(1, settings.warm_up))
    if settings.schedule == "inverse-root":
        return float(min(warm, (max(1, settings.warm_up) / (step + 1)) ** 0.5))
    return min(warm, (settings.steps - step) / max(1, settings.steps - settings.warm_up))


def is_over(looks: list[Look], patience: int) -> bool:
    """Were the last looks all no better than the best one before?"""
    return len(looks) > patience and min(looks) not in looks[-patience:]


def forward_loss(
    network: Any, batch: Batch, smoothing: float, device: str, *, precision: str = "float32", total: bool = False
) -> Any:
    """The mean loss (or the total) of the pieces of a batch; padding is not projected to the vocabulary."""
    import torch

    sources, given, wanted = (torch.from_numpy(values).to(device) for values in batch)
    padding = network.config.pad_token_id
    said = wanted != -100
    with torch.autocast(device, torch.bfloat16, enabled=precision == "bfloat16"):
        states = network.model(
            input_ids=sources, attention_mask=(sources != padding).long(), decoder_input_ids=given, use_cache=False
        ).last_hidden_state
        logits = network.lm_head(states[said])
    return torch.nn.functional.cross_entropy(
        logits.float() + network.final_logits_bias,
        wanted[said],
        label_smoothing=smoothing,
        reduction="sum" if total else "mean",
    )


def dev_loss(network: Any, prepared: Prepared, settings: Schedule, device: str) -> float:
    """By piece of the dev part."""
    import torch

    network.eval()
    total, pieces = 0.0, 0
    with torch.inference_mode():
        for batch in in_order(prepared.dev, prepared.vocabulary, 4 * settings.tokens):
            total += float(forward_loss(network, batch, 0.0, device, precision=settings.precision, total=True))
            pieces += int((batch.wanted != -100).sum())
    return total / pieces


def _step(network: Any, optimiser: Any, own: list[Batch], settings: Schedule, device: str) -> float:
    import torch

    optimiser.zero_grad(set_to_none=True)
    total = 0.0
    for batch in own:
        loss = forward_loss(network, batch, settings.smoothing, device, precision=settings.precision) / len(own)
        loss.backward()
        total += loss.item()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()
    return total


def _look(output: Path, network: Any, looks: list[Look], look: Look, settings: Schedule) -> list[Look]:
    """Keep the weights where the look is among the best."""
    found = [*looks, look]
    best = best_looks(found, settings.average)
    if look in best:
        save(network.state_dict(), weights_file(output, look.step))
    return found


def best_looks(looks: list[Look], number: int) -> list[Look]:
    """Those of the lowest loss, the best first."""
    return sorted(looks)[:number]


def weights_file(output: Path, step: int) -> Path:
    """Where the weights of a look are kept."""
    return output / f"weights-{step:07d}.pt"


def _keep(
    output: Path, configuration: Configuration, step: int, looks: list[Look], network: Any, optimiser: Any, total: float
) -> None:
    state = {
        "step": step,
        "digest": digest(configuration),
        "looks": [tuple(look) for look in looks],
        "total": total,
        "network": network.state_dict(),
        "optimiser": optimiser.state_dict(),
    }
    save_checkpoint(state, output / f"checkpoint-{step:07d}.pt")
    # only now: a run that is resumed from the checkpoint before may still need what was among the best there
    best = best_looks(looks, configuration.training.average)
    for look in looks:
        if look not in best:
            weights_file(output, look.step).unlink(missing_ok=True)


def _restore(output: Path, configuration: Configuration, network: Any, optimiser: Any) -> tuple[int, list[Look], float]:
    """The step to go on with, the looks so far, and the loss that no line of the log has yet; 0 and none at first."""
    import torch

    for file in sorted(output.glob("checkpoint-*.pt"), reverse=True):
        with contextlib.suppress(EOFError, RuntimeError, ValueError, OSError):  # a damaged one: the one before
            state: dict[str, Any] = torch.load(file, weights_only=True, map_location="cpu")
            if state["digest"] == digest(configuration):
                network.load_state_dict(state["network"])
                optimiser.load_state_dict(state["optimiser"])
                return int(state["step"]), [Look(*look) for look in state["looks"]], float(state["total"])
    return 0, [], 0.0
