"""BERTScore."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path

import numpy as np

from ...compute.features import Matching
from ...errors import InputError
from ...metric import Floats, PairMetric, Samples, Workspace, parameter
from ...models.encoders.matching import match_pairs
from ..shared.encoder import Neural, TokenMetric

PARTS = ("precision", "recall", "f1")


@dataclass(frozen=True, kw_only=True)
class BertScore(TokenMetric, Neural, PairMetric):
    """Each token takes its most similar token of the other text (cosine of contextual vectors).

    Precision is the mean over the candidate's tokens, recall over the other text's, f1 their harmonic mean. Special
    tokens have no weight of their own but can be matched, as in bert_score 0.3.13. Of several references the best
    counts, for each part by itself. An empty text gives NaN (bert_score: 0). Words outside the encoder's vocabulary are
    all the same token, as there: "I love 🦄" against "I love 🍕" gets 1. With `unknown=surface` two such tokens match
    only where their text is equal (else their cosine is at most 0).
    """

    name = "bertscore"
    title = "BERTScore"
    higher_is_better = True
    symmetric = True  # f1, without idf; precision and recall change places
    citation = "Zhang et al. 2020, BERTScore, ICLR"
    limits = "Numbers, names and negations weigh as little as any word; a copy gets 1."
    related = ("cosine", "parascore")

    part: str = parameter("f1", "precision, recall or F1", choices=PARTS)
    idf: bool = parameter(False, "weight tokens by inverse document frequency in the texts compared with")
    baseline: str | None = parameter(None, "rescale by this file, as `paragauge models baseline` writes it")

    @property
    def range(self) -> tuple[float, float]:
        return (-1.0, 1.0) if self.baseline is None else (-np.inf, 1.0)

    @property
    def learns(self) -> bool:
        return self.idf

    def learn(self, samples: Samples, work: Workspace) -> None:
        found: Counter[int] = work.prepared.setdefault(self.spec, Counter())
        for ids in self.load().ids([text for group in self.against(samples) for text in group]):
            found.update(set(ids))
            found[-1] += 1  # the number of texts, under an id that no token has

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        encoder = self.load()
        texts = [text for pair in pairs for text in pair]
        encoded = self.encode(texts, work)
        spelled = self.spelled(texts, encoded, work)
        if self.idf:
            weights = _idf(work.prepared[self.spec], encoder.special_ids)
            sides = None if spelled is None else (spelled[::2], spelled[1::2])
            table = match_pairs(encoded[::2], encoded[1::2], encoder.special_ids, weights, sides)
        else:
            by_text = None if spelled is None else dict(zip(texts, spelled, strict=True))
            matching = Matching(encoder, dict(zip(texts, encoded, strict=True)), by_text)
            table = np.array(work.get(matching, pairs)).reshape(-1, len(PARTS))
        scores = table[:, PARTS.index(self.part)]
        if self.baseline is not None:
            base = _baseline(self.baseline, encoder.layer)[PARTS.index(self.part)]
            scores = (scores - base) / (1 - base)
        return scores

    def details(self) -> dict[str, str]:
        if self.baseline is None:
            return super().details()
        digest = hashlib.sha256(Path(self.baseline).read_bytes()).hexdigest()
        return super().details() | {"baseline": digest[:12]}


class _Idf(dict[int, float]):
    """Weight of a token id; an id that was never seen is the rarest of all."""

    def __init__(self, weights: dict[int, float], unseen: float) -> None:
        super().__init__(weights)
        self.unseen = unseen

    def __missing__(self, token: int) -> float:
        return self.unseen


def _idf(found: Counter[int], special_ids: frozenset[int]) -> _Idf:
    """log((N + 1) / (texts with the token + 1)), as bert_score has it."""
    texts = found[-1] + 1
    weights = {token: log(texts / (count + 1)) for token, count in found.items() if token >= 0}
    return _Idf(weights | dict.fromkeys(special_ids, 0.0), log(texts))


@cache
def _baseline(path: str, layer: int) -> tuple[float, ...]:
    """P, R, F of this layer, from lines of `LAYER,P,R,F`."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()[1:]
        table = {int(line.split(",")[0]): tuple(map(float, line.split(",")[1:4])) for line in lines if line.strip()}
    except (OSError, ValueError) as error:
        raise InputError(f"the baseline {path} cannot be read ({error}); expected lines of LAYER,P,R,F") from error
    if layer not in table or any(value != value for value in table[layer]):
        raise InputError(
            f"the baseline {path} has no numbers for layer {layer}; make one with `paragauge models baseline`"
        )
    return table[layer]
