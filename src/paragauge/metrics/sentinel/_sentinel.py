"""What the sentinels share: they are there to be beaten."""

from __future__ import annotations

from typing import ClassVar

from ...metric import Metric

CITATION = "Perrella et al. 2024, Guardians of the MT Meta-Evaluation, ACL (what a sentinel metric is)"


class Sentinel(Metric):
    """A metric that sees too little to be right: what agrees with people no better has not seen more."""

    higher_is_better: ClassVar[bool] = True  # by convention: of a length neither direction means anything
    scores_empty: ClassVar[bool] = True
    citation: ClassVar[str] = CITATION
    limits: ClassVar[str] = "Means nothing by itself: it is there to be beaten."
