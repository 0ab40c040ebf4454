"""The contract of a metric, checked: for those of this package, and for the authors of plug-ins.

from paragauge.testing import check_metric

def test_contract():
    check_metric(LengthRatio())
"""

from __future__ import annotations

from collections.abc import Callable

from ..metric import Metric
from .copies import check_identical_texts_are_best, check_other_texts_are_worse, check_trivial_edits_earn_nothing
from .declared import NONE, Values, check_metadata, check_signature, check_spec
from .empty import (
    check_a_missing_candidate_has_no_score,
    check_an_empty_candidate_is_no_gain,
    check_odd_texts,
    check_plain_texts_have_a_score,
)
from .references import check_corpus, check_free, check_more_references
from .rows import (
    check_cold_and_warm,
    check_declared_symmetry,
    check_one_score_per_row,
    check_range,
    check_rows_are_independent,
    check_samples_stay_as_they_are,
)

# Each takes a metric, and fails with an AssertionError that says what is broken.
OF_SCORES: tuple[Callable[[Metric], None], ...] = (
    check_metadata,
    check_one_score_per_row,
    check_range,
    check_declared_symmetry,
    check_rows_are_independent,
    check_samples_stay_as_they_are,
    check_cold_and_warm,
    check_odd_texts,
    check_an_empty_candidate_is_no_gain,
    check_a_missing_candidate_has_no_score,
    check_plain_texts_have_a_score,
    check_corpus,
    check_more_references,
    check_free,
    check_identical_texts_are_best,
    check_other_texts_are_worse,
    check_trivial_edits_earn_nothing,
)
# These also take what parameters may be, where that is not to be seen from their declaration.
OF_PARAMETERS: tuple[Callable[[Metric, Values], None], ...] = (check_signature, check_spec)
CHECKS: tuple[Callable[..., None], ...] = (*OF_SCORES, *OF_PARAMETERS)
__all__ = ["CHECKS", "OF_PARAMETERS", "OF_SCORES", "check_metric", "failed_checks"]


def check_metric(metric: Metric, values: Values = NONE) -> None:
    """Run every check; an AssertionError names those that failed, and what each found.

    `values` says what parameters may be that are neither numbers, flags nor one of some choices, such as the name of
    a model: values={"model": ["folder/of/another"]}.
    """
    failed = failed_checks(metric, values)
    if failed:
        lines = (f"\n  {name}: {found}" for name, found in failed.items())
        raise AssertionError(f"{metric.spec} fails {len(failed)} of {len(CHECKS)} checks:{''.join(lines)}")


def failed_checks(metric: Metric, values: Values = NONE) -> dict[str, str]:
    """The names of the checks that a metric fails, and what each found."""
    if not __debug__:
        raise RuntimeError("python -O leaves out assertions, which the checks of a metric are made of")
    failed = {}
    for check in CHECKS:
        try:
            check(metric, *([values] if check in OF_PARAMETERS else []))
        except AssertionError as error:
            failed[check.__name__] = str(error)
        except Exception as error:  # whatever a metric raises
            failed[check.__name__] = f"{type(error).__name__}: {error}"
    return failed
