"""METEOR as nltk defines it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...compute.features import Tokens
from ...metric import Floats, PairMetric, Samples, Workspace, parameter
from ...models.lexical.wordnet import WordNet, load_wordnet
from ...text.meteor import Matched, match_greedily, match_in_fewest_chunks
from ...text.stem import stem
from ...text.tokens import NAMES
from ..shared.wording import Wording


@dataclass(frozen=True, kw_only=True)
class Meteor(Wording, PairMetric):
    """Words matched exactly, by stem or by synonym: weighted mean of precision and recall, less for broken order.

    With m matched words in c chunks, P = m / candidate, R = m / reference and F = P·R / (α·P + (1 − α)·R), the score
    is F · (1 − γ·(c/m)^β). Even a copy pays for its one chunk: n words compared with themselves get 1 − γ/n^β.
    `alignment=nltk` equals nltk's meteor_score on the same tokens, which matches words greedily from the end, not in
    the fewest chunks, and looks up the synonyms of stems, not of words ("happi" has none). `alignment=fewest-chunks`
    is METEOR's own definition: of all alignments with the most words one with the fewest chunks (by beam search, as
    METEOR 1.5 does it), and synonyms are words that share a WordNet synset.
    """

    name = "meteor"
    title = "METEOR"
    range = (0.0, 1.0)
    higher_is_better = True
    scores_empty = True
    copy_is_best = False
    loads = "WordNet"
    light = False
    citation = "Banerjee and Lavie 2005, METEOR, ACL workshop; Lavie and Agarwal 2007, WMT"
    limits = "Stems and synonyms are English: elsewhere only equal words match. Any sense of a word makes a synonym."
    related = ("meteor15", "rouge1", "bleu")

    alpha: float = parameter(0.9, "weight of recall in the mean", low=0, high=1)
    beta: float = parameter(3.0, "exponent of the fragmentation penalty", low=0)
    gamma: float = parameter(0.5, "maximum of the fragmentation penalty", low=0, high=1)
    alignment: str = parameter("nltk", "how words are matched", choices=("nltk", "fewest-chunks"))
    tokenizer: str = parameter("auto", "tokenization; case is ignored", choices=NAMES)
    wordnet: str = parameter("default", "a folder with WordNet's files, instead of the one that is found")

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        return super().rate(self.worded(samples, work), work)

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        tokens = work.get(Tokens(self.tokenizer, lowercase=True), [text for pair in pairs for text in pair])
        match = self._matcher(load_wordnet(self.wordnet))
        counts = np.array(
            [
                (*match(text, other), len(text), len(other))
                for text, other in zip(tokens[::2], tokens[1::2], strict=True)
            ],
            dtype=np.float64,
        ).reshape(-1, 4)
        words, chunks, length, reference = counts.T
        some = words > 0
        ones = np.where(some, 1.0, np.nan)
        precision, recall = words / np.where(some, length, np.nan), words / np.where(some, reference, np.nan)
        mean = precision * recall / (self.alpha * precision + (1 - self.alpha) * recall)
        scores = mean * (ones - self.gamma * (chunks / np.where(some, words, np.nan)) ** self.beta)
        return np.where(some, scores, np.where(reference > 0, 0.0, np.nan))

    def _matcher(self, lexicon: WordNet) -> Callable[[Sequence[str], Sequence[str]], Matched]:
        if self.alignment == "nltk":
            return lambda text, other: match_greedily(text, other, stem, lexicon.synonyms)

        @lru_cache(maxsize=1 << 16)
        def keys(word: str) -> Iterable[Hashable]:
            return (word, ("stem", stem(word)), *lexicon.synsets(word))

        return lambda text, other: match_in_fewest_chunks(text, other, keys)

    def details(self) -> dict[str, str]:
        return {"wordnet": load_wordnet(self.wordnet).sha256[:12]}

    def reason(self, samples: Samples, row: int) -> str:
        if self.against(samples.rows([row]))[0]:
            return f"the {'source' if self.free else 'reference'} has no words"
        return super().reason(samples, row)
