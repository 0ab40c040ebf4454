"""How well an intrinsic metric predicts what paraphrases do to a task; few paraphrasers tell little, and it shows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..metric import Floats
from ..stats.arrays import mean_defined
from ..stats.correlations import statistic
from ..tables.display import counted

EXACT = 8  # paraphrasers up to which all permutations are tried
DRAWN = 10_000  # permutations beyond
FEWEST = 3
_ROUNDING = 1e-12  # of a mean of correlations


class Gain(NamedTuple):
    """What a paraphraser did to one task in one mode, by one classifier: the difference in accuracy."""

    paraphraser: str
    task: str
    mode: str
    model: str
    gain: float


class Prediction(NamedTuple):
    """The mean rank correlation of a metric with the gains, within each task and classifier.

    `paraphrasers` is how many there are, which is what interval and p-value go by, and `least_p` the smallest p-value
    that exchanging so few can give.
    """

    metric: str
    mode: str
    value: float
    low: float
    high: float
    p: float
    least_p: float
    paraphrasers: int
    points: int  # gains that it was made of
    reason: str  # why it is undefined, or nothing


def predict(
    gains: Iterable[Gain], scores: Mapping[tuple[str, str], Mapping[str, float]], seed: int = 0
) -> list[Prediction]:
    """For each mode and metric: do the paraphrasers that it prefers gain more? Best first within a mode.

    `scores` are a metric's mean scores by (paraphraser, task), higher is better. Tasks and classifiers differ in how
    much can be gained, so paraphrasers are ranked within each, by Spearman's ρ, and the correlations averaged. Gains of
    one paraphraser are not independent: the p-value permutes whole paraphrasers, in all tasks at once, and the interval
    is that of as many points as there are paraphrasers, by Fisher's z with the variance of Bonett and Wright 2000,
    (1 + ρ²/2)/(n − 3); with three it is everything, −1 to 1.
    """
    listed = [gain for gain in gains if not math.isnan(gain.gain)]
    metrics = list(dict.fromkeys(name for own in scores.values() for name in own))
    found: list[Prediction] = []
    for mode in dict.fromkeys(gain.mode for gain in listed):
        own = [gain for gain in listed if gain.mode == mode]
        rows = [_predicted(metric, mode, own, scores, seed) for metric in metrics]
        found += sorted(rows, key=lambda row: (math.isnan(row.value), -row.value if row.value == row.value else 0))
    return found


def _predicted(
    metric: str, mode: str, gains: Sequence[Gain], scores: Mapping[tuple[str, str], Mapping[str, float]], seed: int
) -> Prediction:
    known = [
        gain for gain in gains
        if not math.isnan(scores.get((gain.paraphraser, gain.task), {}).get(metric, math.nan))
    ]  # fmt: skip
    names = list(dict.fromkeys(gain.paraphraser for gain in known))
    tables = list(_tables(known, names, metric, scores))
    number = len(names)
    points = sum(int((~np.isnan(own)).sum()) for _, own in tables)

    def undefined(reason: str) -> Prediction:
        return Prediction(metric, mode, math.nan, math.nan, math.nan, math.nan, math.nan, number, points, reason)

    if number < FEWEST:
        return undefined(f"{counted(number, 'paraphraser')}; expected {FEWEST} or more")
    value = float(_correlated(tables, np.arange(number, dtype=np.intp)[None])[0])
    if math.isnan(value):
        return undefined("in every task the scores or the gains are constant")
    orders = _orders(number, seed)
    values = _correlated(tables, orders)
    sizes = np.abs(values[~np.isnan(values)])
    extreme, top = (
        int((sizes >= size - _ROUNDING).sum()) for size in (abs(value), max(abs(value), float(sizes.max())))
    )
    if number <= EXACT:
        p, least = extreme / len(sizes), top / len(sizes)
    else:
        # an order that is drawn once may be surpassed by one that was not
        p, least = (extreme + 1) / (len(sizes) + 1), (top + 1 if top > 1 else 1) / (len(sizes) + 1)
    return Prediction(metric, mode, value, *fisher_interval(value, number), p, least, number, points, "")


def _tables(
    gains: Sequence[Gain], names: Sequence[str], metric: str, scores: Mapping[tuple[str, str], Mapping[str, float]]
) -> Iterator[tuple[Floats, Floats]]:
    """The scores and the gains of all paraphrasers in each task by each classifier; NaN where one is lacking."""
    for task, model in dict.fromkeys((gain.task, gain.model) for gain in gains):
        own = {gain.paraphraser: gain.gain for gain in gains if (gain.task, gain.model) == (task, model)}
        rated = [scores.get((name, task), {}).get(metric, math.nan) if name in own else math.nan for name in names]
        yield np.array(rated), np.array([own.get(name, math.nan) for name in names])


def _correlated(tables: Sequence[tuple[Floats, Floats]], orders: NDArray[np.intp]) -> Floats:
    """The mean over tasks and classifiers of the rank correlation, with the scores exchanged in each order."""
    measure = statistic("spearman")
    found = np.full((len(tables), len(orders)), math.nan)
    for place, (rated, gained) in enumerate(tables):
        exchanged = rated[orders]
        defined = ~np.isnan(exchanged) & ~np.isnan(gained)
        for pattern in np.unique(defined, axis=0):
            if pattern.sum() < 2:
                continue
            rows = (defined == pattern).all(axis=1)
            found[place, rows] = measure.rowwise(exchanged[rows][:, pattern], gained[None, pattern])
    return mean_defined(found.T)


def _orders(number: int, seed: int) -> NDArray[np.intp]:
    if number <= EXACT:
        return np.array(list(permutations(range(number))), dtype=np.intp)
    random = np.random.default_rng(seed)
    return np.array([random.permutation(number) for _ in range(DRAWN)], dtype=np.intp)


def fisher_interval(value: float, number: int, share: float = 0.95) -> tuple[float, float]:
    """The interval of a rank correlation of so many points; all of −1 to 1 for three or fewer.

    A correlation of 1 has no z: it is taken half way to the next lower one that n ranks can have, 1 − 6/(n(n² − 1)),
    and the interval reaches to 1; −1 likewise.
    """
    from scipy.special import ndtri

    if number <= 3:
        return -1.0, 1.0
    bound = 1 - 6 / (number * (number**2 - 1))
    inner = min(max(value, -bound), bound)
    reach = float(ndtri((1 + share) / 2)) * math.sqrt((1 + inner**2 / 2) / (number - 3))
    low, high = (math.tanh(math.atanh(inner) + side * reach) for side in (-1, 1))
    return (low, 1.0 if value >= bound else high) if value > 0 else (-1.0 if value <= -bound else low, high)
