"""Paraphrases of a reference that are near the outputs of translation systems."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ..errors import InputError
from ..files.reading.tables import open_table
from ..models.hub.checksum import file_sha256
from ..paraphraser import Candidate, parameter
from ._codes import code_tokens, nearest_codes
from ._seq2seq import Seq2SeqParaphraser
from .decoding.beam import BeamSettings

_PUNCTUATION = ".,;:!?\"'()[]“”‘’…"


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
    length_penalty: float = parameter(
        1.0, "exponent of the length that log-probabilities are divided by", low=0, high=5
    )

    def decode(self, sources: list[str], n: int) -> Iterable[list[Candidate]]:
        known = self._known()
        if self.by == "code":
            return self._by_code(sources, [known.get(source, ()) for source in sources], n)
        wanted = [unrewarded(source, known.get(source, ()), self.share, self.order)[:n] for source in sources]
        pairs = [(place, phrase) for place, own in enumerate(wanted) for phrase in own]
        ids, words = self.ids(sources), self.load().words
        settings = BeamSettings(self.width, 1, self.most(), self.length_penalty)
        required = [(tuple(words.phrase(phrase)),) for _, phrase in pairs]
        found = self.search([ids[place] for place, _ in pairs], settings, required=required)
        results: list[list[Candidate]] = [[] for _ in sources]
        for (place, phrase), own in zip(pairs, found, strict=True):
            results[place] += [self.candidate(one, constraint=phrase) for one in own]
        return results

    def _by_code(self, sources: list[str], outputs: Sequence[Sequence[str]], n: int) -> list[list[Candidate]]:
        model, ids = self.load(), self.ids(sources)
        tokens = code_tokens(model)
        texts = list(dict.fromkeys(text for own in outputs for text in own))
        codes = dict(zip(texts, nearest_codes(model, texts) if texts else (), strict=True))
        counts = [Counter(codes[text] for text in own) for own in outputs]
        pairs = [(place, code) for place, own in enumerate(counts) for code, _ in own.most_common(n)]
        settings = BeamSettings(self.width, 1, self.most(), self.length_penalty)
        prefixes = [[tokens[code]] for _, code in pairs]
        found = self.search([ids[place] for place, _ in pairs], settings, prefixes=prefixes)
        results: list[list[Candidate]] = [[] for _ in sources]
        for (place, code), own in zip(pairs, found, strict=True):
            results[place] += [self.candidate(one._replace(tokens=one.tokens[1:]), code=code) for one in own]
        return results

    def why(self, source: str) -> str:
        if source not in self._known():
            return "there is no output for the source"
        return "the outputs have no n-gram in common that the source lacks"

    def details(self) -> dict[str, str]:
        self._known()
        return super().details() | {"outputs": file_sha256(Path(str(self.outputs)))[:12]}

    def _known(self) -> Mapping[str, Sequence[str]]:
        if self.outputs is None:
            raise InputError("output-specific needs outputs=FILE, a table with the columns source and candidate")
        return _outputs(self.outputs, file_sha256(Path(self.outputs)) if Path(self.outputs).is_file() else "")


@functools.lru_cache(maxsize=4)
def _outputs(path: str, sha256: str) -> dict[str, list[str]]:  # noqa: ARG001 - a file that changed is read again
    found: dict[str, list[str]] = {}
    for chunk in open_table(path):
        for source, candidate in zip(chunk.sources, chunk.candidates, strict=True):
            found.setdefault(source, []).append(candidate)
    return found


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
        padded = f" {' '.join(gram)} "
        if not any(padded in f" {' '.join(longer)} " for longer in kept):
            kept.append(gram)
    return [" ".join(gram) for gram in kept]


def _ngrams(words: Sequence[str], order: int) -> Iterable[tuple[str, ...]]:
    for size in range(1, order + 1):
        for start in range(len(words) - size + 1):
            yield tuple(words[start : start + size])
