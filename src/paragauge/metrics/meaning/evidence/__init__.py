"""What `meaning` knows of a pair of texts before it is blended to a probability."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....metric import Floats, Workspace
from ....models.pairs.reader import PairReader
from ....text.normalize import collapse_repeats
from ...form.changed import changed
from ...shared.encoder import TokenMetric
from ...shared.findings import Findings
from ..bertscore import BertScore
from ..cosine import Cosine
from .order import crossed
from .reading import read_pairs

Pair = tuple[str, str]

# rules by whose findings the blend was trained: whether a rule counts in the verdict is another thing
LEARNED_LOSSES = ("number", "name", "negation", "modal", "question", "roles", "antonym")
# BERTScore F, its recall (what of the other text is in the candidate) and the cosine of the encoder as it is; what the
# reader says of both directions, of the weaker of them, and of the language, as tanh(logit/5); how near a copy the pair
# is, and that times two more: how far words were exchanged, and whether a rule sees something lost; then what rules see
# lost, each kind by itself, since a lost number says more than a lost name.
EVIDENCE = (
    *("frozen", "recall", "cosine"),
    *("forward", "backward", "weaker", "fluent"),
    *("near", "crossed", "lost"),
    *(f"lost_{rule}" for rule in LEARNED_LOSSES),
)
NEAR = 0.5  # `changed` from which on a pair is not a near copy
_SCALE = 5.0


def evidence(metric: TokenMetric, pairs: Sequence[Pair], reader: PairReader, work: Workspace) -> Floats:
    """What is known of each pair of a candidate and another text [n, k], in the order of `EVIDENCE`."""
    turned = [(other, text) for text, other in pairs]
    near = nearness(turned, work)
    found = [{one.rule for one in own} for own in work.get(Findings(), turned)]
    losses = np.array([[rule in own for rule in LEARNED_LOSSES] for own in found], np.float64)
    losses = losses.reshape(-1, len(LEARNED_LOSSES))
    said = np.full((len(pairs), 3), np.nan)
    whole = [row for row, pair in enumerate(turned) if all(map(str.strip, pair))]
    if whole:
        readings = read_pairs(reader, metric.load(), [turned[row] for row in whole], work)
        said[whole] = np.tanh(np.array([one[:3] for one in readings]) / _SCALE)
    plain = [(collapse_repeats(text), collapse_repeats(other)) for text, other in pairs]
    order = np.array([np.sqrt(crossed(*pair)) if own else 0.0 for pair, own in zip(turned, near, strict=True)])
    score = BertScore(**metric.token_parameters())
    likeness = [
        score.compare(plain, work),
        BertScore(**metric.token_parameters() | {"part": "recall"}).compare(plain, work),
        Cosine(**metric.encoder_parameters()).compare(plain, work),
    ]
    both = [*said[:, :2].T, said[:, :2].min(axis=1), said[:, 2]]
    return np.column_stack([*likeness, *both, near, near * order, near * losses.any(axis=1), *losses.T])


def nearness(pairs: Sequence[Pair], work: Workspace) -> Floats:
    """How near a copy each pair of a source and a candidate is: 1 for a copy, 0 from `changed` = `NEAR` on."""
    return np.clip(1 - np.nan_to_num(changed(pairs, work), nan=1.0) / NEAR, 0, 1)
