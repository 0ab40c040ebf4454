"""The contract of a metric: its parameters are its fields, and its fields are its signature."""

from __future__ import annotations

import dataclasses
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ._version import __version__
from .compute.workspace import Workspace as Workspace
from .errors import InputError, nearest
from .files.rows import read
from .parameters import Configured, written
from .parameters import parameter as parameter
from .tables.samples import Samples as Samples
from .tables.samples import is_empty
from .tables.shared_rows import check_empty
from .verdict.judgment import Criterion, Judgment

Floats = NDArray[np.float64]
Pairs = Sequence[tuple[str, str]]
_COLUMNS = ("sources", "candidates", "references", "systems", "ids")
UNDEFINED = "the metric is undefined for this text"
Loads = Literal["nothing", "encoder", "language model", "pair model", "word vectors", "WordNet", "parser", "METEOR jar"]
Need = Literal["source", "references", "source and references", "nothing"]  # besides the candidate


@dataclasses.dataclass(frozen=True, kw_only=True)
class Metric(Configured, ABC):
    """One number per row of Samples. NaN means undefined for that row; `reason` says why."""

    title: ClassVar[str]
    symmetric: ClassVar[bool] = False
    copy_is_best: ClassVar[bool] = True  # does a text compared with itself reach the end of the range?
    unit: ClassVar[Literal["pair", "source", "system"]] = "pair"
    citation: ClassVar[str]
    limits: ClassVar[str] = ""  # where it fails: shown on the metric's card
    related: ClassVar[Sequence[str]] = ()
    elsewhere: ClassVar[str] = ""  # other implementations and cards, and where they are wrong: shown on the card
    scores_empty: ClassVar[bool] = False  # has an empty candidate a score by the metric's own definition, as BLEU's 0?
    normalizes: ClassVar[bool] = False  # does it always read texts as `normalize=yes` does, without that parameter?
    loads: ClassVar[Loads] = "nothing"  # whose weights or tables it reads
    light: ClassVar[bool] = True  # does it run with the plain installation and the default encoder?

    # A class attribute where it is the same for all parameters, else a property: true for the metric as configured.

    @property
    @abstractmethod
    def needs(self) -> Need:
        """What it needs besides the candidate."""

    @property
    @abstractmethod
    def range(self) -> tuple[float, float]:
        """Lowest and highest possible score."""

    @property
    @abstractmethod
    def higher_is_better(self) -> bool:
        """Is a higher score better?"""

    @property
    def shares(self) -> bool:
        """Is each score 0 or 1, so that the mean is a share?"""
        return False

    @abstractmethod
    def rate(self, samples: Samples, work: Workspace) -> Floats:
        """One score per row, NaN where it is undefined."""

    def score(self, samples: Samples | None = None, work: Workspace | None = None, **columns: Any) -> Floats:
        """One score per row of `samples`, or of the columns `sources=`, `candidates=`, `references=`.

        A column that the metric does not read may be left out. An empty candidate scores NaN, unless the metric's own
        definition has a score for it (`scores_empty`).
        """
        samples = self._given(samples, columns)
        work = Workspace() if work is None else work
        self.prepare([samples], work)
        return self.of_candidates(samples, self.rate(samples, work))

    def corpus(
        self, samples: Samples | None = None, work: Workspace | None = None, *, empty: str = "worst", **columns: Any
    ) -> float:
        """One score for all rows, given as for `score`: their mean, unless the metric has a corpus form.

        An empty candidate counts as the worst score (`empty="skip"`: not at all); other undefined rows are left out.
        """
        samples = counted_rows(self._given(samples, columns), empty)
        scores = self.with_failures(samples, self.score(samples, work), empty)
        weights = self.weights(samples)
        defined = ~np.isnan(scores)
        if not defined.any():
            return float("nan")
        return float(np.average(scores[defined], weights=None if weights is None else weights[defined]))

    def _given(self, samples: Samples | None, columns: Mapping[str, Any]) -> Samples:
        if samples is not None:
            if columns:
                raise InputError(f"{self.name}: give either samples or columns ({', '.join(columns)}), not both")
            return read(samples)
        unknown = [name for name in columns if name not in _COLUMNS]
        if unknown:
            raise InputError(f"{self.name}: no column named '{unknown[0]}'{nearest(unknown[0], _COLUMNS)}")
        reads = {"sources": "source" in self.needs, "references": "references" in self.needs}
        lacking = [name for name, needed in reads.items() if needed and columns.get(name) is None]
        if lacking:
            raise InputError(f"{self.spec} needs {' and '.join(lacking)}, which were not given")
        return Samples.of(**columns)

    def of_candidates(self, samples: Samples, scores: Floats) -> Floats:
        """These scores, but NaN where there is no candidate to score."""
        without = np.zeros(len(samples), dtype=np.bool_) if self.scores_empty else samples.failures()
        without[list(samples.missing)] = True
        return np.where(without, np.nan, scores) if without.any() and scores.shape == without.shape else scores

    @property
    def worst(self) -> float:
        """The worse end of the range, which an empty candidate counts as; NaN where that is infinite."""
        end = self.range[0] if self.higher_is_better else self.range[1]
        return end if np.isfinite(end) else float("nan")

    def with_failures(self, samples: Samples, scores: Floats, empty: str) -> Floats:
        """The scores that a mean is of: the worst for an empty candidate of a row that has all else the metric needs.

        Where nothing is the worst, because the range has no such end, the score stays as it is.
        """
        failures = samples.failures()
        if empty != "worst" or not failures.any() or np.isnan(self.worst):
            return scores
        return np.where(failures & self._has_needs(samples), self.worst, scores)

    def _has_needs(self, samples: Samples) -> NDArray[np.bool_]:
        found = np.ones(len(samples), dtype=np.bool_)
        if "source" in self.needs:
            found &= np.array([bool(source.strip()) for source in samples.sources], dtype=np.bool_)
        if "references" in self.needs:
            found &= np.array([bool(group) for group in samples.references], dtype=np.bool_)
        return found

    def learn(self, samples: Samples, work: Workspace) -> None:
        """Learn from a chunk of the input, before scoring begins (only where `learns` is true)."""
        raise NotImplementedError(f"{self.name} has nothing to learn")

    @property
    def learns(self) -> bool:
        """Must it see the whole input before the first row is scored?"""
        return False

    def prepare(self, chunks: Iterable[Samples], work: Workspace) -> None:
        """Survey a whole input again, if this metric needs that."""
        if self.learns:
            work.prepared.pop(self.spec, None)
            for chunk in chunks:
                self.learn(chunk, work)

    def weights(self, samples: Samples) -> Floats | None:  # noqa: ARG002
        """What each row counts in a mean, where that is not 1: of a set's rows, together 1."""
        return None

    def reason(self, samples: Samples, row: int) -> str:
        """Why the score of this row is NaN."""
        if row in samples.missing:
            return "the candidate is missing"
        if is_empty(samples.candidates[row]):
            return "the candidate is empty"
        if "source" in self.needs and not samples.sources[row].strip():
            return "the source is empty"
        if "references" in self.needs and not samples.references[row]:
            return "the row has no reference"
        return UNDEFINED

    def why(self, samples: Samples, row: int) -> str:
        """Why the score of this row is NaN: for want of a candidate, or else for a reason of the metric's own."""
        without = row in samples.missing or (is_empty(samples.candidates[row]) and not self.scores_empty)
        return Metric.reason(self, samples, row) if without else self.reason(samples, row)

    def remarks(self, samples: Samples, work: Workspace) -> dict[int, str]:  # noqa: ARG002
        """What the reader of a row's score should know, by row; asked for after the rows are scored."""
        return {}

    def judgments(self, samples: Samples, work: Workspace) -> list[Judgment] | None:  # noqa: ARG002
        """The verdict on each row, of a metric that judges: its scores and notes are read off that."""
        return None

    @property
    def criterion(self) -> Criterion | None:
        """What its verdict depends on, of a metric that judges."""
        return None

    def details(self) -> dict[str, str]:
        """Signature entries beyond the parameters, such as the sha256 of weights; an entry replaces the field."""
        return {}

    def learned(self, work: Workspace) -> dict[str, str]:
        """A short sha256 of what was learned from the input, where the scores depend on that."""
        if not self.learns or self.spec not in work.prepared:
            return {}
        return {"survey": hashlib.sha256(repr(sorted(work.prepared[self.spec].items())).encode()).hexdigest()[:12]}

    def signature(self, references: str = "0", work: Workspace | None = None, empty: str | None = None) -> str:
        """Everything the number depends on: `bleu|against:references|nrefs:1|…|version:0.2.0`.

        `empty` is what an empty candidate counts in a mean, where there is one.
        """
        entries = {field.name: written(getattr(self, field.name)) for field in dataclasses.fields(self)}
        if entries.pop("free", None) is not None:
            entries = {"against": "source" if getattr(self, "free", False) else "references"} | entries
        if "references" in self.needs:
            entries["nrefs"] = references
        entries |= self.details() | (self.learned(work) if work is not None else {}) | {"empty": empty or ""}
        return "|".join([self.name, *(f"{key}:{value}" for key, value in entries.items() if value)]) + (
            f"|version:{__version__}"
        )


