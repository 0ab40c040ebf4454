"""How well `meaning` does: agreement with people, perturbations, calibration, and whether it minds changed wording.

`paragauge train-metric --report dev|test` prints it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paragauge.metrics.form.changed import Changed
from paragauge.models.pairs.reader import PairReader
from paragauge.tables.samples import Samples

from ..wordnet import open_wordnet
from .blend import expected_error, reliability
from .configuration import Configuration
from .development import (
    Graded,
    Pair,
    Triples,
    benchmark_rows,
    caption_rows,
    foreign_rows,
    own_rows,
    perturbed_rows,
    phrase_rows,
    twitter_rows,
)
from .features import Floats, all_pairs, best_of_rows, blended, pair_scores, ranked_right
from .perturb import read_lexicon

GRADED = ("sick", "simpeval_lens", "wmt21_mqm_zhen", "wmt_da_toen", "parade")
LABELLED = ("mrpc", "qqp_minbert", "twitterppdb_train")
OWN = ("paws", "checklist", "cannot", "breaking")
PERTURBED = {name: (name,) for name in ("paws", "plagiarism", "demetr", "parabank")}


def graded_sets(configuration: Configuration, part: str) -> list[Graded]:
    """Rows with human scores; sets without a published split are cut by the hash of their first text."""
    folder, seed = configuration.data_folder, configuration.seed
    parts = ("dev",) if part == "dev" else ("train", "held-out")
    sets = [twitter_rows(folder, part), benchmark_rows(folder, part)]
    trained = {Path(own.file).name.split(".")[0] for own in configuration.sets.values()}
    for name in GRADED:  # of a set that is trained on, only what was held out
        own = parts if name not in trained or part == "dev" else ("held-out",)
        sets.append(foreign_rows(folder, name, 300 if part == "dev" else 500, seed, own))
    if part == "test":
        sets += [phrase_rows(folder, name, 500, seed) for name in ("ppdb-sample", "wiki-sample")]
    return sets


def labelled_sets(configuration: Configuration, part: str) -> list[Graded]:
    """Rows with labels 0 and 1: of sets never trained on, and of parts of the others that were not."""
    folder, seed = configuration.data_folder, configuration.seed
    parts = ("dev",) if part == "dev" else ("train", "held-out")
    own = "dev" if part == "dev" else "held-out"
    return [
        *(foreign_rows(folder, name, 300 if part == "dev" else 400, seed, parts) for name in LABELLED),
        *(own_rows(configuration, name, own, 250) for name in OWN),
    ]


def triple_sets(configuration: Configuration, part: str) -> list[Triples]:
    """Perturbations of pairs that were not trained on, by where they come from."""
    lexicon = read_lexicon(open_wordnet())
    own = "dev" if part == "dev" else "held-out"
    found = [
        rows._replace(name=f"{origin}: {rows.name}")
        for origin, names in PERTURBED.items()
        for rows in perturbed_rows(configuration, lexicon, own, 60, names)
    ]
    return [*found, *caption_rows(configuration, own, 60)]


def lines(configuration: Configuration, reader: PairReader, part: str, encoder: str) -> Iterator[str]:
    """The whole report."""
    graded, labelled = graded_sets(configuration, part), labelled_sets(configuration, part)
    triples = triple_sets(configuration, part)
    pairs = all_pairs([*graded, *labelled], triples)
    place = {pair: row for row, pair in enumerate(pairs)}
    scores = pair_scores(reader, pairs, encoder)
    logits = blended(scores, reader.settings["blend"])
    meaning = 1 / (1 + np.exp(-logits))
    yield f"weights {reader.sha256}, frozen encoder {encoder}, part {part}, {len(pairs)} pairs"
    yield (
        f"{'Pearson / Spearman with people':32} {'rows':>6}  {'BERTScore':>15}  {'meaning':>15}  its logit  "
        "partial with changed: BERTScore, meaning"
    )
    for rows in graded:
        people = np.array(rows.scores)
        old, new = (best_of_rows(rows, place, values) for values in (scores[:, 0], meaning))
        changed = _changed([row[0] for row in rows.pairs])
        yield (
            f"{rows.name:32} {len(people):6}    {_both(old, people)}    {_both(new, people)}      "
            f"{_correlation(np.log(new / (1 - new)), people):.3f}  "
            f"{_partial(old, changed, people):+.3f} {_partial(new, changed, people):+.3f}"
        )
    yield f"{'area under the curve, ECE':32} {'rows':>6}  {'BERTScore':>15}  {'meaning':>15}  ECE"
    for rows in [*labelled, graded[0]]:
        people = np.array(rows.scores)
        old, new = (best_of_rows(rows, place, values) for values in (scores[:, 0], meaning))
        areas = [_area(values, people >= 0.5) for values in (old, new)]
        yield f"{rows.name:32} {len(people):6}  {areas[0]:15.3f}  {areas[1]:15.3f}  {expected_error(new, people):.3f}"
    yield f"{'ranked below the paraphrase':32} {'rows':>6}  {'BERTScore':>15}  {'meaning':>15}"
    for worse in triples:
        old_share, new_share = (ranked_right(worse, place, values) for values in (scores[:, 0], meaning))
        yield f"{worse.name:32} {len(worse.worse):6}  {old_share:15.3f}  {new_share:15.3f}"
    for rows in (graded[0], *labelled[: len(LABELLED)]):
        yield f"reliability on {rows.name}: stated, observed, share"
        for entry in reliability(best_of_rows(rows, place, meaning), np.array(rows.scores)):
            yield f"  {entry.low:.1f} to {entry.high:.1f}  {entry.stated:.3f}  {entry.observed:.3f}  {entry.share:.3f}"


def _changed(pairs: Sequence[Pair]) -> Floats:
    samples = Samples.of([source for source, _ in pairs], [candidate for _, candidate in pairs])
    return np.nan_to_num(Changed().score(samples), nan=1.0)


def _both(values: Floats, scores: Floats) -> str:
    return f"{_correlation(values, scores):.3f} / {_correlation(_ranks(values), _ranks(scores)):.3f}"


def _correlation(one: Floats, other: Floats) -> float:
    return float(np.corrcoef(one, other)[0, 1])


def _ranks(values: Floats) -> Floats:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return ranks


def _partial(values: Floats, others: Floats, given: Floats) -> float:
    """Correlation of the first two once the third is known."""
    one, two, both = _correlation(values, given), _correlation(others, given), _correlation(values, others)
    return float((both - one * two) / np.sqrt((1 - one**2) * (1 - two**2)))


def _area(values: Floats, labels: NDArray[np.bool_]) -> float:
    ranks, positive = _ranks(values), int(labels.sum())
    if not 0 < positive < len(labels):
        return float("nan")
    return float((ranks[labels].sum() - positive * (positive + 1) / 2) / (positive * (len(labels) - positive)))
