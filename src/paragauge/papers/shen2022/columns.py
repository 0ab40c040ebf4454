"""The scores behind the tables of Shen et al. 2022: each metric as the authors' code has it, and done right."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...benchmarks import benchmark
from ...compute.workspace import Workspace
from ...errors import MissingExtraError, ModelError
from ...metric import Floats, Metric
from ...metrics import parse
from ...models.hub.registry import ALIASES
from ...tables.ratings import Codes, Ratings
from . import authors

# The layers that bert_score 0.3.13 takes for these models; of others, as everywhere here, the last.
LAYERS = {"bert-base-uncased": 9, "bert-large-uncased": 18, "bert-base-chinese": 8, "roberta-base": 10,
          "roberta-large": 17}  # fmt: skip

BETAS = (4.0, 5.0, 10.0)  # of BERT-iBLEU
FLAT = "their BLEU takes each word of the reference for a reference of its own, so it compares words with letters"
LETTERS = "their METEOR hands nltk a text for the list of references, so each letter is one; nltk from 3.6.5 refuses it"
SETS = "theirs is the package rouge: case kept (most of the difference in English), repeated words counted once"
SWAPPED = "candidate and reference stand in each other's place, and BLEU takes words for references"
NOT_FREE = (
    "their iBLEU in free mode still reads the references: the same numbers; without references iBLEU has no value"
)
SPACED = "they put a space after every character, which cuts Latin words and numbers apart"


class Column(NamedTuple):
    """One score per row from the authors' behaviour and from ours; None where there is none."""

    authors: Floats | None
    corrected: Floats | None
    why: str = ""


class Part(NamedTuple):
    """Rows for choosing ω and rows for judging, as places in the table of all rows."""

    dev: Codes
    test: Codes


class DataSet:
    """One data set with its copies, and the columns of scores that have been asked for."""

    def __init__(self, name: str, encoders: Sequence[str], folder: Path | None, work: Workspace) -> None:
        known = benchmark(name)
        self.title = known.title
        self.chinese = known.languages == "zh"
        self.ratings: Ratings = known.load(folder).extended()
        self.encoders = list(dict.fromkeys(ALIASES.get(encoder, encoder) for encoder in encoders))
        self.work = work
        self.read = authors.spaced(self.ratings.samples) if self.chinese else self.ratings.samples  # as they read it
        self._similarities: dict[tuple[str, bool, bool], Floats] = {}

    def part(self, *, extended: bool) -> Part:
        """The first tenth of the rows and the rest, with or without the copies."""
        rows = np.arange(len(self.ratings))
        if not extended:
            rows = rows[np.array(self.ratings.samples.systems) != "copy"]
        cut = len(rows) // 10
        return Part(rows[:cut], rows[cut:])

    def others(self, *, free: bool) -> list[str]:
        """What each candidate is compared with, as the authors' code reads it."""
        return self.read.sources if free else [group[0] for group in self.read.references]

    def plain(self, metric: Metric) -> Floats:
        """The scores of one of our metrics."""
        return metric.score(self.ratings.samples, self.work)

    def similarity(self, encoder: str, *, free: bool, theirs: bool = False) -> Floats:
        """BERTScore F1 of each row."""
        theirs = theirs and self.chinese  # elsewhere both read the same texts
        key = (encoder, free, theirs)
        if key not in self._similarities:
            spec = f"bertscore{'.free' if free else ''}:encoder={encoder}"
            layer = LAYERS.get(Path(encoder).name)
            metric = parse(spec if layer is None else f"{spec},layer={layer}")
            samples = self.read if theirs else self.ratings.samples
            self._similarities[key] = metric.score(samples, self.work)
        return self._similarities[key]

    @functools.cached_property
    def distance(self) -> Floats:
        """Character edit distance to the source over the longer length; without the added spaces in both."""
        return self.plain(parse("ned.free"))

    @functools.cached_property
    def lexical(self) -> dict[str, Column]:
        """The rows that need no model."""
        found: dict[str, Column] = {}
        for free in (False, True):
            tail, dot = (".Free", ".free") if free else ("", "")
            others, candidates = self.others(free=free), self.read.candidates
            flat, right = (authors.bleu(others, candidates, flat=way) for way in (True, False))
            found[f"BLEU-4{tail}"] = Column(flat, right, FLAT)
            for kind in ("rouge1", "rouge2", "rougeL"):
                theirs = authors.rouge(kind, others, candidates)
                found[f"ROUGE-{kind[-1]}{tail}"] = Column(theirs, self.plain(parse(f"{kind}{dot}")), SETS)
        return found

    @functools.cached_property
    def meteor(self) -> dict[str, Column]:
        """METEOR, which needs WordNet."""
        found = {}
        for free in (False, True):
            letters = authors.letters_as_references(self.read, free=free)
            theirs = parse("meteor:tokenizer=none").score(letters, self.work)
            right = self.plain(parse("meteor.free" if free else "meteor"))
            found["METEOR.Free" if free else "METEOR"] = Column(theirs, right, LETTERS)
        return found

    @functools.cached_property
    def ibleu(self) -> dict[str, Column]:
        """iBLEU = BLEU − 0.2·SelfBLEU."""
        theirs = authors.ibleu(self.read)
        bleu, copied = self.lexical["BLEU-4"].corrected, self.lexical["BLEU-4.Free"].corrected
        assert bleu is not None
        assert copied is not None
        right = bleu - authors.ALPHA * copied
        return {"iBLEU": Column(theirs, right, SWAPPED), "iBLEU.Free": Column(theirs, None, NOT_FREE)}

    def bertscore(self, encoder: str) -> dict[str, Column]:
        """BERTScore F1: the order of the two texts exchanges precision and recall, and leaves F as it is."""
        found = {}
        for free, row in enumerate(both("BERTScore", encoder)):
            theirs, right = (self.similarity(encoder, free=bool(free), theirs=way) for way in (True, False))
            found[row] = Column(theirs, right, SPACED if self.chinese else "")
        return found

    def bartscore(self, model: str) -> dict[str, Column]:
        """The likelihood of the candidate after the reference or the source, as their calls have it."""
        found = {}
        for row, variant in zip(both("BARTScore", model), ("bartscore", "bartscore.free"), strict=True):
            scores = self.plain(parse(f"{variant}:model={model},part=precision"))
            found[row] = Column(scores, scores)
        return found


def label(encoder: str) -> str:
    """The name of an encoder in a row: of a folder or a hub id, its last part."""
    return Path(ALIASES.get(encoder, encoder)).name


def attempt(rows: Sequence[str], make: Callable[..., dict[str, Column]], *arguments: object) -> dict[str, Column]:
    """What `make` gives; where a model or an extra is missing, a column of nothing for each row, with the reason."""
    try:
        return make(*arguments)
    except (ModelError, MissingExtraError) as error:
        return {row: Column(None, None, str(error)) for row in rows}


def both(row: str, encoder: str) -> list[str]:
    """The names of a row of an encoder, with references and without."""
    return [f"{row}, {label(encoder)}", f"{row}.Free, {label(encoder)}"]
