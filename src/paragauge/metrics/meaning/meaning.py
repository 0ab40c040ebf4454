"""Meaning: how likely people would say that two texts mean the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...metric import Floats, Need, Samples, Workspace, best, parameter
from ...models.pairs.reader import PairReader, load_reader, reader_of, settings_sha256
from ...tables.notices import NoticeKind
from ...text.normalize import same_words
from ...verdict.findings import CALIBRATION, UNCALIBRATED, Finding
from ...verdict.language import language
from ..shared.encoder import TokenMetric
from ..shared.evidence import EVIDENCE, evidence, findings_of, read_pairs
from .bertscore import BertScore

_NEEDS: dict[str, Need] = {"source": "source", "references": "references", "both": "source and references"}


@dataclass(frozen=True, kw_only=True)
class Meaning(TokenMetric):
    """How likely people would say that the candidate means the same as the source, from 0 to 1.

    The logistic function of a weighted sum: BERTScore F1, its recall, and cosine; what a model says that reads both
    texts together, sentence by sentence (does each follow from the other, is it well-formed); what the rules of
    `usable` see lost; and where less than half of the wording changed, also whether words were exchanged. Calibrated on
    rated and written pairs together: of the pairs at 0.8, about 80% are called the same, in some sets more, in some
    less. The same words, whatever their case and punctuation, are 1. The weights are trained on English and come with
    the package (docs/models/meaning.md). With an encoder for which there is no blend, as for other languages, it is
    BERTScore F1, no less than 0 and not calibrated.
    """

    name = "meaning"
    title = "Meaning"
    range = (0.0, 1.0)
    higher_is_better = True
    citation = "paragauge 0.1, docs/models/meaning.md"
    limits = (
        "Trained on English; of several sentences the worst counts. A probability of what raters say, not of truth: "
        "raters differ, and so does what a data set calls the same."
    )
    related = ("bertscore", "nli", "changed", "usable")

    against: str = parameter(
        "source", "compare with the source, the references, or the nearest of all", choices=tuple(_NEEDS)
    )

    @property
    def needs(self) -> Need:
        return _NEEDS[self.against]

    @property
    def calibrated(self) -> bool:
        """Is it a probability? Only with an encoder that it was trained and blended with, as that is by default."""
        return self.layer is None and reader_of(self.load().sha256) is not None

    def reader(self) -> PairReader:
        """The model that reads both texts, on this encoder."""
        name = reader_of(self.load().sha256)
        assert name is not None
        return load_reader(name, self.precision)

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        _count_languages(samples, work)
        groups = self._others(samples)
        pairs = [(text, other) for text, group in zip(samples.candidates, groups, strict=True) for other in group]
        if not self.calibrated:
            frozen = BertScore(**self.token_parameters()).compare(pairs, work)
            return best(np.maximum(frozen, 0), groups, highest=True)
        return best(np.array(work.get(_Blended(self, work), pairs), np.float64), groups, highest=True)

    def blended(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        """The probability of each pair of a candidate and another text."""
        reader = self.reader()
        blend = reader.settings["blend"]
        logits = evidence(self, pairs, reader, work) @ [blend[name] for name in EVIDENCE] + blend["offset"]
        copies = [same_words(text, other) for text, other in pairs]
        return np.where(copies, 1.0, 1 / (1 + np.exp(-logits)))

    def findings(self, samples: Samples, work: Workspace) -> list[tuple[list[Finding], bool]]:
        """What the model that reads both texts finds in each row, and whether it is sure that both say the same.

        Where the source is not English, it finds that it cannot say.
        """
        pairs = list(zip(samples.sources, samples.candidates, strict=True))
        if not self.calibrated:
            return [([], False) for _ in pairs]
        foreign = [language(source) not in (None, "English") for source in samples.sources]
        found = [([Finding(CALIBRATION, UNCALIBRATED, None, None)] if one else [], False) for one in foreign]
        asked = [
            row
            for row, pair in enumerate(pairs)
            if not foreign[row] and all(map(str.strip, pair)) and not same_words(*pair)
        ]
        if asked:
            reader = self.reader()
            limits = reader.settings["lost"], reader.settings["broken"]
            readings = read_pairs(reader, self.load(), [pairs[row] for row in asked], work)
            for row, reading in zip(asked, readings, strict=True):
                found[row] = findings_of(reading, *limits), min(reading[:2]) > reader.settings["sure"]
        return found

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


def _count_languages(samples: Samples, work: Workspace) -> None:
    """Note how many different sources are read, and how many of them are clearly not English."""
    for text in dict.fromkeys(samples.sources):
        if work.is_new("language", text):
            work.notices.add(NoticeKind.NOT_ENGLISH, "meaning", language(text) not in (None, "English"), 1)


class _Blended(NamedTuple):
    """The probability as a feature of a pair, since `usable` asks for it again and pairs are repeated."""

    metric: Meaning
    work: Workspace

    @property
    def signature(self) -> str:
        return self.metric.spec

    def compute(self, keys: Sequence[tuple[str, str]]) -> Iterable[float]:
        return self.metric.blended(keys, self.work)
