"""What is expected of a metric, by its question, its texts, and how exact it can be; and how checks are run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from .. import metrics
from ..metric import ComparisonMetric, Floats, Metric
from ..tables.samples import Samples
from .texts import plain_rows, plain_sets

# In double precision a score is a handful of operations on exact counts: 1e-9 allows for their rounding, at a scale
# of up to 100, and for nothing else.
ROUNDING = 1e-9
# float32 kernels round differently in batches of another size, and so does a product of matrices read the other way.
FLOAT32 = 1e-5


def is_registered(metric: Metric) -> bool:
    """Is this class the one that its name stands for?"""
    return metric.name in metrics.names() and metrics.load(metric.name) is type(metric)


def question_of(metric: Metric) -> str:
    """What a metric answers, whether it is registered or, as yet, a class of its author's."""
    return metrics.question(metric.name) if is_registered(metric) else metrics.declared_question(type(metric))


def is_neural(metric: Metric) -> bool:
    """Does it read texts through an encoder or another model?"""
    return metric.loads in ("encoder", "language model", "pair model")


def rounding(metric: Metric) -> float:
    """How far beyond the end of its range a score may end."""
    return FLOAT32 if is_neural(metric) else ROUNDING


def exactness(metric: Metric) -> float:
    """How far apart two ways to the same score may end: not at all, unless it is made of products of matrices."""
    return FLOAT32 if is_neural(metric) else ROUNDING if metric.loads == "word vectors" else 0


def equal(found: Floats, expected: Floats, within: float) -> bool:
    """Equal to within a tolerance (beyond 1 a relative one), exactly so if it is 0; NaN equals NaN."""
    if found.shape != expected.shape or not np.array_equal(np.isnan(found), np.isnan(expected)):
        return False
    defined = ~np.isnan(found)
    allowed = within * np.maximum(1, np.abs(expected[defined]))
    return bool((np.abs(found[defined] - expected[defined]) <= allowed).all())


def assert_in_range(metric: Metric, scores: Floats) -> None:
    """Some score is defined, and none is beyond the range."""
    low, high = metric.range
    defined = scores[~np.isnan(scores)]
    assert len(defined), "no row has a score"
    least, most = defined.min(), defined.max()
    assert least >= low - rounding(metric), f"the score {least} is below the range, from {low} to {high}"
    assert most <= high + rounding(metric), f"the score {most} is above the range, from {low} to {high}"


def plain(metric: Metric) -> Samples:
    """Plain rows, or plain sets of them for a metric of sets."""
    return plain_sets() if metric.unit == "source" else plain_rows()


def of_a_copy(metric: Metric) -> float:
    """What the same text twice gets: the best score, but the worst of a metric that rewards distance to the source."""
    if isinstance(
        metric, ComparisonMetric
    ):  # `free` is the same comparison, even where it turns what is better (ned.free)
        metric = replace(metric, free=False)
    low, high = metric.range
    rewards_distance = metric.needs == "source" and question_of(metric) != "meaning"
    return high if metric.higher_is_better != rewards_distance else low


def failures(checks: Iterable[Callable[..., None]], *given: object) -> dict[str, str]:
    """The names of the checks that fail, and what each found."""
    failed = {}
    for check in checks:
        try:
            check(*given)
        except AssertionError as error:
            failed[check.__name__] = str(error)
        except Exception as error:  # whatever a metric or a paraphraser raises
            failed[check.__name__] = f"{type(error).__name__}: {error}"
    return failed


def refuse(name: str, failed: Mapping[str, str], checks: int) -> None:
    """An AssertionError that names what failed, where anything did."""
    if failed:
        lines = (f"\n  {check}: {found}" for check, found in failed.items())
        raise AssertionError(f"{name} fails {len(failed)} of {checks} checks:{''.join(lines)}")
