"""The contracts as checks: for what is in this package, and for the authors of plug-ins.

from paragauge.testing import check_metric

def test_contract():
    check_metric(LengthRatio())
"""

from __future__ import annotations

from collections.abc import Callable

from ..metric import Metric
from . import comparisons, expected, rows
from .expected import NONE, Values, failures, refuse
from .functions import check_classifier, check_correlation, check_rule
from .paraphrasers import check_paraphraser

# Each takes a metric, and fails with an AssertionError that says what is broken.
CHECKS: tuple[Callable[..., None], ...] = tuple(
    check
    for module in (expected, rows, comparisons)
    for name, check in vars(module).items()
    if name.startswith("check_")
)
# These also take what parameters may be, where that is not to be seen from their declaration.
OF_PARAMETERS: tuple[Callable[[Metric, Values], None], ...] = (expected.check_signature, expected.check_spec)
OF_SCORES: tuple[Callable[[Metric], None], ...] = tuple(check for check in CHECKS if check not in OF_PARAMETERS)
__all__ = [
    "CHECKS", "OF_PARAMETERS", "OF_SCORES", "check_classifier", "check_correlation", "check_metric",
    "check_paraphraser", "check_rule", "failed_checks",
]  # fmt: skip


def check_metric(metric: Metric, values: Values = NONE) -> None:
    """Run every check; an AssertionError names those that failed, and what each found.

    `values` says what parameters may be that are neither numbers, flags nor one of some choices, such as the name of
    a model: values={"model": ["folder/of/another"]}.
    """
    refuse(metric.spec, failed_checks(metric, values), len(CHECKS))


def failed_checks(metric: Metric, values: Values = NONE) -> dict[str, str]:
    """The names of the checks that a metric fails, and what each found."""
    if not __debug__:
        raise RuntimeError("python -O leaves out assertions, which the checks of a metric are made of")
    return failures(OF_SCORES, metric) | failures(OF_PARAMETERS, metric, values)
