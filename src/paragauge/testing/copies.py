"""Of copies: what the same text gets, another text, and a copy with edits that change nothing."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ..metric import Metric
from ..metrics.shared.wording import Wording
from .expected import is_neural, of_a_copy, question_of, rounding
from .texts import SCRIPTS, TRIVIAL_EDITS


def check_identical_texts_are_best(metric: Metric) -> None:
    """In every script: a tokenizer that drops letters it does not know would give 0 or NaN."""
    best = of_a_copy(metric)
    if not _compares_texts(metric) or math.isinf(best):  # log-odds, say: there is no best
        return
    texts = [text for group in SCRIPTS.values() for text in group]
    scores = metric.score(sources=texts, candidates=texts, references=[[text] for text in texts])
    for text, score in zip(texts, scores, strict=True):
        if metric.copy_is_best:
            assert abs(score - best) <= rounding(metric), f"{text!r} compared with itself gets {score}, not {best}"
        else:
            assert abs(score - best) < 0.5, f"{text!r} compared with itself gets {score}, nowhere near {best}"
    if metric.copy_is_best:
        return
    pairs = [(text, other) for group in SCRIPTS.values() for text in group for other in group]
    against = metric.score(
        sources=[text for text, _ in pairs],
        candidates=[other for _, other in pairs],
        references=[[text] for text, _ in pairs],
    )
    own = dict(zip(texts, scores, strict=True))
    for (text, other), score in zip(pairs, against, strict=True):
        gain = score - own[text] if metric.higher_is_better else own[text] - score
        assert gain <= rounding(metric), (
            f"{other!r} gets {score} against {text!r}, better than the text itself: {own[text]}"
        )


def check_other_texts_are_worse(metric: Metric) -> None:
    """In every script a text with other words is worse than a copy (lexical metrics: an encoder may know none)."""
    best = of_a_copy(metric)
    if not _compares_texts(metric) or is_neural(metric):
        return
    for script, (one, two, *_) in SCRIPTS.items():
        score = metric.score(sources=[one], candidates=[two], references=[[one]])[0]
        assert abs(score - best) > 0.01, f"{script}: {two!r} gets {score} against {one!r}, as a copy would"


def check_trivial_edits_earn_nothing(metric: Metric) -> None:
    """With `normalize=yes`, or `normalizes`, an edit of a copy that no reader would call a change gets what it gets.

    Through an encoder, which reads the text as it is, it may get less, but never more.
    """
    if isinstance(metric, Wording):
        metric = dataclasses.replace(metric, normalize=True)
    elif not metric.normalizes:
        assert question_of(metric) != "overall", (
            "an overall metric without the parameter `normalize`; derive from Wording, or declare another `question`"
        )
        return
    texts = [*(group[0] for group in SCRIPTS.values()), "The café's (new) waiter, Zoë, said: it is open!"]
    references = [*(group[1:] for group in SCRIPTS.values()), ["The new waiter of the café said that it is open."]]
    names = [name for name in TRIVIAL_EDITS for _ in texts]
    copies = texts * len(TRIVIAL_EDITS)
    edited = [edit(text) for edit in TRIVIAL_EDITS.values() for text in texts]
    sources, groups = copies, references * len(TRIVIAL_EDITS)
    if metric.unit == "source":  # the same candidate twice, or once and once edited
        sources = [f"{name} of {text}" for name, text in zip(names, copies, strict=True)] * 2
        names, groups, copies, edited = names * 2, groups * 2, copies * 2, [*copies, *edited]
    one, other = (metric.score(sources=sources, candidates=column, references=groups) for column in (copies, edited))
    gains = (other - one) * (1 if metric.higher_is_better else -1) if is_neural(metric) else np.abs(other - one)
    assert np.array_equal(np.isnan(one), np.isnan(other)), "an edit makes the score undefined"
    for name, text, gain in zip(names, edited, gains, strict=True):
        assert not gain > rounding(metric), f"{name} changes the score of a copy by {gain}: {text!r}"


def _compares_texts(metric: Metric) -> bool:
    """Does it say how alike two texts are? The model of a pair, which its user names, need not find a copy best."""
    return question_of(metric) in ("meaning", "form") and metric.loads != "pair model"