@dataclasses.dataclass(frozen=True, kw_only=True)
class ComparisonMetric(Metric):
    """A metric that holds the candidate against the references or, when `free`, against the source."""

    compares_with: ClassVar[Need] = "references"  # where it is not `free`
    pools_references: ClassVar[bool] = False  # are several references taken together, and not the best of them?
    free: bool = parameter(False, "compare with the source instead of the references")

    def against(self, samples: Samples) -> list[tuple[str, ...]]:
        """What each candidate is compared with; empty where there is nothing."""
        if self.free:
            return [(text,) if text.strip() else () for text in samples.sources]
        return samples.references

    @property
    def needs(self) -> Need:
        return "source" if self.free else self.compares_with


class PairMetric(ComparisonMetric):
    """A metric of two texts; of several references the best counts."""

    @abstractmethod
    def compare(self, pairs: Pairs, work: Workspace) -> Floats | list[float]:
        """One score per (candidate, other text)."""

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        groups = self.against(samples)
        pairs = [(text, other) for text, group in zip(samples.candidates, groups, strict=True) for other in group]
        scores = np.asarray(self.compare(pairs, work), dtype=np.float64)
        if len(scores) != len(pairs):
            raise InputError(f"{self.name}: compare gave {len(scores):,} scores for {len(pairs):,} pairs")
        return best(scores, groups, highest=self.higher_is_better)


