"""The parameters of BLEU, for BLEU itself and for the metrics made of it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from ...errors import InputError
from ...metric import parameter
from ...text.tokens import SACREBLEU
from .wording import Wording


@dataclass(frozen=True, kw_only=True)
class BleuParameters(Wording):
    """How a BLEU is computed."""

    order: int = parameter(4, "longest n-gram", low=1, high=16)
    tokenizer: str = parameter("auto", "tokenization", choices=("auto", *SACREBLEU))
    lowercase: bool = parameter(False, "ignore case")
    smoothing: str = parameter("exp", "for n-gram orders without matches", choices=("exp", "floor", "add-k", "none"))
    smooth_value: float | None = parameter(None, "for smoothing floor (default 0.1) and add-k (default 1)", low=0)
    effective_order: bool = parameter(True, "in a row's score, leave out orders the candidate is too short for")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.smoothing == "floor" and self.smooth_value is not None and self.smooth_value > 1:
            raise InputError(
                f"{self.name}: smooth_value={self.smooth_value:g} is out of range; with smoothing=floor it counts in "
                "place of no match: expected from 0 to 1"
            )

    def bleu_parameters(self) -> dict[str, Any]:
        """These parameters by name."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(BleuParameters)}
