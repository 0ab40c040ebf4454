"""Sampling: at each step from the most probable tokens that together have a share of the probability."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .step import Hypothesis, LogProbabilities, StepModel, Where, score_of


def top_mass(log_probabilities: LogProbabilities, mass: float) -> NDArray[np.float64]:
    """Each row as probabilities of the fewest tokens that together have at least `mass`, the most probable first taken.

    >>> top_mass(np.log(np.array([[0.5, 0.3, 0.2]], np.float32)), 0.8).round(3).tolist()
    [[0.625, 0.375, 0.0]]
    """
    probabilities = np.exp(log_probabilities.astype(np.float64))
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    kept = np.zeros_like(probabilities)
    # all tokens below this have less than 1 - mass together, so that none of them is needed, nor sorted
    least = (1 - mass) / probabilities.shape[1]
    for row, own in zip(kept, probabilities, strict=True):
        likely = np.flatnonzero(own >= least)
        order = likely[np.argsort(-own[likely], kind="stable")]
        ranked = own[order]
        # a token is taken while those before it have not reached the mass; 1e-7 is what sums of float32 may be off by
        ranked[np.cumsum(ranked) - ranked >= mass - 1e-7] = 0
        row[order] = ranked
    kept /= kept.sum(axis=1, keepdims=True)
    return kept


def generator_of(seed: int, *keys: object) -> np.random.Generator:
    """A generator of random numbers that depends on the seed and the keys, wherever and whenever it is made."""
    digest = hashlib.sha256(repr((seed, *keys)).encode()).digest()
    return np.random.default_rng(np.frombuffer(digest, np.uint32))


def sample(
    model: StepModel[Where],
    sources: Sequence[Sequence[int]],
    n: int,
    *,
    mass: float = 0.8,
    longest: int = 128,
    penalty: float = 1.0,
    seed: int = 0,
    prefixes: Sequence[Sequence[int]] | None = None,
) -> list[list[Hypothesis]]:
    """n sequences drawn for each source, in the order in which they are drawn; some may be equal.

    What is drawn for a source depends on the seed and the source alone.
    """
    count = len(sources)
    if not count:
        return []
    generators = [generator_of(seed, tuple(source), draw) for source in sources for draw in range(n)]
    prefix = [tuple(prefixes[row // n]) if prefixes is not None else () for row in range(count * n)]
    tokens: list[list[int]] = [[] for _ in range(count * n)]
    totals = [0.0] * (count * n)
    ended = [False] * (count * n)
    state = model.start(sources).select_rows(np.repeat(np.arange(count), n))
    active = list(range(count * n))
    last = [model.begin] * len(active)
    for step in range(longest):
        log_probabilities, state = model.step(state, np.array(last, np.intp))
        shares = np.cumsum(top_mass(log_probabilities, mass), axis=1)
        kept, last = [], []
        for place, row in enumerate(active):
            if step < len(prefix[row]):
                token = prefix[row][step]
            else:
                token = int(np.searchsorted(shares[place], generators[row].random() * shares[place, -1], side="right"))
                totals[row] += float(log_probabilities[place, token])
            if token == model.end and step >= len(prefix[row]):
                ended[row] = True
                continue
            tokens[row].append(token)
            kept.append(place)
            last.append(token)
        active = [active[place] for place in kept]
        if not active:
            break
        state = state.select_rows(np.array(kept, np.intp))
    found = [
        Hypothesis(tuple(own), total, score_of(total, len(own) + over, penalty), over)
        for own, total, over in zip(tokens, totals, ended, strict=True)
    ]
    return [found[start : start + n] for start in range(0, len(found), n)]
