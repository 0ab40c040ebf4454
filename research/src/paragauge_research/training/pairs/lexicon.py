"""What made-up errors know of words: the lists next to this file, WordNet, and what texts teach."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

from ..wordnet import HYPERNYM, read_antonyms, read_parts

WORD = re.compile(r"\w+(?:['’.-]\w+)*|[^\w\s]")
_ENDING = re.compile(
    r" ((?:in|on|at|with|for|near|during|after|by|from) (?:the |a |his |her |their )?[\w-]+(?: [\w-]+)?)[.!]?$"
)


@dataclass
class Lexicon:
    """What the errors know of words."""

    exchange: Mapping[str, Mapping[str, Sequence[str]]]  # kind to word to what it may be replaced by
    added: Mapping[str, Sequence[str]]
    negated: Mapping[str, str]
    same: Mapping[str, str]
    antonyms: Mapping[str, Sequence[str]]
    siblings: Mapping[str, Sequence[str]]  # nouns to other nouns below the same one
    verbs: frozenset[str]
    names: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)  # ends of other sentences: "in the kitchen"
    follows: dict[str, list[str]] = field(default_factory=dict)  # what may come after a word, in some corpus

    def learn(self, texts: Iterable[str]) -> None:
        """Names, ends of sentences and neighbours of words, from texts."""
        names: dict[str, int] = defaultdict(int)
        phrases: set[str] = set()
        follows: dict[str, list[str]] = defaultdict(list)
        for text in texts:
            words = WORD.findall(text)
            for before, word in pairwise(words):
                if word[0].isupper() and word[1:].islower() and before.isalpha() and len(word) > 2:
                    names[word] += 1
                if len(follows[before]) < 40:
                    follows[before].append(word)
            found = _ENDING.search(text)
            if found:
                phrases.add(found.group(1))
        self.names = sorted(word for word, count in names.items() if 2 <= count <= 200)
        self.phrases = sorted(phrases)
        self.follows = {word: list(others) for word, others in follows.items()}


@cache
def read_lexicon(wordnet: Path) -> Lexicon:
    """The lists next to this file, and WordNet's antonyms, verbs and nouns below the same noun."""
    lists = tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))
    exchange: dict[str, dict[str, list[str]]] = {}
    for kind, groups in lists["exchange"].items():
        table: dict[str, list[str]] = defaultdict(list)
        for group in groups:
            words = [word.replace("_", " ") for word in group.split()]
            for word in words:
                table[word] += [other for other in words if other != word]
        exchange[kind] = table
    parts = read_parts(wordnet)
    verbs = frozenset(word for own in parts["verb"].values() for word in own.words)
    below: dict[str, list[str]] = defaultdict(list)
    common = _common_nouns(wordnet)
    for synset in parts["noun"].values():
        for pointer in synset.pointers:
            if pointer.symbol == HYPERNYM and synset.words[0] in common:
                below[pointer.where].append(synset.words[0])
    siblings: dict[str, list[str]] = defaultdict(list)
    for nouns in below.values():
        nouns = sorted({noun for noun in nouns if "_" not in noun and noun.islower() and len(noun) > 2})
        if 2 <= len(nouns) <= 30:
            for noun in nouns:
                siblings[noun] += [other for other in nouns if other != noun]
    antonyms = read_antonyms(parts)
    return Lexicon(exchange, lists["added"], lists["negated"], lists["same"], antonyms, dict(siblings), verbs)


def _common_nouns(wordnet: Path) -> frozenset[str]:
    """Nouns that some text of WordNet's own sense-tagged corpus has."""
    found = set()
    for line in (wordnet / "index.noun").read_text("utf-8").splitlines():
        fields = line.split()
        if not line.startswith(" ") and int(fields[4 + int(fields[3]) + 1]) > 0:
            found.add(fields[0])
    return frozenset(found)
