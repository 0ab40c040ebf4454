"""`paragauge train-paraphraser`."""

from __future__ import annotations

from pathlib import Path

from paragauge.cli.declare import command, option
from paragauge.cli.terminal import hints, printing


@command("train-paraphraser")
def train_paraphraser(
    config: str = option("settings: a TOML file, or a name: default, …", "default"),
    output: Path = option("folder for data, log and models", None, "-o", of=Path, required=True),
    start: Path | None = option("training to begin from: its folder, or default-paraphraser", of=Path),
    restart: bool = option("ignore checkpoints in the output folder instead of resuming", False),
) -> None:
    """Train a sequence-to-sequence paraphraser on pairs. Needs the extra `torch`.

    Reads the data sets that the configuration names below the folder PARAGAUGE_DATA. Rerun to resume: a stopped run
    ends with the same weights; the same seed gives the same weights on one machine. The output folder then has the
    model twice: `model` in the layout of transformers, and `int8` for CTranslate2; either is a model for `paragauge
    paraphrase`.

    With --start it begins from the weights and the vocabulary of a finished training, or of the model that comes with
    the package (default-paraphraser); settings that the configuration lacks are taken from that training. The
    configurations random, semantic and syntactic teach a trained model codes.

    \b
    Examples:
      PARAGAUGE_DATA=data paragauge train-paraphraser -o trained/
      paragauge train-paraphraser --config my.toml -o trained/
      paragauge train-paraphraser --config semantic --start default-paraphraser -o semantic/
      paragauge paraphrase questions.txt --method beam:model=trained/int8
    """
    from ..training.paraphraser import train_paraphraser as train

    whole, small = train(config, output, start=start, resume=not restart, progress=hints.note)
    printing.lines(f"model: {whole}", f"int8: {small}")
