"""`paragauge train-metric`."""

from __future__ import annotations

from pathlib import Path

import click

from paragauge.cli.terminal import hints, printing


@click.command("train-metric")
@click.option(
    "--config", default="minilm", show_default=True, help="settings of a training: a TOML file, or minilm or mpnet"
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="folder for checkpoints, log and weights")
@click.option("--restart", is_flag=True, help="ignore checkpoints in the output folder instead of resuming")
@click.option(
    "--report",
    type=click.Choice(["dev", "test", "exam-dev", "exam-test"]),
    help="train nothing; evaluate on these parts, or on a half of the examination",
)
@click.option(
    "--blend", is_flag=True, help="train nothing; fit blend, calibration and limits of the --weights (no torch needed)"
)
@click.option(
    "--soft-labels",
    type=click.IntRange(min=1),
    metavar="N",
    help="train nothing; write what the --weights say of N pairs to soft.jsonl, for a smaller model to learn from",
)
@click.option(
    "--weights", type=click.Path(path_type=Path), help="folder of weights  [default of --report: those that ship]"
)
@click.option(
    "--encoder",
    default="all-MiniLM-L6-v2",
    show_default=True,
    help="encoder whose weights are asked, for --report and --soft-labels",
)
def train_metric(
    config: str,
    output: Path | None,
    restart: bool,
    report: str | None,
    blend: bool,
    soft_labels: int | None,
    weights: Path | None,
    encoder: str,
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
