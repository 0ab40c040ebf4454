"""Normalised edit distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from ...compute.features import Tokens
from ...metric import Floats, PairMetric, Workspace, parameter
from ...process.limits import threads
from ...tables.samples import Samples, is_empty
from ..shared.wording import Wording, too_long

_FEW = 256  # pairs: to start threads for fewer takes longer than the edits themselves


@dataclass(frozen=True, kw_only=True)
class Ned(Wording, PairMetric):
    """Edit distance over the length of the longer text: 0 for a copy, 1 for nothing in common.

    Against the references (the nearest counts) less is better; against the source (`ned.free`) more is better: it is
    the diversity d that ParaScore uses. Insertions, deletions and substitutions of characters cost 1 each.
    """

    name = "ned"
    title = "NED"
    range = (0.0, 1.0)
    symmetric = True
    citation = "Levenshtein 1966; used as Dist by Shen et al. 2022, EMNLP"
    limits = "Counts changes without weighing them: a moved clause costs more than a 'not'."
    related = ("ter", "parascore")

    level: str = parameter(
        "character", "what is edited (in Chinese, a word is a character)", choices=("character", "word")
    )

    @property
    def higher_is_better(self) -> bool:
        return self.free

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        return super().rate(self.worded(samples, work), work)

    def reason(self, samples: Samples, row: int) -> str:
        candidate = samples.candidates[row]
        long = [other for other in self.against(samples)[row] if too_long(candidate, other)]
        if not long or is_empty(candidate):
            return super().reason(samples, row)
        return f"texts of {len(candidate):,} and {len(long[0]):,} characters are too long for an edit distance"

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        if not pairs:
            return np.empty(0)
        if any(too_long(*pair) for pair in pairs):
            found = np.full(len(pairs), np.nan)
            places = [place for place, pair in enumerate(pairs) if not too_long(*pair)]
            found[places] = self.compare([pairs[place] for place in places], work)
            return found
        texts = [text for pair in pairs for text in pair]
        units: list[Sequence[str]] = list(work.get(Tokens("auto"), texts) if self.level == "word" else texts)
        candidates, others = units[::2], units[1::2]
        workers = threads() if len(pairs) > _FEW else 1
        edits = cpdist(candidates, others, scorer=Levenshtein.distance, workers=workers, dtype=np.int64)
        longer = np.array([max(len(text), len(other)) for text, other in zip(candidates, others, strict=True)])
        return edits / np.where(longer > 0, longer, np.nan)
