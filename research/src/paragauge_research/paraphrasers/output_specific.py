"""Paraphrases of a reference that are near the outputs of translation systems."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

from paragauge.errors import InputError
from paragauge.files.table import open_table
from paragauge.models.hub.verify import file_sha256
from paragauge.paraphraser import Candidate, parameter
from paragauge.paraphrasers._seq2seq import Seq2SeqParaphraser
from paragauge.paraphrasers.decoding.beam import BeamSettings
from paragauge.tables.samples import DEFAULT_SYSTEM

from .codes import code_tokens, coded_search, nearest_codes

_PUNCTUATION = ".,;:!?\"'()[]“”‘’…"


class _Output(NamedTuple):
    text: str
    system: str


class _Part(str):
    """Part of a source beyond the limit of the model. The outputs are those of the whole."""

    __slots__ = ("end", "start", "whole")
    whole: str
    start: float  # share of the words of the whole that stand before it
    end: float


@dataclass(frozen=True, kw_only=True)
class OutputSpecific(Seq2SeqParaphraser):
    """Paraphrases of a reference near the outputs of systems: with their n-grams as constraints, or with their codes.

    By n-grams there is one for each that at least `share` of the outputs have and the source (a reference) lacks; those
    of more words and of more outputs come first, and one within a longer one is left out. Bawden et al. 2020 take the
    outputs of the better half of the systems: give those. By code there is one for each code that an output has, the
    most frequent first.
    """

    name: ClassVar[str] = "output-specific"
    title: ClassVar[str] = "Output-specific constraints"
    citation: ClassVar[str] = "Bawden et al. 2020, A Study in Improving BLEU Reference Coverage …, Findings of EMNLP"
    limits: ClassVar[str] = (
        "It knows the outputs that are to be judged, so their scores cannot be compared with others'."
    )

    outputs: str | None = parameter(None, "a table of the outputs: columns source (the reference) and candidate")
    by: str = parameter("ngrams", "what of the outputs is used", choices=("ngrams", "code"))
    share: float = parameter(0.75, "of the outputs that must have an n-gram", low=0, high=1)
    order: int = parameter(4, "most words of an n-gram", low=1, high=10)
    width: int = parameter(10, "sequences in the beam", low=1, high=1000)

    @property
    def by_sentence(self) -> bool:
        return self.split == "yes"  # phrases are for the whole source

    def decode(self, sources: list[str], n: int) -> Iterable[list[Candidate]]:
        outputs = [self._known().get(_whole(source), ()) for source in sources]
        if self.by == "code":
            return self._by_code(sources, outputs, n)
        wanted = [self._constraints(source, own)[:n] for source, own in zip(sources, outputs, strict=True)]
        pairs = [(place, phrase) for place, own in enumerate(wanted) for phrase in own]
        ids, words = self.ids(sources), self.load().words
        settings = BeamSettings(self.width, 1, self.max_tokens(), self.length_penalty)
        required = [(tuple(words.phrase(phrase)),) for _, phrase in pairs]
        found = self.search([ids[place] for place, _ in pairs], settings, required=required)
        results: list[list[Candidate]] = [[] for _ in sources]
        for (place, phrase), own in zip(pairs, found, strict=True):
            served = _systems(output for output in outputs[place] if _padded(phrase) in _padded(output.text))
            results[place] += [self.candidate(one, constraint=phrase, **served) for one in own]
        return results

    def spelled(self, candidate: Candidate) -> Sequence[str]:
        return [candidate.provenance["constraint"]] if "constraint" in candidate.provenance else ()

    def literal(self, source: str) -> Sequence[str]:
        outputs = [output.text for output in self._known().get(_whole(source), ())]
        return unrewarded(_whole(source), outputs, self.share, self.order) if self.by == "ngrams" else ()

    def _constraints(self, source: str, outputs: Sequence[_Output]) -> list[str]:
        """The n-grams that the source, or a part of one, is to have: those of the outputs that the model can write.

        An n-gram goes to the part that stands where the outputs have it.
        """
        grams = unrewarded(_whole(source), [output.text for output in outputs], self.share, self.order)
        written = [gram for gram in grams if self._can_write(gram)]
        if not isinstance(source, _Part):
            return written
        return [gram for gram in written if source.start <= _place(gram, outputs) < source.end]

    def _can_write(self, gram: str) -> bool:
        return not self.unwritable(gram) and len(self.load().words.phrase(gram)) <= self.max_tokens()

    def _split(self, texts: Sequence[str]) -> list[list[str] | str]:
        return [
            found if isinstance(found, str) or len(found) == 1 else list(_parts(text, found))
            for text, found in zip(texts, super()._split(texts), strict=True)
        ]

    def _by_code(self, sources: list[str], outputs: Sequence[Sequence[_Output]], n: int) -> list[list[Candidate]]:
        model = self.load()
        tokens = code_tokens(model)
        texts = list(dict.fromkeys(output.text for own in outputs for output in own))
        codes = dict(zip(texts, nearest_codes(model, texts) if texts else (), strict=True))
        counts = [Counter(codes[output.text] for output in own) for own in outputs]
        chosen = [[(tokens[code], math.nan) for code, _ in own.most_common(n)] for own in counts]
        settings = BeamSettings(self.width, 1, self.max_tokens(), self.length_penalty)
        results: list[list[Candidate]] = []
        for own, found in zip(outputs, coded_search(self.search, self.ids(sources), chosen, settings), strict=True):
            results.append([])
            for one in found:
                code = tokens.index(one.code)
                served = _systems(output for output in own if codes[output.text] == code)
                text = one.best._replace(tokens=one.best.tokens[1:])
                results[-1].append(self.candidate(text, code=code, **served))
        return results

    def why(self, source: str) -> str:
        outputs = self._known().get(source)
        if outputs is None:
            return "there is no output for the source"
        if unread := self.unread(source):
            return unread
        if self.by == "code":
            return "the search found no text with a code of the outputs"
        grams = unrewarded(source, [output.text for output in outputs], self.share, self.order)
        if not grams:
            return "the outputs have no n-gram in common that the source lacks"
        failed = (
            "the search found no text with one of" if any(map(self._can_write, grams)) else "the model cannot write"
        )
        return f"{failed} the n-grams that the outputs have in common and the source lacks"

    def details(self) -> dict[str, str]:
        self._known()
        return super().details() | {"outputs": file_sha256(Path(str(self.outputs)))[:12]}

    def _known(self) -> Mapping[str, Sequence[_Output]]:
        if self.outputs is None:
            raise InputError("output-specific needs outputs=FILE, a table with the columns source and candidate")
        return _outputs(self.outputs, file_sha256(Path(self.outputs)) if Path(self.outputs).is_file() else "")


@functools.lru_cache(maxsize=4)
def _outputs(path: str, sha256: str) -> dict[str, list[_Output]]:  # noqa: ARG001 - a file that changed is read again
    found: dict[str, list[_Output]] = {}
    for chunk in open_table(path):
        for source, *output in zip(chunk.sources, chunk.candidates, chunk.systems, strict=True):
            found.setdefault(source, []).append(_Output(*output))
    return found


def _systems(outputs: Iterable[_Output]) -> dict[str, list[str]]:
    """The systems of the outputs, for the provenance of a candidate; nothing where the table does not name them."""
    named = sorted({output.system for output in outputs} - {DEFAULT_SYSTEM})
    return {"systems": named} if named else {}


def _whole(source: str) -> str:
    return source.whole if isinstance(source, _Part) else source


def _parts(whole: str, parts: Sequence[str]) -> Iterable[_Part]:
    counts = [len(part.split()) for part in parts]
    for number, part in enumerate(parts):
        found = _Part(part)
        found.whole = whole
        found.start = sum(counts[:number]) / sum(counts)
        found.end = sum(counts[: number + 1]) / sum(counts)
        yield found


def _place(gram: str, outputs: Sequence[_Output]) -> float:
    """Where the outputs that have an n-gram have it, on average: 0 at their start, below 1 at their end."""
    shares = []
    for output in outputs:
        before, found, _ = _padded(output.text).partition(_padded(gram))
        if found:
            shares.append(len(before.split()) / len(output.text.split()))
    return sum(shares) / len(shares)


def _padded(text: str) -> str:
    """Words between single spaces, so that one text within another means whole words."""
    return f" {' '.join(text.split())} "


def unrewarded(source: str, outputs: Sequence[str], share: float, order: int) -> list[str]:
    """The n-grams that this share of the outputs has and the source lacks, longest first.

    >>> unrewarded("He left early .", ["He went home early .", "He went home soon ."], 0.75, 4)
    ['He went home']
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for output in outputs:
        counts.update(set(_ngrams(output.split(), order)))
    own = set(_ngrams(source.split(), order))
    frequent = [
        gram
        for gram, count in counts.items()
        if count >= share * len(outputs) and gram not in own and any(word.strip(_PUNCTUATION) for word in gram)
    ]
    kept: list[tuple[str, ...]] = []
    for gram in sorted(frequent, key=lambda gram: (-len(gram), -counts[gram], gram)):
        if not any(_padded(" ".join(gram)) in _padded(" ".join(longer)) for longer in kept):
            kept.append(gram)
    return [" ".join(gram) for gram in kept]


def _ngrams(words: Sequence[str], order: int) -> Iterable[tuple[str, ...]]:
    for size in range(1, order + 1):
        for start in range(len(words) - size + 1):
            yield tuple(words[start : start + size])
