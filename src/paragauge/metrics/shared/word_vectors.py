"""What metrics that look words up in a table of vectors share: vectors, words, and transport of one set to another."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...metric import ComparisonMetric, Floats, Metric, Samples, Workspace, parameter
from ...models.lexical.vectors import Vectors, load_vectors
from ...process.extras import require
from ...tables.notices import NoticeKind
from ...text.tokens import NAMES, tokenizer

# As the Penn Treebank cuts them, and with it the text that GloVe's vectors were learned from.
_CONTRACTION = re.compile(r"(.+)(n't|'(?:s|re|ve|ll|d|m))", re.IGNORECASE)


# pivots of the network simplex; two texts of 500 words each need fewer than 100,000
_PIVOTS = 10_000_000


class Bag(NamedTuple):
    """The distinct words of a text: those with a vector by their rows, the others as they are; and how often."""

    rows: NDArray[np.intp]
    counts: Floats
    unknown: dict[str, int]


@dataclass(frozen=True)
class BagOfWords:
    """The bag of words of a text. By `auto`, a contraction without a vector is split in two: don't is do, n't."""

    vectors: Vectors
    tokenizer: str
    lowercase: bool

    @property
    def signature(self) -> str:
        return f"words:{self.vectors.sha256}:{self.tokenizer}:{'lower' if self.lowercase else 'mixed'}"

    def compute(self, keys: Sequence[str]) -> Iterable[Bag]:
        split = tokenizer(self.tokenizer)
        for key in keys:
            found: Counter[int] = Counter()
            unknown: Counter[str] = Counter()
            for word, count in Counter(split(key.lower() if self.lowercase else key)).items():
                if (row := self.vectors.row(word)) >= 0:
                    found[row] += count
                    continue
                for part in self._parts(word):
                    if (row := self.vectors.row(part)) >= 0:
                        found[row] += count
                    else:
                        unknown[part] += count
            rows = sorted(found)
            yield Bag(np.array(rows, np.intp), np.array([found[row] for row in rows], np.float64), dict(unknown))

    def _parts(self, word: str) -> Sequence[str]:
        cut = _CONTRACTION.fullmatch(word.replace("’", "'")) if self.tokenizer == "auto" else None
        return (word,) if cut is None else cut.groups()


class VectorTable(NamedTuple):
    """The distinct texts of some pairs, and the vectors of all their words."""

    bags: list[Bag]
    pairs: NDArray[np.intp]  # [n, 2]: which two of the texts
    places: list[NDArray[np.intp]]  # of each text: where its rows are in `table`
    table: Floats  # [distinct words, dimension]

    def defined(self) -> NDArray[np.bool_]:
        """The pairs of which both texts have a word with a vector."""
        filled = np.array([len(bag.rows) > 0 for bag in self.bags], dtype=np.bool_)
        both: NDArray[np.bool_] = filled[self.pairs[:, 0]] & filled[self.pairs[:, 1]]
        return both

    def of_defined(self) -> Iterator[tuple[int, int, int]]:
        """Number of the pair and of its two texts."""
        for number in np.flatnonzero(self.defined()).tolist():
            yield number, int(self.pairs[number, 0]), int(self.pairs[number, 1])

    def cosines(self, vectors: Floats) -> Floats:
        """Of every pair, by one vector per text; NaN where a text has no word or its vector no direction."""
        unit = directions(vectors)
        found = np.clip(np.einsum("nd,nd->n", unit[self.pairs[:, 0]], unit[self.pairs[:, 1]]), -1, 1)
        directed = (unit != 0).any(axis=1)[self.pairs].all(axis=1)
        return np.where(self.defined() & directed, found, np.nan)


def directions(vectors: Floats) -> Floats:
    """Each row at length 1; a row of zeros stays one."""
    lengths = np.sqrt(np.einsum("nd,nd->n", vectors, vectors))[:, None]
    unit: Floats = vectors / np.where(lengths > 0, lengths, 1)
    return unit


@dataclass(frozen=True, kw_only=True)
class WordVectors(Metric):
    """A metric by word vectors. A word without one is left out; a text without any word left scores NaN."""

    loads = "word vectors"
    light = False

    vectors: str = parameter("default", "name (see `paragauge models`), or a file: word2vec, GloVe or fastText .vec")
    tokenizer: str = parameter("auto", "tokenization", choices=NAMES)
    lowercase: bool = parameter(True, "lower-case first; no: as written, in lower case where that is unknown")

    def load(self) -> Vectors:
        """The vectors, loaded once per process."""
        return load_vectors(self.vectors)

    def bags(self, texts: Sequence[str], work: Workspace) -> list[Bag]:
        """The words of every text; counts in the workspace how many have no vector."""
        vectors = self.load()
        found = work.get(BagOfWords(vectors, self.tokenizer, self.lowercase), texts)
        for text, bag in dict(zip(texts, found, strict=True)).items():
            if work.is_new(vectors.sha256, text):
                unknown = sum(bag.unknown.values())
                tokens = int(bag.counts.sum()) + unknown
                work.notices.add(NoticeKind.UNKNOWN_TOKENS, vectors.name, unknown, tokens)
        return found

    def look_up(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> VectorTable:
        """Each distinct text and each distinct word of the pairs once."""
        texts = {text: None for pair in pairs for text in pair}
        numbers = {text: number for number, text in enumerate(texts)}
        bags = self.bags(list(texts), work)
        rows, places = np.unique(
            np.concatenate([np.empty(0, np.intp), *(bag.rows for bag in bags)]), return_inverse=True
        )
        ends = np.cumsum([len(bag.rows) for bag in bags], dtype=np.intp)
        chosen = np.array([(numbers[text], numbers[other]) for text, other in pairs], np.intp).reshape(-1, 2)
        table = self.load().matrix[rows].astype(np.float64)
        return VectorTable(bags, chosen, np.split(places, ends)[:-1], table)

    def details(self) -> dict[str, str]:
        vectors = self.load()
        return {"vectors": vectors.name, "sha256": vectors.sha256[:12]}

    def reason(self, samples: Samples, row: int) -> str:
        own = samples.rows([row])
        others = self.against(own)[0] if isinstance(self, ComparisonMetric) else tuple(own.sources)
        sides = {
            "candidate": tuple(own.candidates),
            "references" if "references" in self.needs else "source": others,
        }
        if all(text.strip() for text in own.candidates) and others:
            for side, texts in sides.items():
                if not any(len(bag.rows) for bag in self.bags(texts, Workspace())):
                    return f"no word of the {side} has a vector in {self.load().name}"
        return super().reason(samples, row)


@functools.cache
def _solver() -> tuple[Callable[..., Any], Callable[..., Any]]:
    emd2 = require("ot", "transport", "this metric solves transport problems with POT").emd2
    from scipy.spatial.distance import cdist

    return emd2, cdist


def check_solver() -> None:
    """A MissingExtraError where the solver is not installed."""
    _solver()


def distances(points: Floats, others: Floats) -> Floats:
    """Euclidean, [n, m]; by differences, so that equal points are exactly 0 apart."""
    found: Floats = _solver()[1](points, others)
    return found


def transport_cost(supply: Floats, demand: Floats, costs: Floats) -> float:
    """The least cost of moving `supply` [n] to `demand` [m], which have the same sum; `costs` is [n, m]."""
    if 1 in costs.shape:  # everything goes to the one place, or comes from it
        return float(np.dot(costs.ravel(), demand if len(supply) == 1 else supply))
    scale = supply.sum()
    found = _solver()[0](
        supply / scale, demand / demand.sum(), costs, numItermax=_PIVOTS, center_dual=False, check_marginals=False
    )
    return float(found) * float(scale)
