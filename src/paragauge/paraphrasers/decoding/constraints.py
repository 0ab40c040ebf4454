"""Lexical constraints: token sequences that must be in a text, and such that must not."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ...errors import InputError

Phrases = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class PhraseProgress:
    """How far a hypothesis is with the phrases that it must contain.

    A phrase that is broken off counts from its start again, and no token counts for two phrases, so that what is met
    here is met in the text.
    """

    unmet: Phrases
    done: int = 0  # tokens of phrases that are complete
    place: int = 0  # tokens of the phrase under way, which is the first of `unmet`; 0 where none is

    @property
    def met(self) -> int:
        """Tokens of phrases that are in place: the number of the bank."""
        return self.done + self.place

    @property
    def complete(self) -> bool:
        return not self.unmet

    def wanted(self) -> tuple[int, ...]:
        """The tokens that would go on with a phrase, or begin one."""
        if self.place:
            return (self.unmet[0][self.place],)
        return tuple(dict.fromkeys(phrase[0] for phrase in self.unmet))

    def after(self, token: int) -> PhraseProgress:
        """The progress with one more token."""
        if self.place and self.unmet[0][self.place] == token:
            return self._further(self.place + 1)
        for number, phrase in enumerate(self.unmet):
            if phrase[0] == token:
                first = (phrase, *self.unmet[:number], *self.unmet[number + 1 :])
                return replace(self, unmet=first, place=0)._further(1)
        return replace(self, place=0) if self.place else self

    def _further(self, place: int) -> PhraseProgress:
        phrase = self.unmet[0]
        if place == len(phrase):
            return PhraseProgress(self.unmet[1:], self.done + place)
        return replace(self, place=place)


def banned_next(tokens: Sequence[int], banned: Phrases) -> list[int]:
    """The tokens that would complete a banned phrase."""
    return [
        phrase[-1]
        for phrase in banned
        if len(phrase) == 1 or (len(tokens) >= len(phrase) - 1 and tuple(tokens[1 - len(phrase) :]) == phrase[:-1])
    ]


def contains(tokens: Sequence[int], phrase: Sequence[int]) -> bool:
    """Is the phrase a contiguous part of the tokens?"""
    width = len(phrase)
    return any(tuple(tokens[start : start + width]) == tuple(phrase) for start in range(len(tokens) - width + 1))


def check_constraints(
    required: Phrases, banned: Phrases, room: int, vocabulary: int, end: int, suppressed: Collection[int] = ()
) -> None:
    """Refuse, before any decoding, what no text of at most `room` tokens could meet.

    A token that the model suppresses may be banned, which changes nothing, but not required.
    """
    for phrase in (*required, *banned):
        if not phrase:
            raise InputError("a constraint has no tokens; expected at least one")
        wrong = [token for token in phrase if not 0 <= token < vocabulary or token == end]
        if wrong:
            raise InputError(f"a constraint has the token {wrong[0]}, which the model cannot write within a text")
    for phrase in required:
        never = [token for token in phrase if token in suppressed]
        if never:
            raise InputError(f"the constraint {list(phrase)} has the token {never[0]}, which the model never writes")
    length = sum(map(len, required))
    if length > room:
        raise InputError(f"the constraints have {length:,} tokens, and a text may have {room:,}; expected fewer")
    for phrase in required:
        for other in banned:
            if contains(phrase, other):
                raise InputError(f"the constraint {list(phrase)} contains {list(other)}, which is banned")
