"""Meaning: how likely people would say that two texts mean the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ...compute.workspace import Workspace
from ...metric import Floats, Need, best, parameter
from ...models.pairs.learned import blend_of, load_meaning, settings_sha256
from ...tables.samples import Samples
from ...text.normalize import same_words
from ._evidence import evidence, kinds
from ._language import count_languages
from ._neural import TokenMetric
from .bertscore import BertScore

_NEEDS: dict[str, Need] = {"source": "source", "references": "references", "both": "source and references"}


@dataclass(frozen=True, kw_only=True)
class Meaning(TokenMetric):
    """How likely people would say that the candidate means the same as the source, from 0 to 1.

    The logistic function of a weighted sum: BERTScore F1, its recall, and cosine; how well the source's words are
    matched, rare ones above all; what the rules of `usable` see lost; and where less than half of the wording changed,
    also whether words were exchanged, and what a small learned model says that reads both texts together. Calibrated on
    two sets of rated pairs together: of the pairs at 0.8, about 80% are called the same, in some sets more, in some
    less. The same words, whatever their case and punctuation, are 1. The weights are trained on English and come with
    the package (docs/models/meaning.md). With an encoder for which there is no blend, as for other languages, it is
    BERTScore F1, no less than 0 and not calibrated.
    """

    name: ClassVar[str] = "meaning"
    title: ClassVar[str] = "Meaning"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    citation: ClassVar[str] = "paragauge 0.1, docs/models/meaning.md"
    limits: ClassVar[str] = (
        "Trained on English sentences; texts of several sentences are judged as one. A probability of what raters say, "
        "not of truth: raters differ, and so does what a data set calls the same."
    )
    related: ClassVar[tuple[str, ...]] = ("bertscore", "nli", "changed", "usable")

    against: str = parameter(
        "source", "compare with the source, the references, or the nearest of all", choices=tuple(_NEEDS)
    )

    @property
    def needs(self) -> Need:
        return _NEEDS[self.against]

    @property
    def calibrated(self) -> bool:
        """Is it a probability? Only with an encoder that it was trained and blended with, as that is by default."""
        return self.layer is None and blend_of(self.load().sha256) is not None

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        count_languages(samples, work)
        groups = self._others(samples)
        pairs = [(text, other) for text, group in zip(samples.candidates, groups, strict=True) for other in group]
        if not self.calibrated:
            frozen = BertScore(**self.token_parameters()).compare(pairs, work)
            return best(np.maximum(frozen, 0), groups, highest=True)
        return best(np.array(work.get(_Blended(self, work), pairs), np.float64), groups, highest=True)

    def blended(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        """The probability of each pair of a candidate and another text."""
        blend = blend_of(self.load().sha256)
        assert blend is not None
        learned = load_meaning(precision=self.precision)
        known = evidence(self, pairs, learned, work)
        logits = known @ [blend[name] for name in kinds(self, learned)] + blend["offset"]
        copies = [same_words(text, other) for text, other in pairs]
        return np.where(copies, 1.0, 1 / (1 + np.exp(-logits)))

    def _others(self, samples: Samples) -> list[tuple[str, ...]]:
        if self.against == "references":
            return samples.references
        sources: list[tuple[str, ...]] = [(text,) if text.strip() else () for text in samples.sources]
        if self.against == "source":
            return sources
        return [(*one, *more) for one, more in zip(sources, samples.references, strict=True)]

    def details(self) -> dict[str, str]:
        learned = {"learned": settings_sha256()[:12]} if self.calibrated else {"calibrated": "no"}
        return super().details() | learned


class _Blended(NamedTuple):
    """The probability as a feature of a pair, since `usable` asks for it again and pairs are repeated."""

    metric: Meaning
    work: Workspace

    @property
    def signature(self) -> str:
        return self.metric.spec

    def compute(self, keys: Sequence[tuple[str, str]]) -> Iterable[float]:
        return self.metric.blended(keys, self.work)
