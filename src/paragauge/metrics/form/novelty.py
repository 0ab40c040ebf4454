"""How many words, or n-grams, of the candidate the source lacks: vocabulary novelty and PINC."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...compute.features import Tokens
from ...metric import Floats, Samples, Workspace, parameter
from ...text.ngrams import shared_tokens, shared_types
from ...text.tokens import SACREBLEU
from ..shared.wording import SourceMetric, share


@dataclass(frozen=True, kw_only=True)
class Novelty(SourceMetric):
    """Share of the candidate's words that do not stand in the source: 0 for a copy, 1 for all new words.

    Words are lower-cased runs of letters and digits, so that punctuation and capitals are never new. By default each
    distinct word counts once (`count=types`): it is a property of the vocabulary, and a repeated new word is not newer.
    `count=tokens` counts every occurrence.
    """

    name = "novelty"
    title = "Novelty"
    range = (0.0, 1.0)
    higher_is_better = True
    citation = "See et al. 2017, Get To The Point, ACL (novel n-grams); the order 1 of Chen and Dolan 2011"
    limits = "Inflected forms are new words, reordered ones are not; wrong words are as new as good ones."
    related = ("pinc", "lexical-deviation", "copy-rate")

    count: str = parameter("types", "each distinct word once, or every occurrence", choices=("types", "tokens"))

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        pairs = self.words(samples, work, Tokens("words"))
        shared, own = shared_types(pairs, 1) if self.count == "types" else shared_tokens(pairs)
        return share((own - shared)[:, 0], own[:, 0], pairs)


@dataclass(frozen=True, kw_only=True)
class Pinc(SourceMetric):
    """Share of the candidate's distinct n-grams that are not in the source: 0 for a copy, 1 for nothing in common.

    PINC = 1/N · Σₙ (1 − |n-grams of source and candidate| / |n-grams of the candidate|), over n = 1 … N = 4 and sets of
    n-grams. Where the candidate is shorter than n words the paper's term is 0/0; the mean is then over the orders that
    the candidate has. Chen and Dolan read it together with BLEU against the references (`-m bleu -m pinc`): BLEU for
    adequacy, PINC for novelty, two axes and no sum, as a candidate can be good at either alone.
    """

    name = "pinc"
    title = "PINC"
    range = (0.0, 1.0)
    higher_is_better = True
    citation = "Chen and Dolan 2011, Collecting Highly Parallel Data for Paraphrase Evaluation, ACL"
    limits = "A sentence about something else gets 1: read it together with a metric of meaning."
    related = ("bleu", "novelty", "lexical-deviation", "ned")

    order: int = parameter(4, "longest n-gram", low=1, high=16)
    tokenizer: str = parameter("auto", "tokenization", choices=("auto", *SACREBLEU))
    lowercase: bool = parameter(False, "ignore case")

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        pairs = self.words(samples, work, Tokens(self.tokenizer, self.lowercase))
        shared, own = shared_types(pairs, self.order)
        defined = pairs.lengths.reshape(-1, 2).all(axis=1)
        novel = np.divide(own - shared, own, out=np.zeros(own.shape), where=own > 0)
        orders = np.maximum((own > 0).sum(axis=1), 1)
        return np.where(defined, novel.sum(axis=1) / orders, np.nan)
