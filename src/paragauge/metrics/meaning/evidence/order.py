"""How far the words that two texts share stand in another order, where no one part of the text was moved."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"\w+|[,;]")
_JOINS = frozenset([",", ";", "and", "or", "nor"])
_LIST = 4  # words: those of a list are this far apart at most
_LONGEST = 250  # shared words: longer texts are left alone


def crossed(source: str, candidate: str) -> float:
    """The share of pairs of shared words in another order, once the part whose move explains most of it is left out.

    0 where the order is the same, where one part stands elsewhere ("today it rains", "it rains today"), and for items
    of a list that changed places; more where two parts were exchanged. Words that either text has twice are left out,
    and texts that share more than 250.

    >>> crossed("Today Ann paid Bob", "Ann paid Bob today"), crossed("Ann or Bob pays", "Bob or Ann pays")
    (0.0, 0.0)
    >>> round(crossed("Ann paid Bob today", "Bob paid Ann today"), 2)
    0.17
    """
    here, there = _WORD.findall(source.lower()), _WORD.findall(candidate.lower())
    once, places = Counter(here), _places(there)
    shared = [place for place, word in enumerate(here) if once[word] == 1 and word in places and word not in _JOINS]
    order = np.array([places[here[place]] for place in shared])
    if not 3 <= len(order) <= _LONGEST or (order[1:] > order[:-1]).all():
        return 0.0
    turned = np.triu(order[:, None] > order[None, :], 1)
    apart = np.subtract.outer(shared, shared).T
    for one, other in np.argwhere(turned & (apart <= _LIST)):
        if not _JOINS.isdisjoint(here[shared[one] + 1 : shared[other]]):
            turned[one, other] = False
    left = turned.sum() - _explained(turned | turned.T)
    return float(left / (len(order) * (len(order) - 1) / 2))


def _places(words: Sequence[str]) -> dict[str, int]:
    counts = Counter(words)
    return {word: place for place, word in enumerate(words) if counts[word] == 1}


def _explained(turned: NDArray[np.bool_]) -> int:
    """Of the turned pairs [n, n], how many have one word inside and one outside of the same run of words, at most."""
    sums = np.zeros(np.add(turned.shape, 1), np.int64)
    sums[1:, 1:] = turned.cumsum(axis=0).cumsum(axis=1)
    whole, own = sums[:, -1], np.diag(sums)
    across = whole[None, :] - whole[:, None] - own[None, :] - own[:, None] + 2 * sums  # of the run from row to column
    return int(np.triu(across).max())
