"""Tables 2 and 3 by the grid of classifiers: from a run of `paragauge extrinsic imdb`, or as it was recorded."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from paragauge.errors import InputError
from paragauge.extrinsic.modes import REPLACE, ROBUSTNESS
from paragauge.extrinsic.results import Evaluation, read_result
from paragauge.extrinsic.tasks.versions import ORIGINAL
from paragauge.tables.display import counted

from ..cells import Computed, Place

RECORDED = Path(__file__).parent / "recorded.csv"
ROWS = {
    ORIGINAL: "Original review",
    "wordswap-1": "Paraphrase PG1",
    "wordswap-2": "Paraphrase PG2",
    "wordswap-3": "Paraphrase PG3",
}
# by the classifier: the paper's name of it, and whether it is the network as the paper has it or the corrected one
MODELS = {
    "mlp": ("SMPNN", "both"),
    "cnn": ("MCNN", "both"),
    "gru-paper": ("GRU-RNN", "authors"),
    "gru": ("GRU-RNN", "corrected"),
    "lstm-paper": ("LSTM-RNN", "authors"),
    "lstm": ("LSTM-RNN", "corrected"),
    "tfidf": ("logistic regression, TF-IDF", "corrected"),
    "embeddings": ("logistic regression, embeddings", "corrected"),
}
METRIC = "weem4pg"
WHY = "other reviews, layers and word vectors than the paper's"
PADDING = {"authors": "padding read", "corrected": "padding not read"}  # over which a recurrent network forgets a text
DIGITS = {"Table 2": 1, "Table 3": 3}


class Recorded(NamedTuple):
    """A number of the grid: its place in the tables, and whose network it is of."""

    table: str
    row: str
    column: str
    kind: str  # authors, corrected or both
    value: float
    low: float
    high: float
    seeds: int


def of_run(folder: Path) -> list[Recorded]:
    """The numbers of a complete run of the grid."""
    return list(recorded(Evaluation.of_record(read_result(folder))))


def recorded(found: Evaluation) -> Iterator[Recorded]:
    """What Tables 2 and 3 have of an evaluation of IMDB: accuracies in percent, correlations with WEEM4PG."""
    seeds = {}
    # trained on originals is the same in both modes; a run may have the second alone
    originals = [row for row in found.of("imdb", ROBUSTNESS) if row.paraphraser == ORIGINAL]
    for row in found.of("imdb", REPLACE) or originals:
        if row.paraphraser in ROWS and row.model in MODELS:
            name, kind = MODELS[row.model]
            seeds[row.model] = row.seeds
            numbers = (100 * row.accuracy, 100 * row.low, 100 * row.high)
            yield Recorded("Table 2", ROWS[row.paraphraser], name, kind, *numbers, row.seeds)
    for one in found.associations:
        if (one.task, one.found.metric) == ("imdb", METRIC) and one.paraphraser in ROWS and one.model in MODELS:
            name, kind = MODELS[one.model]
            group = ROWS[one.paraphraser].removeprefix("Paraphrase ")
            own = one.found
            for measure, numbers in (
                ("Pearson", (own.pearson, own.pearson_low, own.pearson_high)),
                ("Spearman", (own.spearman, own.spearman_low, own.spearman_high)),
            ):
                yield Recorded("Table 3", name, f"{group} {measure}", kind, *numbers, seeds.get(one.model, 1))


def add_recorded(numbers: Iterable[Recorded], path: Path = RECORDED) -> None:
    """Keep the numbers of a grid, for those who do not run it, next to those of other classifiers.

    A column of one classifier has one number of seeds: numbers with another one are refused unless they replace it all.
    """
    added = {one[:4]: one for one in numbers}
    before = {one[:4]: one for one in read_recorded(path)}
    seeds = {_classifier(one): one.seeds for one in added.values()}
    for place, one in before.items():
        if place not in added and seeds.get(_classifier(one), one.seeds) != one.seeds:
            raise InputError(
                f"{path.name} has {one.table}, {one.row}, {one.column} ({one.kind}) of {counted(one.seeds, 'seed')}; "
                f"new numbers of this classifier are of {seeds[_classifier(one)]} and lack it; expected all its numbers"
            )
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(Recorded._fields)
        writer.writerows([*one[:4], *("" if math.isnan(value) else repr(value) for value in one[4:7]), one.seeds]
                         for one in (before | added).values())  # fmt: skip


def _classifier(one: Recorded) -> tuple[str, str, str]:
    """The table, the paper's name of the classifier, and whose network it is."""
    return one.table, one.column if one.table == "Table 2" else one.row, one.kind


def read_recorded(path: Path = RECORDED) -> list[Recorded]:
    """The numbers that were kept; none where there is no file."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        return [
            Recorded(
                line["table"], line["row"], line["column"], line["kind"], float(line["value"] or "nan"),
                float(line["low"] or "nan"), float(line["high"] or "nan"), int(line["seeds"]),
            )
            for line in csv.DictReader(stream)
        ]  # fmt: skip


def computed(numbers: Iterable[Recorded], table: str, source: str) -> dict[Place, Computed]:
    """The numbers of one table as cells, the paper's networks next to the corrected ones."""
    by_place: dict[Place, dict[str, Recorded]] = {}
    for one in numbers:
        if one.table == table:
            by_place.setdefault((one.row, one.column), {})[one.kind] = one
    return {place: _cell(own, source) for place, own in by_place.items()}


def _cell(own: Mapping[str, Recorded], source: str) -> Computed:
    authors, corrected = (own.get(kind, own.get("both")) for kind in ("authors", "corrected"))
    said = [_estimate(one) for one in own.values()]
    if "authors" in own:
        said = [f"{kind} {_estimate(own[kind])}, {padding}" for kind, padding in PADDING.items() if kind in own]
    return Computed(
        None if authors is None else authors.value,
        None if corrected is None else corrected.value,
        "; ".join([*said, WHY, source]),
        stand_in=True,
    )


def _estimate(one: Recorded) -> str:
    """`88.6 (85.8 to 91.4), 5 seeds`; of a correlation with a star where the interval excludes 0."""
    digits = DIGITS[one.table]
    value, low, high = (f"{number:z.{digits}f}".replace("-", "−") for number in one[4:7])
    star = "*" if one.table == "Table 3" and (one.low > 0 or one.high < 0) else ""
    interval = "" if math.isnan(one.low) else f" ({low} to {high})"
    return f"{value}{star}{interval}, {counted(one.seeds, 'seed')}"
