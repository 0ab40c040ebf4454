"""Sampling with a sequence-to-sequence model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from ..paraphraser import Candidate, parameter
from ._seq2seq import Seq2SeqParaphraser
from .decoding.sampling import sample

_MORE = 2  # draws for each candidate: some come twice


@dataclass(frozen=True, kw_only=True)
class Sampled(Seq2SeqParaphraser):
    """Drawn token by token from the top of the probability mass: SAMPLED of Bawden et al. 2020, with 80% of it.

    Candidates are in the order in which they are drawn, without those that came before; those that lost a protected
    word (`protect`) are behind.
    """

    name: ClassVar[str] = "sampled"
    title: ClassVar[str] = "Sampling"
    citation: ClassVar[str] = "Edunov et al. 2018, Understanding Back-Translation at Scale, EMNLP; Bawden et al. 2020"
    limits: ClassVar[str] = "The more mass, the more diverse and the less faithful."

    mass: float = parameter(0.8, "share of the probability that is drawn from at each step", low=0.01, high=1)
    seed: int = parameter(0, "random seed", low=0)

    def decode(self, sources: list[str], n: int) -> Iterable[list[Candidate]]:
        model, ids = self.load(), self.ids(sources)
        draws = _MORE * n
        longest, penalty = self.max_tokens(), self.length_penalty
        for part in self.parts(len(ids), draws):
            drawn = sample(model, ids[part], draws, mass=self.mass, longest=longest, penalty=penalty, seed=self.seed)
            for found in drawn:
                yield [self.candidate(one) for one in found]
