"""Something that only one of the texts says: words put in, or taken out."""

from __future__ import annotations

from ..english import Word, is_content, vocabulary, words
from ..findings import Outcome, Places, Span
from . import rule

# what stresses or hedges, and says nothing more
_STRESS = vocabulary(
    """actually truly really literally indeed fact certainly definitely simply currently somehow basically obviously
    clearly totally absolutely well please mr mrs ms"""
)
_SHARE = 1 / 3  # of the longer text's words that both have, at least: below that it is another text


@rule(Outcome.CHECK, yields=True)
def added(source: str, candidate: str) -> list[Places]:
    """Words put into an otherwise unchanged text, where one of them carries meaning."""
    return [(None, Span.of(*run)) for run in put_in(words(source), words(candidate))]


def put_in(shorter: tuple[Word, ...], longer: tuple[Word, ...]) -> list[list[Word]]:
    """The runs of words that make the longer text of the shorter; none where that takes anything else."""
    if not shorter or not len(shorter) < len(longer) <= len(shorter) / _SHARE:
        return []
    runs: list[list[Word]] = [[]]
    place = 0
    for word in longer:
        if place < len(shorter) and word.lower == shorter[place].lower:
            place += 1
            if runs[-1]:
                runs.append([])
        else:
            runs[-1].append(word)
    return [run for run in runs if any(map(_says, run))] if place == len(shorter) else []


def _says(word: Word) -> bool:
    return is_content(word.lower) and word.lower not in _STRESS


@rule(Outcome.CHECK, yields=True)
def dropped(source: str, candidate: str) -> list[Places]:
    """Words taken out of an otherwise unchanged text, where one of them carries meaning."""
    return [(Span.of(*run), None) for run in put_in(words(candidate), words(source))]
