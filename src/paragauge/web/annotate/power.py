"""How many items and raters it takes to tell two systems apart: from the variances in a pilot study."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, nearest
from ...tables.ratings import Ratings

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
MOST_ITEMS = 1_000_000
RATERS = (1, 2, 3, 5, 10)


class Pilot(NamedTuple):
    """What a pilot study says of two systems, on the scale of its ratings."""

    first: str
    second: str
    difference: float  # mean of the first less mean of the second, over sources
    low: float  # its 95% interval
    high: float
    between: float  # variance of the true difference from source to source
    within: float  # variance of the judgments of one candidate, without the bias of raters; NaN if unknown
    sources: int
    raters: int
    judgments: int


class StudyPlan(NamedTuple):
    """A study of two systems: `items` sources, each with a candidate of both, each judged by `raters` people."""

    first: str
    second: str
    raters: int
    items: int | None  # None where not even a million would do
    judgments: int | None
    power: float


def plan(
    pilot: Ratings,
    systems: Sequence[str] | None = None,
    *,
    difference: float | None = None,
    items: int | None = None,
    raters: Sequence[int] = RATERS,
    power: float = 0.8,
    alpha: float = 0.05,
) -> tuple[list[Pilot], list[StudyPlan]]:
    """For each pair of systems, and each number of raters per item, how many items reach this power.

    `difference` is the smallest one worth finding, by default that of the pilot; with `items` given, the power that so
    many have. A pilot in which no candidate was judged twice tells only of as many raters as it had: one.
    """
    for name, value in (("power", power), ("alpha", alpha)):
        if not 0 < value < 1:
            raise InputError(f"{name} is {value!r}; expected a number between 0 and 1")
    if difference is not None and (not math.isfinite(difference) or difference == 0):
        raise InputError(f"difference is {difference!r}; expected a number other than 0, on the scale of the ratings")
    pilots = [components(pilot, first, second) for first, second in _pairs(pilot, systems)]
    plans = []
    for one in pilots:
        effect = abs(one.difference if difference is None else difference)
        for number in raters:
            if number > 1 and math.isnan(one.within):
                continue
            needed = items or items_for(one, effect, number, power, alpha)
            reached = math.nan if needed is None else power_of(one, effect, needed, number, alpha)
            total = None if needed is None else 2 * needed * number
            plans.append(StudyPlan(one.first, one.second, number, needed, total, reached))
    return pilots, plans


def components(ratings: Ratings, first: str, second: str) -> Pilot:
    """The difference of two systems and its variances.

    A judgment is taken as candidate + bias of the rater + chance. Biases are estimated by least squares together with
    the candidates; `within` is the variance of what is left, on N − candidates − (raters − 1) degrees of freedom. The
    difference of the candidates' means has, from source to source, the variance `between` + `within`·(1/k₁ + 1/k₂) for
    k₁ and k₂ judgments; `between` is what is left of the observed one, and at least 0.
    """
    known = ratings.judged()
    chosen = [row for row, system in enumerate(known.samples.systems) if system in (first, second)]
    known = known.rows(chosen)
    values, rows, raters = _judgments(known)
    values, within = _adjusted(values, rows, raters)
    codes, labels = known.sources(), np.array([system == first for system in known.samples.systems])
    means = np.bincount(rows, values, len(known)) / np.bincount(rows, minlength=len(known))
    noise = 1 / np.bincount(rows, minlength=len(known))
    gaps, noises = [], []
    for source in range(int(codes.max(initial=-1)) + 1):
        ones, others = (codes == source) & labels, (codes == source) & ~labels
        if ones.any() and others.any():
            gaps.append(means[ones].mean() - means[others].mean())
            noises.append(sum(float(noise[side].sum()) / int(side.sum()) ** 2 for side in (ones, others)))
    if len(gaps) < 2:
        raise InputError(
            f"{ratings.name}: {len(gaps)} sources have judged candidates of both {first!r:.60} and {second!r:.60}; "
            "expected at least 2"
        )
    from scipy.special import stdtrit

    number = len(gaps)
    mean, spread = float(np.mean(gaps)), float(np.var(gaps, ddof=1))
    margin = float(stdtrit(number - 1, 0.975)) * math.sqrt(spread / number)
    between = spread if math.isnan(within) else max(0.0, spread - within * float(np.mean(noises)))
    people = len(set(raters.tolist())) if known.raters is not None else 1
    return Pilot(first, second, mean, mean - margin, mean + margin, between, within, number, people, len(values))


def power_of(pilot: Pilot, difference: float, items: int, raters: int, alpha: float = 0.05) -> float:
    """How often a two-sided paired t test over sources finds the difference: from the noncentral t distribution."""
    from scipy.stats import nct
    from scipy.stats import t as student

    if items < 2:
        return 0.0
    error = math.sqrt(_variance(pilot, raters) / items)
    if not error:
        return 1.0
    bound = float(student.ppf(1 - alpha / 2, items - 1))
    shift = abs(difference) / error
    if shift > bound + 30:  # where the series of scipy gives NaN
        return 1.0
    with np.errstate(divide="ignore"):  # scipy 1.11 warns of a term that it does not use
        upper, lower = nct.cdf([bound, -bound], items - 1, shift)
    return float(1 - upper + (0 if math.isnan(lower) else lower))


def items_for(pilot: Pilot, difference: float, raters: int, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """The fewest items that reach the power; None where not even a million do."""
    low, high = 1, 2
    while power_of(pilot, difference, high, raters, alpha) < power:
        low, high = high, high * 2
        if low >= MOST_ITEMS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if power_of(pilot, difference, middle, raters, alpha) < power:
            low = middle
        else:
            high = middle
    return high


def _variance(pilot: Pilot, raters: int) -> float:
    """Of the difference of one source's candidates."""
    return pilot.between + (0.0 if math.isnan(pilot.within) else 2 * pilot.within / raters)


