"""Beam search with words that must, and words that must not, be written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..errors import InputError
from ..paraphraser import Candidate, parameter
from ..text.stopwords import is_stop_word
from ._seq2seq import Seq2SeqParaphraser
from ._words import cut_words, is_word
from .decoding.beam import BeamSettings
from .decoding.constraints import Phrases, contains


@dataclass(frozen=True, kw_only=True)
class Constrained(Seq2SeqParaphraser):
    """The n best that contain all of some phrases and none of others, by dynamic beam allocation."""

    name: ClassVar[str] = "constrained"
    title: ClassVar[str] = "Constrained decoding"
    citation: ClassVar[str] = (
        "Post and Vilar 2018, Fast Lexically Constrained Decoding with Dynamic Beam Allocation, NAACL"
    )
    limits: ClassVar[str] = "What does not fit is written all the same, and the text suffers."

    require: str = parameter("", "phrases that every candidate contains, separated by ;")
    avoid: str = parameter("", "phrases that no candidate contains, separated by ;")
    avoid_source: bool = parameter(False, "avoid the content words of the source, names and numbers excepted")
    width: int = parameter(10, "sequences in the beam; n where that is more", low=1, high=1000)

    @property
    def by_sentence(self) -> bool:
        return self.split == "yes"  # phrases are for the whole source

    def decode(self, sources: list[str], n: int) -> Iterable[list[Candidate]]:
        settings = BeamSettings(max(self.width, n), n, self.max_tokens(), self.length_penalty)
        wanted, unwanted = listed(self.require), listed(self.avoid)
        if not wanted and not unwanted and not self.avoid_source:
            raise InputError("constrained needs a constraint; expected require=…, avoid=… or avoid_source=yes")
        self._check(wanted, unwanted)
        required, banned = self.phrases(wanted), self.variants(unwanted)
        own = [self.variants(content_words(source)) if self.avoid_source else () for source in sources]
        # a word of the source that must be written is not avoided
        kept = [
            banned + tuple(word for word in words if not any(contains(phrase, word) for phrase in required))
            for words in own
        ]
        found = self.search(self.ids(sources), settings, required=[required] * len(sources), banned=kept)
        for one in found:
            yield [self.candidate(hypothesis) for hypothesis in one]

    def spelled(self, candidate: Candidate) -> Sequence[str]:  # noqa: ARG002
        return listed(self.require)

    def literal(self, source: str) -> Sequence[str]:
        own = content_words(source) if self.avoid_source else []
        return [*listed(self.require), *listed(self.avoid), *own]

    def _check(self, wanted: Sequence[str], unwanted: Sequence[str]) -> None:
        """Refuse what no text can meet, by the phrases as they were given."""
        for phrase in wanted:
            if reason := self.unwritable(phrase):
                raise InputError(f"no candidate can contain '{phrase}', which is required: {reason}")
        for phrase, tokens in zip(wanted, self.phrases(wanted), strict=True):
            for other in unwanted:
                if any(form and contains(tokens, form) for form in self.variants([other])):
                    raise InputError(f"no candidate can contain '{phrase}', which is required, and avoid '{other}'")

    def phrases(self, texts: Iterable[str]) -> Phrases:
        """Token sequences of the texts."""
        words = self.load().words
        return tuple(tuple(words.phrase(text)) for text in texts)

    def variants(self, texts: Iterable[str]) -> Phrases:
        """The same, with and without a capital."""
        spelled = [form for text in texts for form in (text, text.lower(), text[:1].upper() + text[1:])]
        return tuple(dict.fromkeys(self.phrases(spelled)))


def listed(phrases: str) -> list[str]:
    """The phrases between semicolons that are not empty.

    >>> listed("New York; ;cat")
    ['New York', 'cat']
    """
    return [phrase for phrase in map(str.strip, phrases.split(";")) if phrase]


def content_words(source: str) -> list[str]:
    """Words that are neither function words, numbers nor, within a sentence, names."""
    words, _ = cut_words(source)
    return [
        word
        for place, word in enumerate(words)
        if is_word(word)
        and not is_stop_word(word)
        and word.isalpha()
        and (word.islower() or (place == 0 and word[1:].islower()))
    ]
