"""A model of a few tokens whose every sequence can be enumerated."""

from __future__ import annotations

import itertools
import zlib
from dataclasses import dataclass

import numpy as np


@dataclass
class Rows:
    """What each row has read: its source and the tokens so far."""

    read: list[tuple]

    def select_rows(self, rows):
        return Rows([self.read[row] for row in rows])


class Toy:
    """Random but fixed probabilities of the next token, after a source and what was written so far.

    Token 0 ends a sequence; the last token begins it and is never written.
    """

    begin = 5
    end = 0

    def __init__(self, vocabulary=6, seed=0, sharpness=1.5, end_bonus=0.0):
        self.vocabulary, self.seed, self.sharpness, self.end_bonus = vocabulary, seed, sharpness, end_bonus
        self.begin = vocabulary - 1
        self.suppressed = [self.begin]
        self.steps = 0
        self._known = {}

    def start(self, sources):
        return Rows([(tuple(source), ()) for source in sources])

    def step(self, state, tokens):
        assert len(tokens) == len(state.read)
        self.steps += 1
        read = [(source, (*before, int(token))) for (source, before), token in zip(state.read, tokens, strict=True)]
        return np.stack([self.after(source, before[1:]) for source, before in read]), Rows(read)

    def after(self, source, tokens):
        """Log-probabilities of what follows."""
        key = tuple(source), tuple(tokens)
        if key not in self._known:
            self._known[key] = self._drawn(*key)
        return self._known[key].copy()

    def _drawn(self, source, tokens):
        seed = zlib.crc32(repr((self.seed, tuple(source), tuple(tokens))).encode())
        logits = np.random.default_rng(seed).normal(0, self.sharpness, self.vocabulary)
        logits[self.end] += self.end_bonus
        logits[self.begin] = -np.inf
        return (logits - np.log(np.exp(logits).sum())).astype(np.float32)

    def all_sequences(self, source, longest, prefix=()):
        """(tokens, log-probability, ended) of every sequence: ended, or as long as may be."""
        words = [token for token in range(self.vocabulary) if token not in (self.end, self.begin)]
        for length in range(longest - len(prefix) + 1):
            for tail in itertools.product(words, repeat=length):
                tokens = (*prefix, *tail)
                total = 0.0
                for place in range(len(prefix), len(tokens)):
                    total += float(self.after(source, tokens[:place])[tokens[place]])
                if len(tokens) < longest:
                    yield tokens, total + float(self.after(source, tokens)[self.end]), True
                else:
                    yield tokens, total, False