def _pairs(pilot: Ratings, systems: Sequence[str] | None) -> list[tuple[str, str]]:
    known = list(dict.fromkeys(pilot.samples.systems))
    for name in systems or ():
        if name not in known:
            raise InputError(f"{pilot.name}: no system named '{name}'{nearest(name, known)}")
    chosen = list(dict.fromkeys(systems or known))
    if len(chosen) < 2:
        raise InputError(f"{pilot.name} has judgments of one system, {chosen[0]!r:.60}; expected two to be told apart")
    return list(combinations(chosen, 2))


def _judgments(ratings: Ratings) -> tuple[Floats, Codes, Codes]:
    """Every judgment, its row, and a number for its rater."""
    given = ratings.judgments if ratings.judgments is not None else [(value,) for value in ratings.human.tolist()]
    names = ratings.raters if ratings.raters is not None else [("",) * len(own) for own in given]
    known: dict[str, int] = {}
    raters = [known.setdefault(name, len(known)) for own in names for name in own]
    rows = np.repeat(np.arange(len(given)), [len(own) for own in given])
    return np.array([value for own in given for value in own], dtype=np.float64), rows, np.array(raters, dtype=np.intp)


def _adjusted(values: Floats, rows: Codes, raters: Codes) -> tuple[Floats, float]:
    """The judgments without the bias of their raters, and the variance of those of one candidate."""
    people = int(raters.max(initial=-1)) + 1
    table = np.zeros((len(values), people))
    table[np.arange(len(values)), raters] = 1
    sizes = np.bincount(rows).astype(np.float64)
    sizes[sizes == 0] = 1
    centred = np.column_stack([table, values])
    for column in centred.T:
        column -= (np.bincount(rows, column) / sizes)[rows]
    biases, _, rank, _ = np.linalg.lstsq(centred[:, :-1], centred[:, -1], rcond=1e-9)
    left = centred[:, -1] - centred[:, :-1] @ biases
    freedom = len(values) - len(np.unique(rows)) - int(rank)
    within = float(left @ left) / freedom if freedom > 0 else math.nan
    return values - biases[raters], within
