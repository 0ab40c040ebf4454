"""Words replaced by their synonyms in WordNet, in the same form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from ..models.lexical.wordnet import WordNet, load_wordnet
from ..paraphraser import Candidate, Paraphraser, parameter
from ..text.inflect import form_of, inflect
from ..text.stopwords import is_stop_word
from ._words import article, cut_words, is_word, put_together, with_case

_DETERMINERS = frozenset(
    re.findall(r"\S+", "a an the this that these those my your his her its our their no every each some any")
)
_BEFORE_VERBS = frozenset(
    re.findall(
        r"\S+", "to i you he she it we they who will would shall should can could may might must do does did n't"
    )
)
_AUXILIARIES = frozenset(re.findall(r"\S+", "have has had having be am is are was were been being 's 've get got"))
_APOSTROPHES = ("'", "’")


class WordForm(NamedTuple):
    """A word as a form of an entry of WordNet."""

    base: str
    part: str
    form: str


@dataclass(frozen=True, kw_only=True)
class WordnetSwap(Paraphraser):
    """Each content word replaced by a synonym of the same part of speech, inflected alike: the classic baseline.

    The part of speech is known by the words before (a determiner, a pronoun, `to`) and else is the one with the most
    senses in the texts that WordNet's authors annotated; synonyms of frequent senses come first. The k-th of n
    candidates has the k-th synonym of each word. Words of one letter, and the parts of one with an apostrophe within
    (O'Neill, o'clock), stay. There is no score.
    """

    name: ClassVar[str] = "wordnet-swap"
    title: ClassVar[str] = "Word swap by WordNet"
    citation: ClassVar[str] = "Miller 1995, WordNet: A Lexical Database for English, CACM 38"
    limits: ClassVar[str] = "The sense of a word is not looked at beyond its part of speech."

    wordnet: str = parameter("default", "a folder of WordNet's files, or default")
    senses: int = parameter(2, "how many of the most frequent senses give synonyms", low=1)

    def propose(self, sources: Sequence[str], n: int) -> Iterator[list[Candidate]]:
        lexicon = load_wordnet(self.wordnet)
        for source in sources:
            words, gaps = cut_words(source)
            whole = _whole_words(words, gaps)
            synonyms = [self._synonyms(words, place, lexicon) if whole[place] else [] for place in range(len(words))]
            most = max(map(len, synonyms), default=0)
            yield [_swapped(words, gaps, synonyms, rank) for rank in range(min(n, most))]

    def why(self, source: str) -> str:  # noqa: ARG002
        return "no word of the source has a synonym in WordNet"

    def details(self) -> dict[str, str]:
        return {"wordnet": load_wordnet(self.wordnet).sha256[:12]}

    def _synonyms(self, words: Sequence[str], place: int, lexicon: WordNet) -> list[str]:
        """Synonyms of a word in its own form, the most frequent first."""
        word = words[place].lower()
        capital = place > 0 and words[place][:1].isupper() and words[place - 1] not in ".!?:\"'“"
        if capital or not is_word(word) or not word.isalpha() or is_stop_word(word):
            return []  # a capital within a sentence is most likely a name
        reading = _read(word, [before.lower() for before in words[max(0, place - 3) : place]], lexicon)
        if reading is None:
            return []
        names = (name for sense in lexicon.senses(reading.base, reading.part)[: self.senses] for name in sense)
        bases = dict.fromkeys(name for name in names if name.isalpha() and name.islower() and name != reading.base)
        forms = (inflect(base, reading.form, lexicon.irregular(base, reading.part)) for base in bases)
        return [form for form in dict.fromkeys(forms) if form is not None and form != word]


def _whole_words(words: Sequence[str], gaps: Sequence[str]) -> list[bool]:
    """Which have more than one letter, and are not part of a word with an apostrophe, as `Neill` of `O'Neill`."""
    inner = {
        place
        for place in range(1, len(words) - 1)
        if words[place] in _APOSTROPHES and gaps[place] == gaps[place + 1] == ""
        if is_word(words[place - 1]) and is_word(words[place + 1])
    }
    return [len(word) > 1 and not {place - 1, place + 1} & inner for place, word in enumerate(words)]


def _read(word: str, before: Sequence[str], lexicon: WordNet) -> WordForm | None:
    """The likeliest reading of a word, by the words before it; None where WordNet has none."""
    previous = before[-1] if before else ""
    readings: list[tuple[int, WordForm]] = []
    for part in ("noun", "verb", "adj", "adv"):
        for base in lexicon.bases(word, part):
            forms = form_of(word, base, part, lexicon.irregular(base, part))
            if forms:
                helped = any(one in _AUXILIARIES for one in before)
                form = "participle" if helped and "participle" in forms else forms[0]
                readings.append((lexicon.tagged(base, part), WordForm(base, part, form)))
    if previous in _DETERMINERS:
        readings = [found for found in readings if found[1].part in ("noun", "adj")] or readings
    elif previous in _BEFORE_VERBS:
        readings = [found for found in readings if found[1].part in ("verb", "adv")] or readings
    return max(readings, key=lambda found: found[0])[1] if readings else None


def _swapped(words: Sequence[str], gaps: list[str], synonyms: Sequence[Sequence[str]], rank: int) -> Candidate:
    swapped = list(words)
    replaced = 0
    for place, own in enumerate(synonyms):
        if own:
            swapped[place] = with_case(own[rank % len(own)], words[place])
            replaced += 1
            if place and swapped[place - 1].lower() in ("a", "an"):
                swapped[place - 1] = article(swapped[place - 1], swapped[place])
    provenance = {"replaced": replaced, "words": sum(map(is_word, words))}
    return Candidate(put_together(swapped, gaps), provenance=provenance)
