"""One configuration file to exported weights: training, export, blend, calibration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from paragauge.errors import ModelError
from paragauge.metrics.meaning._evidence import kinds
from paragauge.metrics.meaning.meaning import Meaning
from paragauge.models.encoders.load import load_encoder
from paragauge.models.hub.locate import ModelFiles, open_model
from paragauge.models.lexical.wordnet import load_wordnet
from paragauge.models.pairs.learned import LearnedMeaning, load_meaning, read_settings

from .blend import Labelled, fit_blend
from .calibration import fit_platt
from .configuration import Configuration, read_configuration
from .development import Graded, benchmark_rows, foreign_rows, own_rows, perturbed_rows, twitter_rows
from .export import export, network_state, write_settings
from .features import all_pairs, best_of_rows, blended, pair_scores
from .perturb import read_lexicon
from .rarity import write_rarity

VERSION = 3  # of the exported format
_LARGEST = {"stsb-dev": 5.0, "parade": 3.0, "simpeval_lens": 100.0}  # scores; 1 elsewhere


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
    """Export the mean of checkpoints, then fit the blends to the weights as exported."""
    export(
        network_state(checkpoints),
        configuration.frozen_layers,
        folder,
        version=VERSION,
        base=configuration.encoder,
        base_sha256=base.sha256,
        limit=configuration.tokens,
        encoders={},
        blends={},
    )
    return blend_weights(configuration, folder, progress)


def blend_weights(configuration: Configuration, folder: Path, progress: Callable[[str], None]) -> Path:
    """Fit blend and calibration of the weights in a folder, for each encoder of the configuration; they stay there."""
    progress("counting in how many texts each piece of a word is")
    counted = write_rarity(configuration, folder, open_model(configuration.encoder))
    write_settings(folder, {**read_settings(folder), "rarity_sha256": counted})
    model = load_meaning(folder)
    encoders, blends = {}, {}
    for name in configuration.blend.encoders:
        progress(f"blending with {name}")
        blends[name] = fitted(configuration, model, name)
        encoders[load_encoder(name).sha256] = name
    write_settings(folder, {**read_settings(folder), "version": VERSION, "encoders": encoders, "blends": blends})
    return folder


def fitted(configuration: Configuration, model: LearnedMeaning, encoder: str) -> dict[str, float]:
    """The weights of a blend, scaled and shifted to the logit of what people say.

    The weights are fitted to graded and labelled pairs and to perturbations; two numbers, slope and offset, to
    Twitter-Para and the sets to calibrate to. Each set counts alike.
    """
    folder, settings = configuration.data_folder, configuration.blend
    twitter, benchmark = twitter_rows(folder, "dev"), _scaled(benchmark_rows(folder, "dev"))
    labelled, others = (
        [_calibration_rows(configuration, name) for name in names] for names in (settings.labelled, settings.calibrated)
    )
    lexicon = read_lexicon(open_wordnet())
    triples = [
        rows
        for name in settings.perturbed
        for rows in perturbed_rows(configuration, lexicon, "calibration", settings.rows // 10, (name,))
    ]
    pairs = all_pairs([twitter, benchmark, *labelled, *others], triples)
    place = {pair: row for row, pair in enumerate(pairs)}
    scores = pair_scores(model, pairs, encoder)

    def rows_of(rows: Graded) -> Labelled:  # of several pairs in a row, that of the highest BERTScore
        chosen = [max((place[pair] for pair in row), key=lambda number: scores[number, 0]) for row in rows.pairs]
        return Labelled(scores[chosen], np.array(rows.scores))

    ahead = [
        scores[[place[pair] for pair in rows.better]] - scores[[place[pair] for pair in rows.worse]] for rows in triples
    ]
    weights = fit_blend(
        kinds(Meaning(encoder=encoder), model),
        [rows_of(rows) for rows in (twitter, benchmark, *labelled)],
        np.concatenate(ahead),
        settings.order,
    )
    raw = blended(scores, weights)
    fitted_to = [(best_of_rows(rows, place, raw), np.array(rows.scores)) for rows in (twitter, *others)]
    slope, offset = fit_platt(
        np.concatenate([values for values, _ in fitted_to]),
        np.concatenate([shares for _, shares in fitted_to]),
        np.concatenate([np.full(len(values), 1 / len(values)) for values, _ in fitted_to]),
    )
    return {name: slope * weight for name, weight in weights.items()} | {"offset": offset}


def _calibration_rows(configuration: Configuration, name: str) -> Graded:
    """Rows of a set of the configuration, or of one that is never trained on."""
    count = configuration.blend.rows
    if name in configuration.sets:
        return own_rows(configuration, name, "calibration", count)
    return _scaled(foreign_rows(configuration.data_folder, name, count, configuration.seed, ("calibration",)))


def _scaled(rows: Graded) -> Graded:
    return rows._replace(scores=[score / _LARGEST.get(rows.name, 1.0) for score in rows.scores])


def open_wordnet() -> Path:
    """The folder of WordNet."""
    place = load_wordnet().place
    if not place.is_dir():
        raise ModelError(f"{place} is not a folder; `paragauge models get wordnet` fetches one")
    return place
