"""iBLEU."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...metric import Floats, Samples, SumMetric, Workspace, parameter
from ..form.bleu import Bleu
from ..shared.wording import BleuParameters

_DEFAULT_ALPHA = {"weighted": 0.8, "difference": 0.2}


@dataclass(frozen=True, kw_only=True)
class IBleu(BleuParameters, SumMetric):
    """BLEU against the references less BLEU against the source, which is what was copied.

    Two forms go by this name. `form=weighted`: α·BLEU − (1 − α)·SelfBLEU (Sun and Zhou 2012, who take α from 0.7 to
    0.9; default 0.8). `form=difference`: BLEU − α·SelfBLEU (Shen et al. 2022, α = 0.2 in their code). SelfBLEU is
    BLEU against the source (`source-bleu`). Both are sacrebleu's, on the scale of 100. The corpus score is made of the
    two corpus BLEUs and is not the mean of the rows. A row without source or without reference is left out of both.
    """

    name = "ibleu"
    title = "iBLEU"
    needs = "source and references"
    higher_is_better = True
    citation = "Sun and Zhou 2012, Joint Learning of a Dual SMT System for Paraphrase Generation, ACL"
    limits = "Where the reference is close to the source, the two terms are of the same words."
    related = ("bleu", "bert-ibleu", "parascore", "pinc")

    form: str = parameter("weighted", "α·BLEU − (1−α)·SelfBLEU, or BLEU − α·SelfBLEU", choices=tuple(_DEFAULT_ALPHA))
    alpha: float | None = parameter(None, "α; none is 0.8 for weighted, 0.2 for difference", low=0, high=1)

    @property
    def parts(self) -> tuple[float, float]:
        """What BLEU and SelfBLEU are multiplied by."""
        alpha = _DEFAULT_ALPHA[self.form] if self.alpha is None else self.alpha
        return (alpha, alpha - 1) if self.form == "weighted" else (1.0, -alpha)

    @property
    def range(self) -> tuple[float, float]:
        gain, loss = self.parts
        return 100 * loss, 100 * gain

    def counts(self, samples: Samples, work: Workspace) -> Floats:
        """BLEU's counts against the references and, next to them, against the source."""
        bleu, source = (Bleu(free=free, **self.bleu_parameters()) for free in (False, True))
        result = np.hstack([bleu.counts(samples, work), source.counts(samples, work)])
        result[np.isnan(result).any(axis=1)] = np.nan
        return result

    def from_counts(self, counts: Floats, *, corpus: bool) -> Floats:
        bleu = Bleu(**self.bleu_parameters())
        both = [bleu.from_counts(half, corpus=corpus) for half in np.split(counts, 2, axis=1)]
        gain, loss = self.parts
        return gain * both[0] + loss * both[1]

    def details(self) -> dict[str, str]:
        return {"alpha": str(_DEFAULT_ALPHA[self.form] if self.alpha is None else self.alpha)}
