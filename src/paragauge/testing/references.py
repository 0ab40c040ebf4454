"""Of several references, of the source in their place, and of the whole corpus."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ..compute.workspace import Workspace
from ..metric import Comparison, Metric, SumMetric
from ..tables.samples import Samples
from .expected import ROUNDING, equal, exactness, plain, rounding
from .texts import SCRIPTS


def check_more_references(metric: Metric) -> None:
    """Of several references the best counts, so one more never worsens a score (unless it `pools_references`)."""
    if not isinstance(metric, Comparison) or metric.free or metric.pools_references:
        return
    groups = [("How old are you, then?", "What is your age?", "", "你几岁？", "Age?")[:size] for size in range(1, 6)]
    few = [texts[2:3] for texts in SCRIPTS.values()]
    sources, candidates = ([texts[place] for texts in SCRIPTS.values()] for place in (0, 1))
    before = metric.score(sources=sources, candidates=candidates, references=few)
    for group in groups:
        for more in ([(*own, *group) for own in few], [(*group, *own) for own in few]):
            after = metric.score(sources=sources, candidates=candidates, references=more)
            gain = after - before if metric.higher_is_better else before - after
            assert (gain >= -rounding(metric)).all(), f"further references worsened a score by {-gain.min()}: {group}"


def check_free(metric: Metric) -> None:
    """`.free` is the same comparison, with the source in the place of the reference."""
    if not isinstance(metric, Comparison) or metric.compares_with != "references":
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
        defined = ~np.isnan(scores) | (metric.unit == "pair")  # one text is no set
        mean = np.average(scores[defined], weights=None if weights is None else weights[defined])
        assert abs(mean - found) <= rounding(metric), f"the corpus score is {found}, the mean {mean}"
