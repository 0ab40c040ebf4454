"""What metrics ask of a text, computed once in a workspace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .text.tokens import tokenizer


@dataclass(frozen=True)
class Tokens:
    """The tokens of a text."""

    tokenizer: str
    lowercase: bool = False

    @property
    def signature(self) -> str:
        return f"tokens:{self.tokenizer}:{'lower' if self.lowercase else 'mixed'}"

    def compute(self, keys: Sequence[str]) -> Iterable[list[str]]:
        split = tokenizer(self.tokenizer)
        return map(split, (key.lower() for key in keys) if self.lowercase else keys)