class SumMetric(Metric):
    """A metric made of sums: counts per row first, so that corpus scores and bootstraps are exact."""

    @abstractmethod
    def counts(self, samples: Samples, work: Workspace) -> Floats:
        """One vector of counts per row; a row of NaN where the metric is undefined."""

    @abstractmethod
    def from_counts(self, counts: Floats, *, corpus: bool) -> Floats:
        """Scores of vectors of counts: of single rows, or of sums over rows when `corpus`."""

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        return self.from_counts(self.counts(samples, work), corpus=False)

    def corpus(
        self, samples: Samples | None = None, work: Workspace | None = None, *, empty: str = "worst", **columns: Any
    ) -> float:
        """The score of the summed counts; an empty candidate has counts as any other, unless `empty="skip"`."""
        samples = counted_rows(self._given(samples, columns), empty)
        counts = self.counts(samples, Workspace() if work is None else work)
        if np.isnan(counts).all():
            return float("nan")
        return float(self.from_counts(np.nansum(counts, axis=0, keepdims=True), corpus=True)[0])


class CountMetric(SumMetric, ComparisonMetric):
    """A metric made of sums that holds the candidate against the references or, when `free`, against the source."""


class SetMetric(Metric):
    """A metric of all candidates that one system has for one source; each row of the set carries the set's score.

    A set is of the candidates that have text: an empty one has no part in it, and scores NaN.
    """

    unit: ClassVar[Literal["pair", "source", "system"]] = "source"
    needs: ClassVar[Need] = "source"

    @abstractmethod
    def rate_sets(self, sets: Sequence[Samples], work: Workspace) -> Floats:
        """One score per set of rows that share system and source; NaN where it is undefined."""

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        without = samples.failures()
        without[list(samples.missing)] = True
        groups = [filled for rows in samples.sets() if (filled := [row for row in rows if not without[row]])]
        scores = self.rate_sets([samples.rows(rows) for rows in groups], work)
        result = np.full(len(samples), np.nan)
        for rows, score in zip(groups, scores, strict=True):
            result[rows] = score
        return result

    def weights(self, samples: Samples) -> Floats:
        result = np.empty(len(samples))
        for rows in samples.sets():
            result[rows] = 1 / len(rows)
        return result


def counted_rows(samples: Samples, empty: str) -> Samples:
    """The rows that count in a score of them all: not those without a candidate, nor, by "skip", with an empty one."""
    check_empty(empty)
    without = samples.failures() if empty == "skip" else np.zeros(len(samples), dtype=np.bool_)
    without[list(samples.missing)] = True
    return samples.rows(np.flatnonzero(~without).tolist()) if without.any() else samples


def best(scores: Floats, groups: Sequence[Sequence[object]], *, highest: bool) -> Floats:
    """The best of each consecutive group of scores; NaN for an empty group or one of only NaN."""
    lengths = np.fromiter(map(len, groups), dtype=np.intp, count=len(groups))
    result = np.full(len(groups), np.nan)
    filled = lengths > 0
    if filled.any():
        starts = (np.cumsum(lengths) - lengths)[filled]
        result[filled] = (np.fmax if highest else np.fmin).reduceat(scores, starts)
    return result
