"""Diverse beam search with a sequence-to-sequence model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from ..paraphraser import Candidate, parameter
from ._seq2seq import Seq2SeqParaphraser
from .decoding.beam import BeamSettings


@dataclass(frozen=True, kw_only=True)
class DiverseBeam(Seq2SeqParaphraser):
    """A beam in groups, where a token costs a group more the more groups before it have it at the same step.

    A candidate's score is its log-probability by length, without that cost. Groups may come to the same text: more
    sequences of the groups take the place of doubles and, where these do not suffice, those of a beam without groups.
    """

    name: ClassVar[str] = "diverse-beam"
    title: ClassVar[str] = "Diverse beam search"
    citation: ClassVar[str] = (
        "Vijayakumar et al. 2018, Diverse Beam Search for Improved Description of Complex Scenes, AAAI"
    )
    limits: ClassVar[str] = "Later groups pay for their diversity with probability."

    groups: int = parameter(0, "number of groups; 0 for one per candidate", low=0, high=1000)
    group_width: int = parameter(2, "sequences in a group", low=1, high=100)
    diversity: float = parameter(0.5, "what a token costs for each group that has it", low=0, high=100)

    def decode(self, sources: list[str], n: int) -> Iterable[list[Candidate]]:
        groups = self.groups or n
        width = groups * max(self.group_width, -(-n // groups))
        # all sequences of the groups: the first n may be fewer than n texts
        settings = BeamSettings(width, width, self.max_tokens(), self.length_penalty, groups, self.diversity)
        ids = self.ids(sources)
        found = [[self.candidate(one) for one in own] for own in self.search(ids, settings)]
        return self.top_up(sources, found, n)
