"""Every generator on the same held-out sources, by the metrics of meaning, wording, diversity and fluency.

The paper trains on 20 million pairs and prints no table of this kind; what it prints is the diversity of five
paraphrases by each method (Table 2), whose order is compared.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from paragauge.benchmarks import folders
from paragauge.compute.workspace import Workspace
from paragauge.errors import InputError, ParagaugeError
from paragauge.evaluate.api import evaluate_whole
from paragauge.metrics import parse as parse_metric
from paragauge.paraphraser import Paraphraser
from paragauge.paraphrasers import parse
from paragauge.paraphrasers._seq2seq import Seq2SeqParaphraser
from paragauge.paraphrasers.sampled import Sampled
from paragauge.tables.samples import Samples
from paragauge.text.normalize import alphanumeric

from ...training.paraphraser import CONFIGURATIONS
from ...training.paraphraser.configuration import DataSet, read_configuration
from ...training.paraphraser.pairs import read_reserved
from .. import Request
from ..cells import Cell, Computed, cell, read_printed

ROWS = 50  # sources of each test part
FEWER = {"SmolLM2": 10}  # of methods that take seconds for each
N = 5  # candidates of each
ONE = ("wordswap-1", "wordswap-2", "wordswap-3")  # additional candidates are those of the next neighbours, another row
SETS = {"Quora": "quora", "ParaBank 2": "parabank2", "MSCOCO": "mscoco"}
TABLES = tuple(SETS)
ORDER = "order of diversity"
COPY, HUMAN = "copy", "human reference"
METHODS = {
    "wordswap-1": "wordswap-1",
    "wordswap-2": "wordswap-2",
    "wordswap-3": "wordswap-3",
    "wordnet-swap": "wordnet-swap",
    "beam": "beam",
    "sampled": "sampled",
    "random codes": "random",
    "semantic codes": "semantic",
    "syntactic codes": "syntactic",
    "constrained": "constrained:avoid_source=yes",
    "reranked": "reranked",
    "round trip": "round-trip",
    "SmolLM2": "instruct",
}
FLUENCY = "fluency"  # of first candidates alone: the language model reads longer than all other metrics
COLUMNS = {
    "ParaScore": "parascore",
    "ParaScore.Free": "parascore-free",
    "meaning": "meaning",
    "changed": "changed",
    "usable": "usable",
    "iBLEU": "ibleu",
    "BERT-iBLEU": "bert-ibleu",
    "Self-BLEU": "selfbleu",
    "DS-BOW": "ds-bow",
    "DS-tree": "ds-tree",
    FLUENCY: "slor",
}
SOURCES, COPIES, SECONDS = "sources", "copies", "seconds per 1,000"
# Table 2 of the paper, five paraphrases: from the least diverse to the most
PRINTED_ORDER = ("random codes", "beam", "semantic codes", "syntactic codes", "sampled")
DIVERSITY = ("DS-BOW", "DS-tree")
OF_SETS = ("Self-BLEU", *DIVERSITY)
REFERENCED = ("ParaScore", "iBLEU")
_OTHER = "another model and other data than the paper's"


class Pairs(NamedTuple):
    """The sources of a test part, and what people wrote for each."""

    sources: list[str]
    references: list[list[str]]


class Generated(NamedTuple):
    """The candidates of each source, and the seconds they took."""

    candidates: Sequence[Sequence[str]]
    seconds: float
    repeated: Sequence[Sequence[str]] | None = None  # the same where a text that was written twice counts twice


def compute(request: Request) -> Iterator[Cell]:
    """One table for each test part, a row for each generator; then the order of diversity."""
    folder = _folder(request.data)
    found: dict[str, dict[str, dict[str, Computed]]] = {}
    asked = [name for name in SETS if request.wanted(name) or request.wanted(ORDER)]
    rows = [(name, method) for name in asked for method in (COPY, *METHODS, HUMAN)]
    pairs = {name: read_test(_sets()[SETS[name]], folder) for name in asked}
    for done, (name, method) in enumerate(rows):
        if request.progress is not None:
            request.progress("generators", done, len(rows))
        own = found.setdefault(name, {})
        own[method] = measured(pairs[name], method, request.models)
        yield from (cell(name, method, column, None, value) for column, value in own[method].items())
    for name in asked:
        yield from _order(name, found[name])


def read_test(one: DataSet, folder: Path) -> Pairs:
    """The first different sources of a test part, with all of their references."""
    found: dict[str, list[str]] = {}
    for source, target in read_reserved(one, folder):
        if source in found or len(found) < ROWS:
            found.setdefault(source, []).append(target)
    return Pairs(list(found), list(found.values()))


def measured(pairs: Pairs, method: str, models: Mapping[str, str]) -> dict[str, Computed]:
    """Every column of a generator; why there is none, where it cannot run here."""
    rows = FEWER.get(method, ROWS)
    pairs = Pairs(pairs.sources[:rows], pairs.references[:rows])
    try:
        generated = _generated(pairs, method, models)
    except (ParagaugeError, OSError) as error:
        return {column: Computed(None, None, f"{method}: {error}") for column in (*COLUMNS, COPIES, SECONDS, SOURCES)}
    work, samples = Workspace(), _samples(pairs, generated.candidates)
    sets = samples if generated.repeated is None else _samples(pairs, generated.repeated)
    read = dict.fromkeys(OF_SETS, sets) | {FLUENCY: _samples(pairs, [own[:1] for own in generated.candidates])}
    if method == HUMAN:
        read |= dict.fromkeys(REFERENCED, _beside_others(samples))
    found = {column: _mean(spec, read.get(column, samples), work) for column, spec in COLUMNS.items()}
    same = [
        alphanumeric(one) == alphanumeric(other) for one, other in zip(samples.sources, samples.candidates, strict=True)
    ]
    seconds = 1000 * generated.seconds / len(pairs.sources)
    return found | {
        COPIES: Computed(None, float(np.mean(same)) if same else None),
        SECONDS: Computed(None, seconds if method not in (COPY, HUMAN) else None),
        SOURCES: Computed(None, float(len(pairs.sources))),
    }


def _generated(pairs: Pairs, method: str, models: Mapping[str, str]) -> Generated:
    if method == COPY:
        return Generated([[source] for source in pairs.sources], 0.0)
    if method == HUMAN:
        return Generated([own[:N] for own in pairs.references], 0.0)
    paraphraser = parse(METHODS[method])
    model = models.get(METHODS[method], models.get("paraphraser"))
    if isinstance(paraphraser, Seq2SeqParaphraser) and model is not None:
        paraphraser = replace(paraphraser, model=model)
    count = 1 if method in ONE else N
    list(paraphraser.generate(pairs.sources[:1], count))  # what is loaded once is not timed
    started = time.perf_counter()
    found = [[candidate.text for candidate in own] for own in paraphraser.generate(pairs.sources, count)]
    seconds = time.perf_counter() - started
    return Generated(found, seconds, _repeated(paraphraser, pairs.sources) if method in PRINTED_ORDER else None)


def _repeated(paraphraser: Paraphraser, sources: Sequence[str]) -> list[list[str]] | None:
    """The first n texts that a model wrote of each source, whether or not it wrote them before.

    The paper takes the diversity of five paraphrases by each method. Without those that are there already, random codes
    would be as diverse as the few sources where they make a difference. Samples seldom repeat, and are slow to draw.
    """
    if not isinstance(paraphraser, Seq2SeqParaphraser) or isinstance(paraphraser, Sampled):
        return None
    found = paraphraser.written(sources, N)
    return [[] if isinstance(own, str) else [one.text for one in own[:N] if one.text.strip()] for own in found]


def _samples(pairs: Pairs, candidates: Sequence[Sequence[str]]) -> Samples:
    rows = [
        (source, text, references)
        for source, references, own in zip(pairs.sources, pairs.references, candidates, strict=True)
        for text in own
    ]
    return Samples.of([row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows])


def _beside_others(samples: Samples) -> Samples:
    """References as candidates: each next to the other references of its source; left out where it is the only one."""
    others = [
        [other for other in group if other != text]
        for text, group in zip(samples.candidates, samples.references, strict=True)
    ]
    rows = [row for row, group in enumerate(others) if group]
    return Samples.of(
        [samples.sources[row] for row in rows], [samples.candidates[row] for row in rows], [others[row] for row in rows]
    )


def _mean(spec: str, samples: Samples, work: Workspace) -> Computed:
    if not len(samples):
        return Computed(None, None, f"{spec}: no source has two different references")
    try:
        scores = evaluate_whole(samples, [parse_metric(spec)], work)
        values = next(iter(scores.columns.values())).scores
    except ParagaugeError as error:
        return Computed(None, None, f"{spec}: {error}")
    known = values[~np.isnan(values)]
    if not len(known):
        return Computed(None, None, f"{spec} is not defined here: a source has one candidate")
    return Computed(None, float(known.mean()))


def _order(name: str, found: Mapping[str, Mapping[str, Computed]]) -> Iterator[Cell]:
    """The place of each method among the five by each measure of diversity, 1 for the least diverse."""
    printed = read_printed(Path(__file__).parent)[ORDER]
    for column in DIVERSITY:
        values = [found[method][column].corrected for method in PRINTED_ORDER]
        known = [value for value in values if value is not None]
        places: Sequence[float | None] = [None] * len(values)
        if len(known) == len(values):
            places = rankdata(known).tolist()
        for method, place in zip(PRINTED_ORDER, places, strict=True):
            why = _OTHER if place is not None else "not all five methods could run"
            row = f"{name}, {column}"
            yield cell(ORDER, row, method, printed.get((row, method)), Computed(None, place, why, stand_in=True))


def _sets() -> Mapping[str, DataSet]:
    return read_configuration(CONFIGURATIONS / "default.toml").sets


def _folder(data: Path | None) -> Path:
    looked = folders(data)
    files = [file for name in SETS.values() for file in _sets()[name].reserved]
    for place in looked:
        if all((place / file).is_file() for file in files):
            return place
    raise InputError(
        f"the test parts were not found: {', '.join(islice(files, 3))} …, looked for in {', '.join(map(str, looked))}"
    )
