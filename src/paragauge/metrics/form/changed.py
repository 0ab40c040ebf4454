"""Words changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...compute.features import Bare
from ...metric import Floats, Metric, Samples, Workspace
from ...text.normalize import strip_emoji
from ..shared.wording import too_long
from .deviation import LexicalDeviation
from .ned import Ned


@dataclass(frozen=True, kw_only=True)
class Changed(Metric):
    """How much of the wording is new: 0 for a copy, 1 for nothing in common.

    (NED + LD)/2, for the edit distance NED (`ned.free`) and the lexical deviation LD (`lexical-deviation`) of source
    and candidate, both read as `normalize=yes` reads them and without punctuation. A new word counts in both, a moved
    one in NED alone. So case, accents, punctuation, spaces, look-alike and invisible characters change nothing, nor do
    emoji that are only added or only taken away: a copy with any of them is a copy.
    """

    name = "changed"
    title = "Words changed"
    needs = "source"
    range = (0.0, 1.0)
    higher_is_better = True
    symmetric = True
    normalizes = True
    citation = (
        "paragauge 0.1, docs/verdict.md; of Levenshtein 1966 and of Liu and Soh 2022, Towards Better Characterization "
        "of Paraphrases, ACL"
    )
    limits = (
        "Says how much was changed, not whether for good words. An inflected form counts as a new word, though its "
        "letters are mostly the same."
    )
    related = ("usable", "ned", "lexical-deviation", "word-position-deviation", "meaning")

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        return changed(list(zip(samples.sources, samples.candidates, strict=True)), work)

    def reason(self, samples: Samples, row: int) -> str:
        if too_long(samples.sources[row], samples.candidates[row]):
            return Ned(free=True).reason(samples, row)
        found = super().reason(samples, row)
        return found if "empty" in found or "missing" in found else "a text has only characters that do not show"


def changed(pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
    """How much of the wording each candidate changes, given pairs of a source and a candidate; each pair once."""
    return np.array(work.get(_Changed(work), pairs), np.float64)


class _Changed(NamedTuple):
    """The number as a feature of a pair, since `meaning` and `usable` ask for it again."""

    work: Workspace
    signature: str = "changed"

    def compute(self, keys: Sequence[tuple[str, str]]) -> Iterable[float]:
        texts = (self.work.get(Bare(), column) for column in zip(*keys, strict=True))
        pairs = [strip_emoji(*pair) for pair in zip(*texts, strict=True)]
        sources, candidates = [one for one, _ in pairs], [other for _, other in pairs]
        words = Samples.of(sources, candidates)
        edits = Ned(free=True).rate(words, self.work)
        deviation = LexicalDeviation().rate(words, self.work)
        # symbols alone are not words; texts that are too long have no edits
        scores = np.where(np.isnan(deviation), edits, (edits + deviation) / 2)
        seen = [bool(source and candidate) for source, candidate in pairs]
        found: list[float] = np.where(seen, scores, np.nan).tolist()
        return found
