"""Writes the table of opposites that the rule `antonym` reads, from the files of WordNet.

python -m paragauge_research.training.meaning.opposites
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product, starmap
from pathlib import Path

from paragauge.models.lexical.wordnet import PARTS, WordNet, load_wordnet
from paragauge.verdict import opposites
from paragauge.verdict.opposites import regular

from ..wordnet import ANTONYM, SIMILAR, read_synsets

TABLE = Path(opposites.__file__).with_name("antonyms.txt")
Sides = tuple[frozenset[str], frozenset[str]]
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "de", "mis", "over", "under")
_SENSES = 2  # of a word, the commonest first, in which it is the opposite of another
_HEADER = """\
# Opposites of English words, and irregular forms of them, from WordNet 3.0 (its licence: antonyms.license).
# Written by `python -m paragauge_research.training.meaning.opposites`; not to be changed by hand. [part of speech];
# words / each one's opposites; prefix-: words that it turns into their opposites; irregular form = word.
"""


def table(lexicon: WordNet) -> str:
    """The text of the file."""
    return _HEADER + "".join(f"{line}\n" for part in PARTS for line in (f"[{part}]", *_lines(part, lexicon)))


def _lines(part: str, lexicon: WordNet) -> Iterator[str]:
    sides: set[Sides] = set()
    turned: dict[str, set[str]] = {}
    for pair in _opposites(part, lexicon):
        ours, theirs = (frozenset(word for word in side if _is_common(word, part, lexicon)) for side in pair)
        for prefix, word in filter(None, starmap(_prefixed, product(*pair))):
            if _is_common(word, part, lexicon):
                turned.setdefault(prefix, set()).add(word)
        if ours and theirs and not all(starmap(_prefixed, product(ours, theirs))):
            sides.add((ours, theirs) if sorted(ours) < sorted(theirs) else (theirs, ours))
    kept = [pair for pair in sides if not any(pair != other and _is_within(pair, other) for other in sides)]
    known = {word for pair in kept for side in pair for word in side}.union(*turned.values())
    yield from sorted(f"{' '.join(sorted(one))} / {' '.join(sorted(other))}" for one, other in kept)
    yield from (f"{prefix}-: {' '.join(sorted(words))}" for prefix, words in sorted(turned.items()))
    yield from sorted(
        f"{form} = {word}"
        for word in known
        for form in lexicon.irregular(word, part)
        if _is_word(form) and form != word and word not in regular(form, part)
    )


def _prefixed(word: str, other: str) -> tuple[str, str] | None:
    """The prefix that makes one of two words of the other, and the other: (un, happy)."""
    shorter, longer = sorted((word, other), key=len)
    prefix = longer.removesuffix(shorter)
    return (prefix, shorter) if prefix in _PREFIXES else None


def _is_within(pair: Sides, other: Sides) -> bool:
    return any(pair[0] <= one and pair[1] <= two for one, two in (other, other[::-1]))


def _opposites(part: str, lexicon: WordNet) -> Iterator[tuple[Iterable[str], Iterable[str]]]:
    """Antonyms; and the other words of their synsets and, of adjectives, those that WordNet calls similar to them, each
    in one of its commonest senses."""
    synsets = read_synsets(lexicon.place / f"data.{part}")

    def meant(where: str, senses: int) -> set[str]:
        own = synsets[where].words
        return {word for word in own if _is_word(word) and tuple(own) in lexicon.senses(word, part)[:senses]}

    def similar(where: str) -> set[str]:
        near = (other for symbol, other, _, _ in synsets[where].pointers if symbol == SIMILAR)
        return set().union(*(meant(other, 1) for other in near))

    for where, own in synsets.items():
        for _, other, here, there in (pointer for pointer in own.pointers if pointer.symbol == ANTONYM):
            direct = own.words[here - 1], synsets[other].words[there - 1]
            if all(map(_is_word, direct)):
                yield [direct[0]], [direct[1]]
            yield meant(where, _SENSES), meant(other, _SENSES) | similar(other)


def _is_word(word: str) -> bool:
    return word.isalpha() and word.islower() and len(word) > 1


def _is_common(word: str, part: str, lexicon: WordNet) -> bool:
    """Does it stand, as this part of speech, in the texts that WordNet's authors annotated?"""
    return word in lexicon.bases(word, part) and lexicon.tagged(word, part) > 0


if __name__ == "__main__":
    TABLE.write_text(table(load_wordnet()), encoding="utf-8")
