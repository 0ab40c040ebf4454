"""Usable: the meaning is kept and the words are changed."""

from __future__ import annotations

from dataclasses import dataclass

from ...metric import UNDEFINED, Floats, Metric, Need, Samples, Workspace, parameter
from ...verdict.findings import Outcome
from ...verdict.judgment import Criterion, Judgment, Thresholds, joined, judge
from ...verdict.rules import accuracy, shown
from ...verdict.tally import usable_scores
from ..form.changed import Changed
from ..meaning.meaning import Meaning
from ..shared.evidence import Findings


@dataclass(frozen=True, kw_only=True)
class Usable(Metric):
    """1 where the meaning is kept and the words are changed, else 0; the mean is the share of usable candidates.

    1 where `meaning` is at least `accept` and `changed` at least `min_changed`, and the candidate is neither in another
    language nor garbled nor more than a paraphrase (announced, labelled, with remarks), and neither a rule nor the
    model that reads both texts finds that something is lost, added or said otherwise (`strict=no`: it may be). An empty
    candidate is not usable: 0. Every row that is not usable has a note that says why: `empty`, `not the language`,
    `not only the paraphrase`, `garbled`, `copy` (nothing is changed), `meaning lost`, `too close` (too little is
    changed); and, where it was found, what was lost, with the words of both texts: a number, a name, a negation, a
    quantifier, a tense, exchanged roles, something added or dropped. A usable row in which something is found that does
    not decide has the note `check`.
    """

    name = "usable"
    title = "Usable"
    range = (0.0, 1.0)
    higher_is_better = True
    shares = True
    scores_empty = True
    normalizes = True
    loads = "encoder"
    citation = "paragauge 0.1, docs/verdict.md"
    limits = (
        "It is as right as `meaning` is, and 1 or 0 where that is a probability: look at both near the threshold. "
        "One reworded detail in a long sentence is often not seen: docs/verdict.md says how often, by kind. Another "
        "language is judged by its script or its commonest words, in 13 languages. It does not judge whether what is "
        "said is true, polite or well put."
    )
    related = ("meaning", "changed", "parascore")

    accept: float = parameter(0.5, "least `meaning` of a usable candidate", low=0, high=1)
    min_changed: float = parameter(0.15, "least `changed` of a usable candidate", low=0, high=1)
    strict: bool = parameter(True, "not usable where a number, name, negation or the like is found to be lost")
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

    @property
    def criterion(self) -> Criterion:
        return Criterion(
            self.spec, self.meaning.spec, self.changed.spec, Thresholds(self.accept, self.min_changed, self.strict)
        )

    def judgments(self, samples: Samples, work: Workspace) -> list[Judgment]:
        thresholds = self.criterion.thresholds
        meaning, changed = (metric.rate(samples, work).tolist() for metric in (self.meaning, self.changed))
        ruled = work.get(Findings(), list(zip(samples.sources, samples.candidates, strict=True)))
        found = [joined(own, *seen) for own, seen in zip(ruled, self.meaning.findings(samples, work), strict=True)]
        empty = (samples.failures() & self._has_needs(samples)).tolist()
        return [
            Judgment(Outcome.UNDEFINED)
            if row in samples.missing
            else judge(meaning[row], changed[row], found[row], thresholds, empty=empty[row])
            for row in range(len(samples))
        ]

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        return usable_scores(self.judgments(samples, work))

    def reason(self, samples: Samples, row: int) -> str:
        found = super().reason(samples, row)
        return found if found != UNDEFINED else self.meaning.reason(samples, row)

    def details(self) -> dict[str, str]:
        added = ",".join(own.name for own in shown() if own.name not in accuracy())  # of other packages, or new
        return self.meaning.details() | ({"rules": added} if added else {})
