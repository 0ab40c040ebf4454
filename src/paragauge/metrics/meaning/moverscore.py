"""MoverScore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...metric import Floats, PairMetric, Samples, Workspace
from ...models.encoders.matching import unlike
from ..shared.encoder import Neural, TokenMetric
from ..shared.word_vectors import check_solver, distances, transport_cost

_PAIRS = 1 << 22  # of tokens, at most: the solver's time grows faster than their number


@dataclass(frozen=True, kw_only=True)
class MoverScore(TokenMetric, Neural, PairMetric):
    """1 minus the word mover's distance of the two texts' contextual token vectors, in the style of MoverScore.

    Vectors have length 1, distances are Euclidean, and the cheapest plan is found exactly. In the style of, because
    the paper's code weighs tokens by idf, pools several layers by power means, and drops punctuation and all but the
    first piece of a word; here single tokens (1-grams) of one layer weigh the same, without [CLS] and [SEP]. A text
    without tokens gives NaN. Of several references the best counts. Needs the extra `transport`.
    """

    name = "moverscore"
    title = "MoverScore"
    range = (-1.0, 1.0)
    higher_is_better = True
    symmetric = True
    light = False
    citation = "Zhao et al. 2019, MoverScore, EMNLP"
    limits = (
        "No fixed zero: unrelated tweets get about −0.3 with the default encoder; negations and changed numbers move "
        "it little."
    )
    related = ("bertscore", "wmd")

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        check_solver()
        special = np.array(sorted(self.load().special_ids))
        texts = [text for pair in pairs for text in pair]
        encoded = self.encode(texts, work)
        spelled = self.spelled(texts, encoded, work)
        scores = np.full(len(pairs), np.nan)
        for number, both in enumerate(zip(encoded[::2], encoded[1::2], strict=True)):
            own = [~np.isin(text.ids, special) for text in both]
            if 0 < own[0].sum() * own[1].sum() <= _PAIRS:
                costs = distances(
                    *(text.vectors[kept].astype(np.float64) for text, kept in zip(both, own, strict=True))
                )
                if spelled is not None:
                    first, second = unlike(*spelled[2 * number : 2 * number + 2])
                    # the place of a token among the text's own; unknown tokens are never special
                    apart = tuple(np.cumsum(kept)[side] - 1 for kept, side in zip(own, (first, second), strict=True))
                    costs[apart] = np.maximum(costs[apart], 2**0.5)  # as for vectors at a right angle
                supply, demand = (np.full(size, 1 / size) for size in costs.shape)
                scores[number] = 1 - transport_cost(supply, demand, costs)
        return scores

    def reason(self, samples: Samples, row: int) -> str:
        own = samples.rows([row])
        sizes = [len(own.candidates[0]) * len(other) for other in self.against(own)[0]]
        if self.long == "window" and sizes and min(sizes) > _PAIRS:
            return f"the texts are too long to move one to the other: more than {_PAIRS:,} pairs of tokens"
        return super().reason(samples, row)
