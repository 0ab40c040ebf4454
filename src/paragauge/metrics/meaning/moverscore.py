"""MoverScore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...compute.transport import check_solver, distances, transport_cost
from ...compute.workspace import Workspace
from ...metric import Floats, PairMetric
from ...models.encoders.encoder import Encoded
from ._neural import Neural


@dataclass(frozen=True, kw_only=True)
class MoverScore(Neural, PairMetric):
    """1 minus the word mover's distance of the two texts' contextual token vectors, in the style of MoverScore.

    Vectors have length 1, distances are Euclidean, and the cheapest plan is found exactly. In the style of, because
    the paper's code weighs tokens by idf, pools several layers by power means, and drops punctuation and all but the
    first piece of a word; here single tokens (1-grams) of one layer weigh the same, without [CLS] and [SEP]. A text
    without tokens gives NaN. Of several references the best counts. Needs the extra `transport`.
    """

    name: ClassVar[str] = "moverscore"
    title: ClassVar[str] = "MoverScore"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    symmetric: ClassVar[bool] = True
    light: ClassVar[bool] = False
    citation: ClassVar[str] = "Zhao et al. 2019, MoverScore, EMNLP"
    limits: ClassVar[str] = (
        "No fixed zero: unrelated tweets get about −0.3 with the default encoder; negations and changed numbers move "
        "it little."
    )
    related: ClassVar[tuple[str, ...]] = ("bertscore", "wmd")

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        check_solver()
        special = np.array(sorted(self.load().special_ids))
        encoded = self.encode([text for pair in pairs for text in pair], work)
        scores = np.full(len(pairs), np.nan)
        for number, (one, two) in enumerate(zip(encoded[::2], encoded[1::2], strict=True)):
            points, others = _own(one, special), _own(two, special)
            if len(points) and len(others):
                supply, demand = (np.full(len(side), 1 / len(side)) for side in (points, others))
                scores[number] = 1 - transport_cost(supply, demand, distances(points, others))
        return scores


def _own(text: Encoded, special: np.ndarray) -> Floats:
    """The vectors of the tokens that are the text's own."""
    return text.vectors[~np.isin(text.ids, special)].astype(np.float64)
