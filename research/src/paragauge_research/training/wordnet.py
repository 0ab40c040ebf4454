"""The data files of WordNet as training reads them: synsets, what they point to, and what follows from that."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from paragauge.errors import ModelError
from paragauge.models.lexical.wordnet import load_wordnet

PARTS = ("adj", "adv", "verb", "noun")
ANTONYM, SIMILAR, HYPERNYM = "!", "&", "@"


class Pointer(NamedTuple):
    """From a word of a synset to one of another; numbers count from 1, and 0 means the whole synset."""

    symbol: str
    where: str  # the offset of the other synset
    here: int
    there: int


class Synset(NamedTuple):
    """Words of one meaning."""

    words: list[str]
    pointers: list[Pointer]


def read_synsets(file: Path) -> dict[str, Synset]:
    """The synsets of a part of speech by their offset, in the order of the file."""
    found = {}
    for line in file.read_text("utf-8").splitlines():
        if line.startswith(" "):  # of the licence
            continue
        fields = line.split("|")[0].split()
        count = int(fields[3], 16)
        words = [word.partition("(")[0] for word in fields[4 : 4 + 2 * count : 2]]
        rest = fields[5 + 2 * count :]
        pointers = [
            Pointer(symbol, offset, int(ends[:2], 16), int(ends[2:], 16))
            for symbol, offset, ends in zip(rest[::4], rest[1::4], rest[3::4], strict=False)
            if symbol in (ANTONYM, SIMILAR, HYPERNYM)
        ]
        found[fields[0]] = Synset(words, pointers)
    return found


def read_antonyms(synsets: dict[str, dict[str, Synset]]) -> dict[str, list[str]]:
    """Single words and their antonyms, of all parts of speech."""
    antonyms: dict[str, list[str]] = defaultdict(list)
    for own in synsets.values():
        for synset in own.values():
            for symbol, where, here, there in synset.pointers:
                if symbol == ANTONYM and here:
                    word, other = synset.words[here - 1], own[where].words[there - 1]
                    if "_" not in word + other and other not in antonyms[word]:
                        antonyms[word].append(other)
    return dict(antonyms)


def read_parts(folder: Path) -> dict[str, dict[str, Synset]]:
    """The synsets of every part of speech."""
    return {part: read_synsets(folder / f"data.{part}") for part in PARTS}


def open_wordnet() -> Path:
    """The folder of WordNet."""
    place = load_wordnet().place
    if not place.is_dir():
        raise ModelError(f"{place} is not a folder; `paragauge models get wordnet` fetches one")
    return place
