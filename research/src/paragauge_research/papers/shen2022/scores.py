"""The scores behind the tables of Shen et al. 2022: each metric as the authors' code has it, and done correctly."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from paragauge.benchmarks import benchmark
from paragauge.compute.workspace import Workspace
from paragauge.errors import InputError, MissingExtraError, ModelError
from paragauge.metric import Floats
from paragauge.metrics import parse
from paragauge.metrics.overall.bert_ibleu import harmonic
from paragauge.models.hub.registry import ALIASES
from paragauge.tables.ratings import Codes, Ratings
from paragauge.tables.samples import Samples

from ...analyses.distances import distance_of
from . import authors

# The layers that bert_score 0.3.13 takes for these models; of others, as everywhere here, the last.
LAYERS = {"bert-base-uncased": 9, "bert-large-uncased": 18, "bert-base-chinese": 8, "roberta-base": 10,
          "roberta-large": 17}  # fmt: skip
MODELS = {  # what weights can be named, and for what of the paper
    "en": "bert-base-uncased, BERTScore(B) on Twitter-Para",
    "zh": "bert-base-chinese, BERTScore(B) on BQ-Para",
    "en-roberta": "RoBERTa, BERTScore(R) on Twitter-Para",
    "zh-roberta": "a Chinese RoBERTa, BERTScore(R) on BQ-Para",
    "en-bart": "BART, BARTScore on Twitter-Para",
    "zh-bart": "a Chinese BART, BARTScore on BQ-Para",
    "en-simcse": "SimCSE, the Sim of Tables 4 to 8 on Twitter-Para",
    "zh-simcse": "a Chinese SimCSE, the Sim of Tables 4 to 8 on BQ-Para",
}
CHINESE = "m3e-small"  # stands in on BQ-Para where it is present: it is not fetched unasked
FLAT = "their BLEU takes each word of the reference for a reference of its own, so it compares words with letters"
SETS = "theirs is the package rouge: case kept (most of the difference in English), repeated words counted once"
SWAPPED = "their code has candidate and reference in each other's place, and BLEU takes words for references"
SPACED = "they put a space after every character, which splits Latin words and numbers"
TURNED = "their code has 1 + SelfBLEU for 1 − SelfBLEU, which rewards a copy, and a BLEU that counts letters"


class Column(NamedTuple):
    """One score per row from the authors' behaviour and from ours; None where there is none."""

    authors: Floats | None
    corrected: Floats | None
    why: str = ""
    stand_in: bool = False
    choice: bool = False


class Part(NamedTuple):
    """Rows for choosing ω and rows for judging, as places in the table of all rows."""

    dev: Codes
    test: Codes

    @property
    def all(self) -> Codes:
        return np.concatenate(self)


