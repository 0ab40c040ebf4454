"""What the decodings of a sequence-to-sequence model share: the model, its limit, texts to ids and back."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..models.generate.generator import BACKENDS, ROWS, CTranslateGenerator, Generator, load_generator
from ..paraphraser import Candidate, Paraphraser, parameter
from ._placeholders import Protected, protected, restore
from ._truecase import KEY, read_case, truecased
from .decoding.beam import BeamSettings, beam_search
from .decoding.step import Hypothesis

_SOURCES = 64  # whose beams are searched together
_NEVER = 1000  # as many pieces has a word that the model cannot write
_WIDER = (2, 4, 8)  # times n: the beams that are tried for a source with fewer than n different texts
_UNKNOWN = ("[UNK]", "<unk>")  # how vocabularies name the token of what they lack


@dataclass(frozen=True, kw_only=True)
class Seq2SeqParaphraser(Paraphraser):
    """A sequence-to-sequence model by folder, registered name or hub id: BART, T5, Marian."""

    batch: ClassVar[int] = 64

    model: str = parameter("default-paraphraser", "a model folder, a registered name or a hub id such as org/name")
    prompt: str = parameter("", "text put before every source, as in 'paraphrase: ' for some T5 models")
    longest: int = parameter(128, "most tokens of a candidate", low=2, high=4096)
    length_penalty: float = parameter(
        1.0, "exponent of the length that log-probabilities are divided by", low=0, high=5
    )
    precision: str = parameter("float32", "int8 is faster and a little less exact", choices=("float32", "int8"))
    backend: str = parameter("auto", "what computes: CTranslate2 where it can, else torch", choices=BACKENDS)
    protect: str = parameter(
        "auto",
        "common words stand in for names and numbers that the model would break; auto: where it writes lower case",
        choices=("auto", "yes", "no"),
    )

    split: str = parameter(
        "auto",
        "each sentence of a source by itself; auto: where the model writes lower case and no phrases are asked for",
        choices=("auto", "yes", "no"),
    )

    def load(self) -> Generator:
        """The model, loaded once per process."""
        return load_generator(self.model, self.precision, self.backend)

    @property
    def limit(self) -> int:
        return self.load().limit

    def lengths(self, sources: Sequence[str]) -> list[int]:
        return [len(ids) for ids in self.ids(sources)]

    def ids(self, sources: Sequence[str]) -> list[list[int]]:
        """The sources as the model reads them."""
        return self.load().words.sources([self.prompt + self.protected(source).text for source in sources])

    def details(self) -> dict[str, str]:
        model = self.load()
        return {
            "model": model.name,
            "precision": "",
            "backend": "",
            "protect": "yes" if self.protects else "no",
            "split": "yes" if self.by_sentence else "no",
            "weights": model.signature.replace("|", ";"),
        }

    @property
    def protects(self) -> bool:
        """Have stand-ins the places of what the model would break?"""
        return self.protect == "yes" or (self.protect == "auto" and self._lowers)

    @property
    def by_sentence(self) -> bool:
        return self.split == "yes" or (self.split == "auto" and self._lowers)

    @property
    def _lowers(self) -> bool:
        """Does the model write in lower case, as those that were trained on sentences around an uncased encoder?"""
        return self.load().config.get(KEY) == "source"

    def protected(self, source: str) -> Protected:
        """A source as the model reads it, with what stands in for which of its words."""
        if not self.protects:
            return Protected(source)
        return protected(source, self._pieces, [*self.literal(source), self.prompt])

    def literal(self, source: str) -> Sequence[str]:  # noqa: ARG002
        """Phrases that the model itself must write or avoid: for their words nothing stands in."""
        return ()

    def _pieces(self, word: str) -> int:
        """Into how many pieces the model cuts a word; more than any word has where it cannot write it."""
        tokens = self.load().words.phrase(word)
        return _NEVER if not tokens or self._unknown() in tokens else len(tokens)

    def max_tokens(self) -> int:
        """Tokens that a candidate may have: as asked for, or what the model can write if that is less."""
        return min(self.longest, self.load().limit)

    def propose(self, sources: Sequence[str], n: int) -> Iterable[list[Candidate]]:
        for start in range(0, len(sources), _SOURCES):
            part = list(sources[start : start + _SOURCES])
            unknown = self.mostly_unknown(part)
            decoded = iter(self.decode([source for source, skip in zip(part, unknown, strict=True) if not skip], n))
            for source, skip in zip(part, unknown, strict=True):
                yield [] if skip else self.as_written(source, next(decoded))

    @abstractmethod
    def decode(self, sources: list[str], n: int) -> Iterable[list[Candidate]]:
        """Candidates of some sources, as the model writes them."""

    def why(self, source: str) -> str:
        return self.unread(source) or super().why(source)

    def unread(self, source: str) -> str:
        """Why the model does not even read a source; empty where it does."""
        (unknown,) = self.mostly_unknown([source])
        return "most words of the source are unknown to the model" if unknown else ""

    def mostly_unknown(self, sources: Sequence[str]) -> list[bool]:
        """Has the model, for each source, more unknown words than pieces of words that it knows?"""
        words, unknown = self.load().words, self._unknown()
        if unknown is None:
            return [False] * len(sources)
        found = []
        for ids in words.sources(sources):
            count = ids.count(unknown)
            known = [token for token in ids if token != unknown] if count else []
            # not what stands around words: special tokens, punctuation, the space of a piece of its own
            found.append(count > sum(any(map(str.isalnum, words.text([token]))) for token in known))
        return found

    def unwritable(self, phrase: str) -> str:
        """Why the model cannot write a phrase; empty where it can."""
        model, unknown = self.load(), self._unknown()
        tokens = model.words.phrase(phrase)
        if not tokens:
            return "it has no tokens"
        if unknown in tokens:
            strange = [word for word in phrase.split() if unknown in model.words.phrase(word)]
            return f"the model does not know '{(strange or [phrase])[0]}'"
        if {model.end, *model.suppressed} & set(tokens):
            return "the model never writes one of its tokens"
        return ""

    def _unknown(self) -> int | None:
        """The token of what the vocabulary lacks, where there is one."""
        found = (self.load().words.code(name) for name in _UNKNOWN)
        return next((token for token in found if token is not None), None)

    def spelled(self, candidate: Candidate) -> Sequence[str]:  # noqa: ARG002
        """Phrases of a candidate that are written as here, whatever the case of the source."""
        return ()

    def as_written(self, source: str, found: list[Candidate]) -> list[Candidate]:
        """Candidates with the words of the source that others stood in for, those that lost one behind the others.

        They have the case of the source, where the model writes in lower case.
        """
        model = self.load()
        text, placeholders = self.protected(source)
        if self._lowers:
            table = read_case(model.folder)
            found = [one._replace(text=truecased(one.text, text, table, self.spelled(one))) for one in found]
        if not placeholders:
            return found
        whole: list[Candidate] = []
        broken: list[Candidate] = []
        for one in found:
            written = restore(one.text, placeholders)
            marks: dict[str, list[str]] = {"protected": [own.word for own in placeholders]}
            marks |= {"lost": list(written.lost)} if written.lost else {}
            marks |= {"doubled": list(written.doubled)} if written.doubled else {}
            own = one._replace(text=written.text, provenance={**one.provenance, **marks})
            (broken if written.lost or written.doubled else whole).append(own)
        return whole + broken

    def search(
        self, ids: Sequence[Sequence[int]], settings: BeamSettings, **constraints: Any
    ) -> list[list[Hypothesis]]:
        """Beam search: the engine's own where that does the same, which is faster."""
        model = self.load()
        own = settings.groups == 1 and not constraints.keys() - {"prefixes"}
        if not (own and isinstance(model, CTranslateGenerator)):
            hypotheses: list[list[Hypothesis]] = []
            for part in self.parts(len(ids), settings.width):
                constraints_of = {name: values[part] for name, values in constraints.items()}
                hypotheses += beam_search(model, ids[part], settings, **constraints_of)
            return hypotheses
        return model.beam(
            ids, width=settings.width, n=settings.n, longest=settings.longest, penalty=settings.penalty, **constraints
        )

    def top_up(self, sources: list[str], found: list[list[Candidate]], n: int) -> list[list[Candidate]]:
        """What was found, and behind it the sequences of wider beams where these are fewer than n different texts."""
        for times in _WIDER:
            lacking = [place for place, own in enumerate(found) if self._texts(sources[place], own) < n]
            settings = BeamSettings(times * n, times * n, self.max_tokens(), self.length_penalty)
            wider = self.search(self.ids([sources[place] for place in lacking]), settings)
            for place, own in zip(lacking, wider, strict=True):
                found[place] += [self.candidate(one, refill="beam") for one in own]
        return found

    def _texts(self, source: str, found: list[Candidate]) -> int:
        """How many different texts there are, none of them empty."""
        return len({one.text.strip() for one in self.as_written(source, found)} - {""})

    def parts(self, count: int, rows: int) -> list[slice]:
        """So many sources in parts, each of which is stepped together, with so many rows for each source."""
        most = max(1, ROWS // rows)
        return [slice(start, start + most) for start in range(0, count, most)]

    def candidate(self, found: Hypothesis, **provenance: object) -> Candidate:
        """The text of a sequence; its score is the log-probability by length."""
        ended = {} if found.ended else {"cut off": True}
        provenance = {"log_probability": found.log_probability} | provenance | ended
        return Candidate(self.load().words.text(found.tokens), found.score, provenance)
