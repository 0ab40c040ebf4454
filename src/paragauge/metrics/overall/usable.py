"""Usable: the meaning is kept and the words are changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...compute.features import Findings
from ...compute.workspace import Workspace
from ...metric import UNDEFINED, Floats, Loads, Metric, Need, parameter
from ...tables.samples import Samples
from ...tables.scores import ScoreColumn
from ...verdict.rules import LOSSES, WHOLE
from ...verdict.rules.finding import Finding
from ..form.changed import Changed
from ..meaning.meaning import Meaning

LOST = "meaning lost"
STEPS = 20  # of the thresholds that the sensitivity is counted at: 0, 0.05, … 1


@dataclass(frozen=True, kw_only=True)
class Usable(Metric):
    """1 where the meaning is kept and the words are changed, else 0; the mean is the share of usable candidates.

    1 where `meaning` is at least `accept` and `changed` at least `min_changed`, and the candidate is neither in another
    language nor garbled nor, as a rule sees it, without a number, a name, a negation, a modal verb, the question or the
    roles of its source, nor has the opposite of one of its words (`strict=no`: it may be). An empty candidate is not
    usable: 0. Every row that is not usable has a note that says why: `empty`, `not the language`, `garbled`, `copy`
    (nothing is changed), `meaning lost`, `too close` (too little is changed), in this order; and, where a rule sees it,
    what was lost, with the words of both texts: a number, a name, a negation, a modal verb, a question, exchanged
    roles, an antonym, something added or dropped. A usable row in which a rule sees such a thing has the note `check`.
    """

    name: ClassVar[str] = "usable"
    title: ClassVar[str] = "Usable"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    scores_empty: ClassVar[bool] = True
    normalizes: ClassVar[bool] = True
    loads: ClassVar[Loads] = "encoder"
    citation: ClassVar[str] = "paragauge 0.1, docs/verdict.md"
    limits: ClassVar[str] = (
        "It is as right as `meaning` is, and 1 or 0 where that is a probability: look at both near the threshold. "
        "Garbled is judged by plain signs alone (repetitions, stretched letters, characters of a wrong encoding, the "
        "source's words shuffled), not by a language model; another language by its script or its commonest words, in "
        "13 languages."
    )
    related: ClassVar[tuple[str, ...]] = ("meaning", "changed", "parascore")

    accept: float = parameter(0.5, "least `meaning` of a usable candidate", low=0, high=1)
    min_changed: float = parameter(0.15, "least `changed` of a usable candidate", low=0, high=1)
    strict: bool = parameter(True, "not usable where a rule sees a number, name, negation or the like lost")
    against: str = parameter(
        "source", "what `meaning` compares with: the source, the references, or the nearer of both",
        choices=("source", "references", "both"),
    )  # fmt: skip
    encoder: str = parameter("default", "encoder name (see `paragauge models`), model folder or hub id")
    layer: int | None = parameter(None, "encoder layer; none is the last", low=1)
    precision: str = parameter("float32", "int8 is faster and a little less exact", choices=("float32", "int8"))

    @property
    def needs(self) -> Need:
        return "source" if self.against == "source" else "source and references"

    @property
    def meaning(self) -> Meaning:
        """The metric that `accept` is for."""
        return Meaning(against=self.against, encoder=self.encoder, layer=self.layer, precision=self.precision)

    @property
    def changed(self) -> Changed:
        """The metric that `min_changed` is for."""
        return Changed()

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        meaning, changed = self._rated(samples, work)
        undefined = np.isnan(meaning) | np.isnan(changed)
        scores = np.where(undefined, np.nan, (meaning >= self.accept) & (changed >= self.min_changed))
        found = self._findings(samples, work)
        scores[[row for row, own in enumerate(found) if any(one.kind in WHOLE for one in own)]] = 0.0
        scores[[row for row, own in enumerate(found) if self._is_lost(own) and not undefined[row]]] = 0.0
        scores[self._failed(samples)] = 0.0
        return scores

    def remarks(self, samples: Samples, work: Workspace) -> dict[int, str]:
        meaning, changed = self._rated(samples, work)
        failed = self._failed(samples)
        texts = zip(samples.sources, samples.candidates, self._findings(samples, work), strict=True)
        notes = {}
        for row, (source, candidate, found) in enumerate(texts):
            if row in samples.missing:
                continue
            lost = [one for one in found if one.kind not in WHOLE]
            whole = [one for one in found if one.kind in WHOLE]
            if failed[row]:
                notes[row] = "empty"
            elif whole:
                notes[row] = _fault(whole[0], candidate)
            elif changed[row] == 0 and (self.min_changed > 0 or meaning[row] < self.accept):
                notes[row] = "copy"
            elif meaning[row] < self.accept or self._is_lost(lost):
                notes[row] = _note(LOST, lost, source, candidate)
            elif changed[row] < self.min_changed:
                notes[row] = _note("too close", lost, source, candidate)
            elif lost and not np.isnan(meaning[row] + changed[row]):
                notes[row] = _note("check", lost, source, candidate)
        return notes

    @property
    def never(self) -> tuple[str, ...]:
        """Reasons that no threshold undoes, in the form of `reasons`."""
        return ("empty", *WHOLE, *(f"{LOST}: {kind}" for kind in LOSSES if self.strict))

    def labels(self, columns: Mapping[str, ScoreColumn]) -> list[list[str]]:
        """Why a row is not usable, without its words; and where it stands between the thresholds, if that is known."""
        own = columns[self.spec]
        heads = [own.notes.get(row, "").partition(": ")[0] for row in range(len(own.scores))]
        found = [[head] if head else [] for head in heads]
        specs = (self.meaning.spec, self.changed.spec)
        if all(spec in columns for spec in specs):
            meaning, changed = (columns[spec].scores for spec in specs)
            steps = np.arange(STEPS + 1) / STEPS
            places = [(np.searchsorted(steps, scores, side="right") - 1).tolist() for scores in (meaning, changed)]
            for row in np.flatnonzero(~np.isnan(meaning + changed)).tolist():
                if not reasons(heads[row]) & {*self.never}:
                    found[row].append(f"at {places[0][row]} {places[1][row]}")
        return found

    def _is_lost(self, lost: Sequence[Finding]) -> bool:
        return self.strict and any(one.kind in LOSSES for one in lost)

    def _rated(self, samples: Samples, work: Workspace) -> tuple[Floats, Floats]:
        return self.meaning.rate(samples, work), self.changed.rate(samples, work)

    def _failed(self, samples: Samples) -> NDArray[np.bool_]:
        return samples.failures() & self._has_needs(samples)

    def _findings(self, samples: Samples, work: Workspace) -> list[list[Finding]]:
        return work.get(Findings(), list(zip(samples.sources, samples.candidates, strict=True)))

    def reason(self, samples: Samples, row: int) -> str:
        found = super().reason(samples, row)
        return found if found != UNDEFINED else self.meaning.reason(samples, row)

    def details(self) -> dict[str, str]:
        return self.meaning.details()


def reasons(head: str) -> set[str]:
    """`meaning lost (number, name)` as `meaning lost`, `meaning lost: number` and `meaning lost: name`."""
    why, _, kinds = head.removesuffix(")").partition(" (")
    return {why, *(f"{why}: {kind}" for kind in kinds.split(", ") if kind)}


def _fault(found: Finding, candidate: str) -> str:
    """`garbled: “the the the”`; of another language all of it."""
    span = found.candidate
    part = "" if span is None else candidate[span.start : span.end]
    return f"{found.kind}: “{part}”" if found.source is None else found.kind


def _note(why: str, lost: list[Finding], source: str, candidate: str) -> str:
    """`meaning lost (number): “2500” → “3500”`."""
    kinds = f" ({', '.join(dict.fromkeys(one.kind for one in lost))})" if lost else ""
    told = "; ".join(one.words(source, candidate) for one in lost)
    return f"{why}{kinds}" + (f": {told}" if told else "")
