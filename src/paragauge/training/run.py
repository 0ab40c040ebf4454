"""One configuration file to exported weights: training, export, calibration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from ..errors import ModelError
from ..models.hub.locate import ModelFiles, open_model
from ..models.lexical.wordnet import load_wordnet
from ..models.pairs.learned import LearnedMeaning, load_meaning
from .calibration import fit_platt
from .configuration import Configuration, read_configuration
from .development import twitter_rows
from .export import export, network_state
from .features import all_pairs, best_of_rows, blended, pair_scores

VERSION = 1  # of the exported format


def run(config_path: Path, output: Path, *, resume: bool, progress: Callable[[str], None]) -> Path:
    """See `train_metric`."""
    from .loop import run_training  # needs torch, as a report does not

    configuration = read_configuration(config_path)
    base = open_model(configuration.encoder)
    run_training(configuration, output, base, open_wordnet(), resume=resume, progress=progress)
    checkpoints = sorted(output.glob("checkpoint-*.pt"))[-configuration.average :]
    progress(f"exporting {', '.join(checkpoint.name for checkpoint in checkpoints)}")
    return finish(configuration, checkpoints, output / "weights", base, progress)


def finish(
    configuration: Configuration,
    checkpoints: Sequence[Path],
    folder: Path,
    base: ModelFiles,
    progress: Callable[[str], None],
) -> Path:
    """Export the mean of checkpoints, then calibrate each blend of the configuration with the weights as exported."""
    state = network_state(checkpoints)

    def write(blends: Mapping[str, Mapping[str, float]]) -> None:
        export(
            state,
            configuration.frozen_layers,
            folder,
            version=VERSION,
            base=configuration.encoder,
            base_sha256=base.sha256,
            limit=configuration.tokens,
            blends=blends,
        )

    write({})
    model, blends = load_meaning(folder), {}
    for encoder, weights in configuration.blends.items():
        progress(f"calibrating with {encoder}")
        blends[encoder] = calibrated(configuration, model, encoder, weights)
    write(blends)
    return folder


def calibrated(
    configuration: Configuration, model: LearnedMeaning, encoder: str, weights: Mapping[str, float]
) -> dict[str, float]:
    """The weights of a blend, scaled and shifted to the logit of what people say.

    Fitted to the development part of Twitter-Para, whose scores are the share of people who say that the two mean the
    same, of the pair of source or reference and candidate that scores higher.
    """
    rows = twitter_rows(configuration.data_folder, "dev")
    pairs = all_pairs([rows])
    place = {pair: row for row, pair in enumerate(pairs)}
    raw = best_of_rows(rows, place, blended(pair_scores(model, pairs, encoder), weights))
    slope, offset = fit_platt(raw, np.array(rows.scores))
    return {name: slope * weight for name, weight in weights.items()} | {"offset": offset}


def open_wordnet() -> Path:
    """The folder of WordNet."""
    place = load_wordnet().place
    if not place.is_dir():
        raise ModelError(f"{place} is not a folder; `paragauge models get wordnet` fetches one")
    return place
