"""BERT-iBLEU."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...metric import Floats, Samples, Workspace, parameter
from ..form.bleu import Bleu
from ..meaning.bertscore import BertScore
from ..shared.encoder import TokenMetric
from ..shared.wording import BleuParameters

OFFICIAL = "official"


@dataclass(frozen=True, kw_only=True)
class BertIBleu(BleuParameters, TokenMetric):
    """Harmonic mean of meaning kept (BERTScore) and wording changed (1 − SelfBLEU), the first weighing β times as much.

    (β + 1) / (β/BERTScore + 1/(1 − SelfBLEU)), β = 4, both between source and candidate: BERTScore F1, and a row's BLEU
    over 100. Where a term is 0 the score is its limit, 0: so for a copy, and where BERTScore is not above 0. The corpus
    score is the mean of the rows. `compat=official` puts 1 + SelfBLEU for 1 − SelfBLEU, as the code published with
    ParaScore (Shen et al. 2022) does: there a copy is the best of all (differences.md).
    """

    name = "bert-ibleu"
    title = "BERT-iBLEU"
    needs = "source"
    higher_is_better = True
    citation = "Niu et al. 2021, Unsupervised Paraphrasing with Pretrained Language Models, EMNLP"
    limits = "As blind to negations and changed numbers as BERTScore; one changed word lifts a copy from 0."
    related = ("bertscore", "ibleu", "parascore", "bleu")

    beta: float = parameter(4.0, "weight of BERTScore relative to 1 − SelfBLEU", low=0)
    compat: str = parameter(
        "none", "official: 1 + SelfBLEU, as ParaScore's repository has it", choices=("none", OFFICIAL)
    )

    @property
    def range(self) -> tuple[float, float]:
        return (0.0, 1.0) if self.compat == "none" else (0.0, (self.beta + 1) / (self.beta + 0.5))

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        meaning = BertScore(free=True, **self.token_parameters()).rate(samples, work)
        copied = np.clip(Bleu(free=True, **self.bleu_parameters()).rate(samples, work) / 100, 0, 1)
        return harmonic(meaning, 1 + copied if self.compat == OFFICIAL else 1 - copied, self.beta)

    def reason(self, samples: Samples, row: int) -> str:
        found = super().reason(samples, row)
        return found if "empty" in found else "the candidate or the source has no token for the encoder"


def harmonic(meaning: Floats, changed: Floats, beta: float) -> Floats:
    """Harmonic mean of both, the first with weight β and the second with 1; 0 where either is not above 0."""
    undefined = np.isnan(meaning) | np.isnan(changed)
    positive = (meaning > 0) & (changed > 0)
    meaning, changed = np.where(positive, meaning, 1.0), np.where(positive, changed, 1.0)
    mean = (beta + 1) * meaning * changed / (beta * changed + meaning)  # a quotient of inverses would overflow
    return np.where(undefined, np.nan, np.where(positive, mean, 0.0))
