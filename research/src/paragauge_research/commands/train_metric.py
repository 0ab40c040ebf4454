"""`paragauge train-metric`."""

from __future__ import annotations

from pathlib import Path

import click

from paragauge.cli.terminal import hints, printing


@click.command("train-metric")
@click.option(
    "--config", type=click.Path(path_type=Path), help="settings in TOML  [default: those of the weights that ship]"
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="folder for checkpoints, log and weights")
@click.option("--restart", is_flag=True, help="ignore checkpoints in the output folder instead of resuming")
@click.option("--report", type=click.Choice(["dev", "test"]), help="train nothing; evaluate on these parts")
@click.option(
    "--blend", is_flag=True, help="train nothing; fit blend and calibration of the --weights again (no torch needed)"
)
@click.option(
    "--weights", type=click.Path(path_type=Path), help="folder of weights  [default of --report: those that ship]"
)
@click.option("--encoder", default="all-MiniLM-L6-v2", show_default=True, help="encoder to blend with, for --report")
def train_metric(
    config: Path | None,
    output: Path | None,
    restart: bool,
    report: str | None,
    blend: bool,
    weights: Path | None,
    encoder: str,
) -> None:
    """Train the weights of the metric `meaning`, or report how well they do. Training needs the extra `torch`.

    Reads the data sets that the configuration names below the folder PARAGAUGE_DATA. A stopped run is resumed by the
    same command, and ends with the same weights; the same seed gives the same weights on one machine.

    \b
    Examples:
      paragauge train-metric -o trained/
      paragauge train-metric --report dev --weights trained/weights
      paragauge train-metric --blend --weights trained/weights
    """
    from ..training import meaning as training

    if report is not None:
        for line in training.report_metric(report, config, weights, encoder):
            printing.lines(line)
        return
    if blend:
        if weights is None:
            raise click.UsageError("--blend needs the folder of the weights: --weights FOLDER")
        printing.lines(f"weights: {training.blend_metric(weights, config, hints.note)}")
        return
    if output is None:
        raise click.UsageError("train-metric needs an output folder: -o FOLDER")
    folder = training.train_metric(config, output, resume=not restart, progress=hints.note)
    printing.lines(f"weights: {folder}")
