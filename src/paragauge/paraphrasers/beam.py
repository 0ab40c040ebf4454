"""Beam search with a sequence-to-sequence model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from ..paraphraser import Candidate, parameter
from ._seq2seq import Seq2SeqParaphraser
from .decoding.beam import BeamSettings


@dataclass(frozen=True, kw_only=True)
class Beam(Seq2SeqParaphraser):
    """The n best of a beam: BEAM of Bawden et al. 2020, who have a beam of 20.

    Two sequences may come to the same text: sequences of a wider beam take the place of doubles.
    """

    name: ClassVar[str] = "beam"
    title: ClassVar[str] = "Beam search"
    citation: ClassVar[str] = "Bawden et al. 2020, A Study in Improving BLEU Reference Coverage …, Findings of EMNLP"
    limits: ClassVar[str] = "The sequences of one beam differ little from each other."

    width: int = parameter(5, "sequences in the beam; n where that is more", low=1, high=1000)

    def decode(self, sources: list[str], n: int) -> Iterable[list[Candidate]]:
        settings = BeamSettings(max(self.width, n), n, self.max_tokens(), self.length_penalty)
        found = [[self.candidate(one) for one in own] for own in self.search(self.ids(sources), settings)]
        return self.top_up(sources, found, n)
