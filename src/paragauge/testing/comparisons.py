"""Of what texts are compared with: a copy, an edited one, other texts, several references; and of the corpus."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ..metric import ComparisonMetric, Metric, Samples, SumMetric, Workspace
from ..metrics.shared.wording import Wording
from .expected import ROUNDING, equal, exactness, is_neural, of_a_copy, plain, question_of, rounding
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


def check_more_references(metric: Metric) -> None:
    """Of several references the best counts, so one more never worsens a score (unless it `pools_references`)."""
    if not isinstance(metric, ComparisonMetric) or metric.free or metric.pools_references:
        return
    groups = [("How old are you, then?", "What is your age?", "", "你几岁？", "Age?")[:size] for size in range(1, 6)]
    few = [texts[2:3] for texts in SCRIPTS.values()]
    sources, candidates = ([texts[place] for texts in SCRIPTS.values()] for place in (0, 1))
    before = metric.score(sources=sources, candidates=candidates, references=few)
    for group in groups:
        for more in ([(*own, *group) for own in few], [(*group, *own) for own in few]):
            after = metric.score(sources=sources, candidates=candidates, references=more)
            gain = after - before if metric.higher_is_better else before - after
            assert (gain >= -rounding(metric)).all(), f"more references worsened a score by {-gain.min()}: {group}"


def check_free(metric: Metric) -> None:
    """`.free` is the same comparison, with the source in the place of the reference."""
    if not isinstance(metric, ComparisonMetric) or metric.compares_with != "references":
        return
    table = plain(metric)
    swapped = dataclasses.replace(table, references=[(source,) for source in table.sources])
    free = dataclasses.replace(metric, free=True).score(table)
    bound = dataclasses.replace(metric, free=False).score(swapped)
    assert equal(free, bound, within=exactness(metric)), (
        f"'.free' is not the comparison with the source: {free.tolist()}, expected {bound.tolist()}"
    )


def check_corpus(metric: Metric) -> None:
    """In range, without the undefined rows: the score of the summed counts, or else the mean of the rows."""
    nothing = Samples.of([""], ["a candidate without anything to compare it with"])
    assert math.isnan(metric.corpus(plain(metric).rows([]))), "there are no rows, yet a corpus score"
    found = metric.corpus(plain(metric))
    low, high = metric.range
    assert low - rounding(metric) <= found <= high + rounding(metric), (
        f"the corpus score {found} is not from {low} to {high}"
    )
    if math.isnan(metric.score(nothing)[0]):
        assert math.isnan(metric.corpus(nothing)), "no row is defined, yet a corpus score"
        both = metric.corpus(plain(metric) + nothing)
        assert abs(both - found) <= rounding(metric), f"an undefined row makes {both} of the corpus score {found}"
    if isinstance(metric, SumMetric):
        copies = [["A man is playing a guitar."] * size for size in (1, 3)]
        one, three = (metric.corpus(Samples.of(texts, texts, [[text] for text in texts])) for texts in copies)
        assert abs(one - three) <= ROUNDING, f"three copies get {three}, one gets {one}"
        summed = metric.counts(plain(metric), Workspace()).sum(axis=0, keepdims=True)
        expected = metric.from_counts(summed, corpus=True)[0]
        assert abs(expected - found) <= ROUNDING, f"the corpus score is {found}, of the summed counts {expected}"
    else:
        scores, weights = metric.score(plain(metric)), metric.weights(plain(metric))
        defined = ~np.isnan(scores) | (metric.unit == "pair")  # one text is not a set
        mean = np.average(scores[defined], weights=None if weights is None else weights[defined])
        assert abs(mean - found) <= rounding(metric), f"the corpus score is {found}, the mean {mean}"


def _compares_texts(metric: Metric) -> bool:
    """Does it say how alike two texts are? The model of a pair, which its user names, need not find a copy best."""
    return question_of(metric) in ("meaning", "form") and metric.loads != "pair model"
