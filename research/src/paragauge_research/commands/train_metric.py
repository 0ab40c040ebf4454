"""`paragauge train-metric`."""

from __future__ import annotations

from pathlib import Path

import click

from paragauge.cli.declare import command, option
from paragauge.cli.terminal import hints, printing


@command("train-metric")
def train_metric(
    config: str = option("settings of a training: a TOML file, or minilm or mpnet", "minilm"),
    output: Path | None = option("folder for checkpoints, log and weights", None, "-o", of=Path),
    restart: bool = option("ignore checkpoints in the output folder instead of resuming", False),
    report: str | None = option(
        "train nothing; evaluate on these parts, or on a part of the examination",
        choices=["dev", "test", "exam-dev", "exam-test", "exam-second"],
    ),
    blend: bool = option("train nothing; fit blend, calibration and limits of the --weights (no torch needed)", False),
    soft_labels: int | None = option(
        "train nothing; write what the --weights say of N pairs to soft.jsonl, for a smaller model to learn from",
        of=int,
        low=1,
        metavar="N",
    ),
    weights: Path | None = option("folder of weights  [default of --report: those that ship]", of=Path),
    encoder: str = option("encoder whose weights are asked, for --report and --soft-labels", "all-MiniLM-L6-v2"),
) -> None:
    """Train the model that reads both texts for `meaning`, or report on it. Training needs the extra `torch`.

    Reads the data sets that the configuration names below the folder PARAGAUGE_DATA. A stopped run is resumed by the
    same command, and ends with the same weights; the same seed gives the same weights on one machine.

    \b
    Examples:
      paragauge train-metric --config mpnet -o trained/
      paragauge train-metric --soft-labels 60000 --weights trained/weights --encoder all-mpnet-base-v2 -o trained/
      paragauge train-metric --blend --weights trained/weights
      paragauge train-metric --report dev --weights trained/weights --encoder all-mpnet-base-v2
    """
    from ..training import meaning as training

    if report is not None:
        for line in training.report_metric(report, None, weights, encoder):
            printing.lines(line)
        return
    if blend:
        if weights is None:
            raise click.UsageError("--blend needs the folder of the weights: --weights FOLDER")
        printing.lines(f"weights: {training.blend_metric(weights, progress=hints.note)}")
        return
    if output is None:
        raise click.UsageError("train-metric needs an output folder: -o FOLDER")
    if soft_labels is not None:
        if weights is None:
            raise click.UsageError("--soft-labels needs the folder of the weights: --weights FOLDER")
        file = training.label_pairs(config, weights, encoder, output, soft_labels, hints.note)
        printing.lines(f"soft labels: {file}")
        return
    folder = training.train_metric(config, output, resume=not restart, progress=hints.note)
    printing.lines(f"weights: {folder}")
