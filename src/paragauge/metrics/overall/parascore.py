"""ParaScore and ParaScore.Free."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...metric import Floats, Samples, Workspace, parameter
from ..form.ned import Ned
from ..meaning.bertscore import BertScore
from ..meaning.meaning import Meaning
from ..shared.encoder import Neural, TokenMetric
from ..shared.wording import Wording

OFFICIAL = "official-1.0.5"


@dataclass(frozen=True, kw_only=True)
class ParaScore(Wording, TokenMetric, Neural):
    """Meaning kept plus words changed: max(Sim(X,C), Sim(R,C)) + ω·DS(X,C), for source X, reference R, candidate C.

    Sim is BERTScore F1, DS = γ if d > γ else d·(γ+1)/γ − 1, and d the character edit distance of X and C over the
    length of the longer. So a copy loses ω, and changing more than γ of the characters earns no more. ParaScore.Free
    leaves out R. `compat=official-1.0.5` gives what the PyPI package of that version returns, bugs included
    (differences.md): its free_score adds the diversity of row 2 to the F of every row. An uncased encoder does not see
    capitals, accents and invisible characters, but d does, so a copy in capitals gets the maximum; `normalize=yes`
    leaves such edits out of d, and then they earn nothing.
    """

    name = "parascore"
    title = "ParaScore"
    compares_with = "source and references"
    higher_is_better = True
    citation = "Shen et al. 2022, On the Evaluation Metrics for Paraphrase Generation, EMNLP"
    limits = "As blind to negations and changed numbers as its Sim; ω = 0.05 outweighs only small losses."
    related = ("bertscore", "ned", "bert-ibleu", "bleu", "rougeL")
    elsewhere = (
        "The authors' package is parascore on PyPI; in version 1.0.5 its `free_score` is broken (`compat`). The "
        "published metric card of ParaScoreFree gives the range as 0 to 1; it is the one above: with Sim near 1 a "
        "rewrite gets more than 1, and an unrelated text may get less than 0. It does not say that a copy gets "
        "1 − ω = 0.95, more than nearly every real paraphrase. It warns that diversity may dominate in short "
        "candidates; diversity never adds more than ω·γ = 0.0175. It repeats that BERT-iBLEU is less effective; the "
        "paper's numbers for that fit its code, which has 1 + SelfBLEU where the formula has 1 − SelfBLEU "
        "(docs/reproduction.md)."
    )
    presets = {"parascore-free": {"free": True}}

    omega: float = parameter(0.05, "weight of diversity; 0 leaves it out", low=0)
    gamma: float = parameter(0.35, "diversity beyond this earns no more", low=0.01, high=1)
    threshold: bool = parameter(True, "no: DS is d itself, without γ")
    similarity: str = parameter(
        "max",
        "Sim to the nearer of source and reference, to their mean, or to the reference alone; or the metric `meaning`, "
        "to the nearer",
        choices=("max", "mean", "references", "meaning"),
    )  # fmt: skip
    compat: str = parameter("none", "behave as another package does", choices=("none", OFFICIAL))

    @property
    def range(self) -> tuple[float, float]:
        """[−1 − ω, 1 + ω·γ]: not [0, 1]. With Sim never below some s, the lower end is s − ω."""
        low, high = (-1.0, self.gamma) if self.threshold else (0.0, 1.0)
        return -1 + self.omega * low, 1 + self.omega * high

    @property
    def learns(self) -> bool:
        return self.compat == OFFICIAL and self.free

    def learn(self, samples: Samples, work: Workspace) -> None:
        found: dict[int, float] = work.prepared.setdefault(self.spec, {})
        first = samples.rows(range(min(len(samples), 3 - len(found))))
        found.update(enumerate(self._diversity(first, work).tolist(), len(found)))

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        diversity = self._diversity(samples, work)
        omega = 0.05 if self.compat == OFFICIAL else self.omega
        if self.learns:
            diversity = np.full(len(samples), work.prepared[self.spec].get(2, np.nan))
        return self._similarity(samples, work) + omega * diversity

    def _similarity(self, samples: Samples, work: Workspace) -> Floats:
        if self.similarity == "meaning":
            return self._meaning().rate(samples, work)
        sim = BertScore(**self.token_parameters())
        source = replace(sim, free=True).rate(samples, work)
        if self.free:
            return source
        reference = sim.rate(samples, work)
        if self.similarity == "references":
            return reference
        return np.maximum(source, reference) if self.similarity == "max" else (source + reference) / 2

    def _meaning(self) -> Meaning:
        return Meaning(encoder=self.encoder, against="source" if self.free else "both")

    def details(self) -> dict[str, str]:
        return super().details() | (self._meaning().details() if self.similarity == "meaning" else {})

    def _diversity(self, samples: Samples, work: Workspace) -> Floats:
        distance = Ned(free=True, normalize=self.normalize).rate(samples, work)
        gamma = 0.35 if self.compat == OFFICIAL else self.gamma
        if not self.threshold and self.compat != OFFICIAL:
            return distance
        return diversity_score(distance, gamma)

    def reason(self, samples: Samples, row: int) -> str:
        if self.learns and len(samples) < 3:
            return "the package returns no F for fewer than three rows"
        return super().reason(samples, row)


def diversity_score(distance: Floats, gamma: float) -> Floats:
    """DS: from −1 for a copy up to γ at the distance γ, and no more beyond."""
    return np.where(distance > gamma, gamma, distance * (gamma + 1) / gamma - 1)