class DataSet:
    """One data set with its copies, and the columns of scores that have been asked for."""

    def __init__(self, name: str, models: Mapping[str, str], folder: Path | None, work: Workspace) -> None:
        known = benchmark(name)
        self.title = known.title
        self.language = known.languages
        self.chinese = known.languages == "zh"
        self.ratings: Ratings = known.load(folder).extended()
        self.work = work
        self.read = authors.spaced(self.ratings.samples) if self.chinese else self.ratings.samples  # as they read it
        own = {kind: model for kind, model in models.items() if kind.partition("-")[0] == self.language}
        self.models = {kind.partition("-")[2] or "bert": ALIASES.get(model, model) for kind, model in own.items()}
        stand_in = (CHINESE if _present(CHINESE) else None) if self.chinese else ALIASES["default"]
        self.encoder = self.models.get("bert", stand_in)
        self._similarities: dict[tuple[str, bool, bool], Floats] = {}

    @functools.cached_property
    def sources(self) -> Codes:
        """The source of each row, by number."""
        return self.ratings.sources()

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

    def plain(self, spec: str, samples: Samples | None = None) -> Floats:
        """The scores of one of our metrics."""
        return parse(spec).score(self.ratings.samples if samples is None else samples, self.work)

    def similarity(self, encoder: str, *, free: bool, theirs: bool = False) -> Floats:
        """BERTScore F1 of each row."""
        theirs = theirs and self.chinese  # elsewhere both read the same texts
        key = (encoder, free, theirs)
        if key not in self._similarities:
            spec = f"bertscore{'.free' if free else ''}:encoder={encoder}"
            layer = LAYERS.get(Path(encoder).name)
            spec = spec if layer is None else f"{spec},layer={layer}"
            self._similarities[key] = self.plain(spec, self.read if theirs else None)
        return self._similarities[key]

    @functools.cached_property
    def meaning(self) -> Floats:
        """Sim of Tables 4 to 8: the cosine of sentence vectors, SimCSE's or those of the encoder that stands in."""
        return self.plain(f"cosine.free:encoder={self.models.get('simcse', self.encoder)}")

    def distance(self, to: str, *, theirs: bool = False) -> Floats:
        """Dist: character edit distance to the source or the reference over the longer length.

        Theirs leaves spaces out on BQ-Para: with it, and not without, the log's numbers for case I come out.
        """
        if not (theirs and self.chinese):
            return distance_of(self.ratings, to)
        samples = authors.unspaced(self.ratings.samples)
        return distance_of(Ratings(samples, self.ratings.human), to)

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
                found[f"Rouge-{kind[-1]}{tail}"] = Column(theirs, self.plain(f"{kind}{dot}"), SETS, choice=True)
        return found

    @functools.cached_property
    def meteor(self) -> dict[str, Column]:
        """METEOR, which needs WordNet; the paper has none for Chinese."""
        scores = {"METEOR": self.plain("meteor"), "METEOR.Free": self.plain("meteor.free")}
        return {row: Column(own, own) for row, own in scores.items()}

    @functools.cached_property
    def ibleu(self) -> dict[str, Column]:
        """iBLEU = BLEU − 0.2·SelfBLEU."""
        bleu, copied = self.lexical["BLEU-4"].corrected, self.lexical["BLEU-4.Free"].corrected
        assert bleu is not None
        assert copied is not None
        return {"iBLEU(0.2)": Column(authors.ibleu(self.read), bleu - authors.ALPHA * copied, SWAPPED)}

    def bertscore(self, row: str, kind: str = "bert") -> dict[str, Column]:
        """BERTScore F1: the order of the two texts exchanges precision and recall, and leaves F as it is."""
        encoder = self.encoder if kind == "bert" else self.models.get(kind)
        if encoder is None:
            return {f"{row}{tail}": Column(None, None, self.lacking(kind)) for tail in ("", ".Free")}
        note = self.standing(kind)
        why = "; ".join(filter(None, (note, SPACED if self.chinese else "")))
        found = {}
        for free, tail in enumerate(("", ".Free")):
            theirs, right = (self.similarity(encoder, free=bool(free), theirs=way) for way in (True, False))
            found[f"{row}{tail}"] = Column(theirs, right, why, stand_in=bool(note))
        return found

    def bert_ibleu(self, beta: float) -> Column:
        """BERT-iBLEU with one weight of Sim."""
        if self.encoder is None:
            return Column(None, None, self.lacking("bert"))
        theirs, right = (self.similarity(self.encoder, free=True, theirs=way) for way in (True, False))
        copied = self.lexical["BLEU-4.Free"]
        assert copied.authors is not None
        assert copied.corrected is not None
        note = self.standing("bert")
        return Column(
            authors.bert_ibleu(theirs, copied.authors, beta), harmonic(right, 1 - copied.corrected, beta),
            "; ".join(filter(None, (note, TURNED))), stand_in=bool(note),
        )  # fmt: skip

    def bartscore(self) -> dict[str, Column]:
        """The likelihood of the candidate after the reference or the source, as their calls have it."""
        model = self.models.get("bart")
        if model is None:
            return {row: Column(None, None, self.lacking("bart")) for row in ("BARTScore", "BARTScore.Free")}
        specs = {"BARTScore": "bartscore", "BARTScore.Free": "bartscore.free"}
        scores = {row: self.plain(f"{spec}:model={model},part=precision") for row, spec in specs.items()}
        return {row: Column(own, own) for row, own in scores.items()}

    def standing(self, kind: str) -> str:
        """What stands in for the paper's weights of this kind; nothing where the user named them."""
        wanted = MODELS[self._slot(kind)].partition(",")[0]
        named = Path(self.models.get(kind, self.encoder or "")).name
        if kind in self.models and (kind != "bert" or named == wanted):
            return ""
        return f"{wanted} is not available; {named} stands in"

    def lacking(self, kind: str) -> str:
        """Why a row without weights is empty."""
        slot = self._slot(kind)
        return f"needs weights that are not available: {MODELS[slot].partition(',')[0]} (`{slot}`)"

    def _slot(self, kind: str) -> str:
        return self.language if kind == "bert" else f"{self.language}-{kind}"


class Study:
    """The data sets that are present, and why others are not."""

    def __init__(self, folder: Path | None, models: Mapping[str, str], work: Workspace) -> None:
        self.sets: list[DataSet] = []
        self.missing: dict[str, str] = {}
        for name in ("twitter-para", "bq-para"):
            try:
                self.sets.append(DataSet(name, models, folder, work))
            except InputError as error:
                self.missing[benchmark(name).title] = str(error)
        if not self.sets:
            raise InputError(next(iter(self.missing.values())))


def attempt(rows: Sequence[str], make: Callable[[], dict[str, Column]]) -> dict[str, Column]:
    """What `make` gives; where a model or an extra is missing, a column of nothing for each row, with the reason."""
    try:
        return make()
    except (ModelError, MissingExtraError) as error:
        return {row: Column(None, None, str(error)) for row in rows}


def _present(name: str) -> bool:
    from paragauge.models.hub.registry import entry_named
    from paragauge.models.hub.verify import present_folder

    try:
        return present_folder(entry_named(name)) is not None
    except ModelError:
        return False
