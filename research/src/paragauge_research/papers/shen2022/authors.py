"""What the code published with Shen et al. 2022 does to texts and scores, faults included.

Read from github.com/shadowkiller33/ParaScore at commit ac50028: src/baseline.py, src/eval_metric.py, src/data_utils.py
and src/utils.py. Nothing here is for use on its own: docs/reproduction.md says what is wrong with each.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from paragauge.errors import InputError
from paragauge.metric import Floats
from paragauge.tables.samples import Samples

ORDER = 4
ORDERS = range(1, ORDER + 1)
EPSILON = 0.1  # what smoothing method 1 of nltk counts for an order without a match
GAMMA = 0.35
STEPS = 100  # ω = 0.00, 0.01 … 0.99
ALPHA = 0.2  # of iBLEU

# nltk's word_tokenize cuts these in two. The published texts are tokens with spaces between them already, so that
# nothing else in them is cut (research/tests/published compares all of them with nltk).
_CUT = {"cannot": 3, "gimme": 3, "gonna": 3, "gotta": 3, "lemme": 3, "wanna": 3}


class Tuned(NamedTuple):
    """The weight ω that the dev rows choose, and the one that the authors' code then uses."""

    chosen: float
    used: float
    pearson: float  # on the dev rows, with the chosen one


def spaced(samples: Samples) -> Samples:
    """BQ-Para as their code reads it: a space after every character, in Latin words and numbers too."""

    def apart(texts: Iterable[str]) -> list[str]:
        return [" ".join(text) for text in texts]

    references = [tuple(apart(group)) for group in samples.references]
    return Samples(apart(samples.sources), apart(samples.candidates), references, samples.systems, samples.ids)


def unspaced(samples: Samples) -> Samples:
    """BQ-Para as their distances of Tables 2 to 8 read it: without the spaces between its Latin words."""

    def joined(texts: Iterable[str]) -> list[str]:
        return [text.replace(" ", "") for text in texts]

    references = [tuple(joined(group)) for group in samples.references]
    return Samples(joined(samples.sources), joined(samples.candidates), references, samples.systems, samples.ids)


def words(text: str) -> list[str]:
    """Lower-cased tokens, as nltk's word_tokenize gives them for texts that are tokenized already.

    >>> words("I cannot stay .")
    ['i', 'can', 'not', 'stay', '.']
    """
    found: list[str] = []
    for word in text.lower().split():
        cut = _CUT.get(word)
        found += [word] if cut is None else [word[:cut], word[cut:]]
    return found


def bleu(others: Sequence[str], candidates: Sequence[str], *, flat: bool) -> Floats:
    """Sentence BLEU of nltk with smoothing method 1, one other text for each candidate.

    With `flat` the words of the other text are handed over as if each were a reference of its own. A reference is a
    sequence of tokens, and the tokens of a word are its letters: so what is counted are words of one letter.
    """
    counted = {text: [_ngrams(words(text), n) for n in ORDERS] for text in dict.fromkeys(candidates)}
    allowed = {text: _allowed(words(text) if flat else [words(text)]) for text in dict.fromkeys(others)}
    rows = zip(others, candidates, strict=True)
    return np.array([_sentence_bleu(counted[candidate], allowed[other]) for other, candidate in rows])


class _Allowed(NamedTuple):
    counts: list[Counter[tuple[str, ...]]]  # for each order the most often that any one reference has an n-gram
    lengths: list[int]


def _allowed(references: Sequence[Sequence[str]]) -> _Allowed:
    counts: list[Counter[tuple[str, ...]]] = [Counter() for _ in ORDERS]
    for reference in references:
        for n in ORDERS:
            counts[n - 1] |= _ngrams(reference, n)
    return _Allowed(counts, sorted({len(reference) for reference in references}))


def _sentence_bleu(own: Sequence[Counter[tuple[str, ...]]], allowed: _Allowed) -> float:
    """In the order in which nltk rounds: that decides which scores are ties, and so the rank correlation."""
    length = own[0].total()
    logarithms: list[float] = []
    for mine, theirs in zip(own, allowed.counts, strict=True):
        shared = sum(min(count, theirs[ngram]) for ngram, count in mine.items() if ngram in theirs)
        if not shared and not logarithms:
            return 0.0
        logarithms.append(math.log((shared or EPSILON) / max(1, mine.total())) / ORDER)
    closest = min(allowed.lengths, key=lambda size: abs(size - length))  # they are sorted: the shorter of two
    brevity = 1.0 if length > closest else math.exp(1 - closest / length)
    return brevity * math.exp(math.fsum(logarithms))


