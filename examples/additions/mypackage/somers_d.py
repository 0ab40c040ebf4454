"""Somers' d: pairs in the order of the ratings less those against it, of all that the ratings tell apart."""

import numpy as np

from paragauge.stats.arrays import Floats, ratio
from paragauge.stats.correlations import Statistic


def somers_d(scores: Floats, ratings: Floats) -> Floats:
    """(C − D) / (P − T), with T of P pairs tied in the ratings (Somers 1962); memory grows with the square of n."""
    x, y = (np.sign(values[:, :, None] - values[:, None, :]) for values in (scores, ratings))
    return ratio((x * y).sum(axis=(1, 2)), np.broadcast_to((y * y).sum(axis=(1, 2)), len(x)))


STATISTIC = Statistic("somers-d", somers_d)
