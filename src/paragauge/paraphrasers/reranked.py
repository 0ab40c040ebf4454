"""The sequences of a wide beam that are not copies, in the order of meaning and probability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from rapidfuzz.distance import Levenshtein

from ..models.encoders.encoder import load_encoder
from ..paraphraser import Candidate, parameter
from ..text.normalize import alphanumeric
from ..verdict.entities.names import has_names
from ..verdict.entities.units import same_numbers
from ..verdict.rules import findings
from ._seq2seq import Seq2SeqParaphraser
from .decoding.beam import BeamSettings


@dataclass(frozen=True, kw_only=True)
class Reranked(Seq2SeqParaphraser):
    """The sequences of a wide beam that are not copies, by their probability and their cosine with the source.

    Those that lost something (a name, a negation, or what else a rule of the verdict finds), or change less than
    `changed` of the source, come behind the others; those with other numbers come last. The score is the cosine and a
    share of the beam's score: so a candidate is among the best of `width` by `cosine.free`, and is not to be compared
    with others by that metric without saying so.
    """

    name: ClassVar[str] = "reranked"
    title: ClassVar[str] = "Reranked beam"
    citation: ClassVar[str] = "Reimers and Gurevych 2019, Sentence-BERT, EMNLP (the vectors)"
    limits: ClassVar[str] = "A small model that must change something may write bad grammar rather than a copy."

    width: int = parameter(10, "sequences in the beam; n where that is more", low=1, high=1000)
    weight: float = parameter(0.2, "of the beam's score, by which grammar counts, besides the cosine", low=0, high=100)
    changed: float = parameter(0.15, "a candidate of a smaller normalised edit distance is put behind", low=0, high=1)
    encoder: str = parameter("default", "the encoder: a name, folder or hub id")

    def decode(self, sources: list[str], n: int) -> Iterable[list[Candidate]]:
        settings = BeamSettings(n, n, self.max_tokens(), self.length_penalty)
        for found in self.search(self.ids(sources), settings):
            yield [self.candidate(one) for one in found]

    def propose(self, sources: Sequence[str], n: int) -> Iterator[list[Candidate]]:
        beams = super().propose(sources, max(self.width, n))
        for source, beam in zip(sources, beams, strict=True):
            copy = alphanumeric(source)
            found = list(
                {one.text: one for one in reversed(beam) if one.text and alphanumeric(one.text) != copy}.values()
            )
            yield self._ranked(source, found)

    def why(self, source: str) -> str:
        return self.unread(source) or "every sequence of the beam is a copy of the source"

    def details(self) -> dict[str, str]:
        encoder = load_encoder(self.encoder, None, "float32", "truncate")
        return super().details() | {"encoder": encoder.signature.replace("|", ";")}

    def _ranked(self, source: str, found: Sequence[Candidate]) -> list[Candidate]:
        if not found:
            return []
        encoder = load_encoder(self.encoder, None, "float32", "truncate")
        own, *others = (one.sentence for one in encoder.encode([source, *(one.text for one in found)]))
        cosines = np.stack(others) @ own
        ranked = []
        for one, cosine in zip(found, cosines.tolist(), strict=True):
            lost = list(dict.fromkeys([*one.provenance.get("lost", ()), *lost_details(source, one.text)]))
            behind = bool(lost) or "doubled" in one.provenance
            behind = behind or Levenshtein.normalized_distance(source, one.text) < self.changed
            provenance = {**one.provenance, "beam_score": one.score, "cosine": cosine} | (
                {"lost": lost} if lost else {}
            )
            score = cosine + self.weight * one.score
            ranked.append(("number" in lost, behind, -score, one._replace(score=score, provenance=provenance)))
        return [one for *_, one in sorted(ranked, key=lambda entry: entry[:3])]


def lost_details(source: str, candidate: str) -> list[str]:
    """What a candidate lost, in the words of the rules.

    >>> lost_details("Tom doesn't seem to be well.", "Tom seems to be well.")
    ['negation']
    """
    found = [one.kind for one in findings(source, candidate)]
    found += [] if same_numbers(source, candidate) else ["number"]
    found += [] if has_names(source, candidate) else ["name"]
    return list(dict.fromkeys(found))