def _ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


def rouge(kind: str, others: Sequence[str], candidates: Sequence[str]) -> Floats:
    """F of the package `rouge` 1.0.1 (`rouge1`, `rouge2` or `rougeL`): words with case, each counted once.

    It cuts texts at full stops, and takes *sets* of n-grams. Its ROUGE-L is that of summaries: the different words that
    any longest common subsequence of a part of the one and a part of the other text holds.
    """
    if kind not in ("rouge1", "rouge2", "rougeL"):
        raise InputError(f"no ROUGE named '{kind}'; known: rouge1, rouge2, rougeL")
    scores = np.empty(len(candidates))
    for row, (other, candidate) in enumerate(zip(others, candidates, strict=True)):
        theirs, ours = _parts(other), _parts(candidate)
        if not theirs or not ours:
            scores[row] = np.nan  # the package raises an error
        elif kind == "rougeL":
            common = {word for one in theirs for two in ours for word in _common(one, two)}
            scores[row] = _f(len(common), len(set(chain(*theirs))), len(set(chain(*ours))))
        else:
            left, right = (set(_ngrams(list(chain(*parts)), int(kind[-1]))) for parts in (theirs, ours))
            scores[row] = _f(len(left & right), len(left), len(right))
    return scores


def _parts(text: str) -> list[list[str]]:
    """The words between full stops; white space between two full stops is one empty word."""
    return [part.split() or [""] for part in text.split(".") if part]


def _f(shared: int, other: int, candidate: int) -> float:
    recall = shared / other if other else 0.0
    precision = shared / candidate if candidate else 0.0
    return 2 * precision * recall / (precision + recall + 1e-8)


def _common(one: Sequence[str], two: Sequence[str]) -> list[str]:
    """A longest common subsequence; of several, the one that the package finds from the end."""
    lengths = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i, left in enumerate(one):
        for j, right in enumerate(two):
            lengths[i + 1][j + 1] = lengths[i][j] + 1 if left == right else max(lengths[i][j + 1], lengths[i + 1][j])
    found: list[str] = []
    i, j = len(one), len(two)
    while i and j:
        if one[i - 1] == two[j - 1]:
            found.append(one[i - 1])
            i, j = i - 1, j - 1
        elif lengths[i - 1][j] > lengths[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def ibleu(samples: Samples, alpha: float = ALPHA) -> Floats:
    """BLEU − α·SelfBLEU with candidate and reference in each other's place, and flat; the same in `free` mode."""
    references = [group[0] for group in samples.references]
    own = samples.candidates
    return bleu(own, references, flat=True) - alpha * bleu(own, samples.sources, flat=True)


def bert_ibleu(meaning: Floats, copied: Floats, beta: float) -> Floats:
    """Their `selfibleu`: (β + 1) / (β/BERTScore + 1/(1 + SelfBLEU)); SelfBLEU from 0 to 1."""
    result: Floats = (beta + 1) / (beta / meaning + 1 / (1 + copied))
    return result


def diversity(distance: Floats, gamma: float = GAMMA) -> Floats:
    """DS with `>=` at the threshold, where the paper has `>`."""
    return np.where(distance >= gamma, gamma, -1 + (gamma + 1) / gamma * distance)


def tune(similarity: Floats, difference: Floats, human: Floats, steps: int = STEPS) -> Tuned:
    """The ω of the grid with the highest Pearson correlation on the dev rows, the smallest of equals.

    Their loop tries ω = i/100 for i = 0 … 99, and then scores the test rows with (i + 1)/100.
    """
    grid = np.arange(steps) / 100
    found = np.array([_pearson(similarity + omega * difference, human) for omega in grid])
    if np.isnan(found).all():
        raise InputError("no ω can be chosen: on the dev rows every correlation is undefined")
    best = int(np.nanargmax(found))
    return Tuned(best / 100, (best + 1) / 100, float(found[best]))


def _pearson(x: Floats, y: Floats) -> float:
    x, y = x - x.mean(), y - y.mean()
    size = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / size if size > 0 else math.nan
