"""Translation there and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..models.generate.generator import BACKENDS, CTranslateGenerator, Generator, Hypothesis, load_generator
from ..paraphraser import Candidate, Paraphraser, parameter
from .decoding.beam import BeamSettings, beam_search

_SOURCES = 64  # that are translated together


@dataclass(frozen=True, kw_only=True)
class RoundTrip(Paraphraser):
    """The n best translations into another language, each translated back: the best n of all, without doubles.

    The score is the sum of both log-probabilities, each by its length. `pivots` translations of `width` are translated
    back, and of each the n best are taken.
    """

    name: ClassVar[str] = "round-trip"
    title: ClassVar[str] = "Round trip through a pivot"
    citation: ClassVar[str] = (
        "Bannard and Callison-Burch 2005, Paraphrasing with Bilingual Parallel Corpora, ACL; Mallinson, Sennrich and "
        "Lapata 2017, Paraphrasing Revisited with Neural Machine Translation, EACL"
    )
    limits: ClassVar[str] = "What the pivot does not say (gender, number, tone) is lost on the way."
    batch: ClassVar[int] = 64

    there: str = parameter("opus-mt-en-fr", "the model into the pivot: a name, folder or hub id")
    back: str = parameter("opus-mt-fr-en", "the model back: a name, folder or hub id")
    width: int = parameter(4, "sequences in each beam; n where that is more", low=1, high=100)
    pivots: int = parameter(0, "translations that are translated back; 0 for as many as candidates", low=0, high=100)
    longest: int = parameter(256, "most tokens of a translation", low=2, high=4096)
    length_penalty: float = parameter(
        1.0, "exponent of the length that log-probabilities are divided by", low=0, high=5
    )
    precision: str = parameter("float32", "int8 is faster and a little less exact", choices=("float32", "int8"))
    backend: str = parameter("auto", "what computes: CTranslate2 where it can, else torch", choices=BACKENDS)
    split: bool = parameter(True, "each sentence of a source by itself: models of sentences leave out what follows")

    def models(self) -> tuple[Generator, Generator]:
        """Both models, loaded once per process."""
        there, back = (load_generator(name, self.precision, self.backend) for name in (self.there, self.back))
        return there, back

    @property
    def limit(self) -> int:
        return self.models()[0].limit

    @property
    def by_sentence(self) -> bool:
        return self.split

    def lengths(self, sources: Sequence[str]) -> list[int]:
        return [len(ids) for ids in self.models()[0].words.sources(sources)]

    def details(self) -> dict[str, str]:
        there, back = self.models()
        weights = {"there": there.signature.replace("|", ";"), "back": back.signature.replace("|", ";")}
        return {"precision": "", "backend": ""} | weights

    def propose(self, sources: Sequence[str], n: int) -> Iterable[list[Candidate]]:
        there, back = self.models()
        pivots = self.pivots or n
        for start in range(0, len(sources), _SOURCES):
            part = sources[start : start + _SOURCES]
            forth = [_texts(there, own) for own in self._best(there, part, pivots)]
            asked = list(dict.fromkeys(text for own in forth for text, _ in own))
            returned = dict(zip(asked, (_texts(back, own) for own in self._best(back, asked, n)), strict=True))
            for own in forth:
                found = [
                    Candidate(text, score + first, {"pivot": pivot})
                    for pivot, first in own
                    for text, score in returned[pivot]
                ]
                yield sorted(found, key=lambda one: -one.score)

    def _best(self, model: Generator, texts: Sequence[str], n: int) -> list[list[Hypothesis]]:
        ids = [
            own[: model.limit - 1] + own[-1:] if len(own) > model.limit else own for own in model.words.sources(texts)
        ]
        settings = BeamSettings(max(self.width, n), n, min(self.longest, model.limit), self.length_penalty)
        if isinstance(model, CTranslateGenerator):
            return model.beam(ids, width=settings.width, n=n, longest=settings.longest, penalty=settings.penalty)
        return beam_search(model, ids, settings)


def _texts(model: Generator, found: Sequence[Hypothesis]) -> list[tuple[str, float]]:
    """Texts and their scores, none empty and none twice."""
    texts: dict[str, float] = {}
    for one in found:
        text = model.words.text(one.tokens)
        if text:
            texts.setdefault(text, one.score)
    return list(texts.items())
