"""What `meaning` knows of a pair of texts before it is blended to a probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ....compute.features import Findings, judge
from ....compute.workspace import Workspace
from ....metric import Floats
from ....models.pairs.learned import LearnedMeaning
from ....text.normalize import same_words, unstretched
from ...form.changed import changed
from .._neural import TokenMetric
from ..bertscore import BertScore
from ..cosine import Cosine
from .order import crossed
from .words import word_recall

Pair = tuple[str, str]

# kinds of findings that the blend was trained on: whether a rule counts in the verdict is another thing
LEARNED_LOSSES = ("number", "name", "negation", "modal", "question", "roles", "antonym")
# BERTScore F, its recall (what of the other text is in the candidate) and the cosine of an encoder as it is; how well
# rare words are matched; how near a copy the pair is, and that times three more: tanh(logit/5) of the learned model,
# which does not speak against a rule, how far words were exchanged, and whether a rule sees something lost; then what
# rules see lost, each kind by itself, since a lost number says more than a lost name.
EVIDENCE = (
    *("frozen", "recall", "cosine", "words"),
    *("near", "same", "crossed", "lost"),
    *(f"lost_{kind}" for kind in LEARNED_LOSSES),
)
# the first three by the encoder of the learned model too, where another one is asked for: two readers agree with people
# better than one, and this one is small
SECOND = ("second_frozen", "second_recall", "second_cosine")
NEAR = 0.5  # `changed` from which on one word no longer decides, and the learned model is not asked
_SCALE = 5.0


def kinds(metric: TokenMetric, learned: LearnedMeaning) -> tuple[str, ...]:
    """The kinds of evidence that there are with the metric's encoder."""
    return EVIDENCE if metric.load().sha256 == learned.settings["base_sha256"] else (*EVIDENCE, *SECOND)


def evidence(metric: TokenMetric, pairs: Sequence[Pair], learned: LearnedMeaning, work: Workspace) -> Floats:
    """What is known of each pair of a candidate and another text [n, k], in the order of `kinds`."""
    turned = [(other, text) for text, other in pairs]
    near = nearness(turned, work)
    found = [{one.kind for one in own} for own in work.get(Findings(), turned)]
    losses = np.array([[kind in own for kind in LEARNED_LOSSES] for own in found], np.float64)
    losses = losses.reshape(-1, len(LEARNED_LOSSES))
    lost = losses.any(axis=1)
    asked = [row for row in np.flatnonzero(near).tolist() if not same_words(*turned[row])]
    same = np.zeros(len(pairs))
    for row, values in zip(asked, judge(learned, [turned[row] for row in asked], work), strict=True):
        same[row] = np.nan if values is None else np.tanh(values[0] / _SCALE)
    same = np.where(lost, np.minimum(same, 0), same)  # of a hundred such pairs a rule is wrong about three at most
    read = [(unstretched(text), unstretched(other)) for text, other in pairs]
    words = word_recall(read, learned, metric.precision, metric.long, work)
    order = np.array([np.sqrt(crossed(*pair)) if own else 0.0 for pair, own in zip(turned, near, strict=True)])
    columns = [*_likeness(metric, read, work), words, near, near * same, near * order, near * lost, *losses.T]
    if len(kinds(metric, learned)) > len(columns):
        columns += _likeness(replace(metric, encoder=learned.settings["base"]), read, work)
    return np.column_stack(columns)


def _likeness(metric: TokenMetric, pairs: Sequence[Pair], work: Workspace) -> list[Floats]:
    """BERTScore F, its recall and cosine, as the metric reads."""
    score = BertScore(**metric.token_parameters())
    return [
        score.compare(pairs, work),
        replace(score, part="recall").compare(pairs, work),
        Cosine(**metric.encoder_parameters()).compare(pairs, work),
    ]


def nearness(pairs: Sequence[Pair], work: Workspace) -> Floats:
    """How near a copy each pair of a source and a candidate is: 1 for a copy, 0 from `changed` = `NEAR` on."""
    return np.clip(1 - np.nan_to_num(changed(pairs, work), nan=1.0) / NEAR, 0, 1)
