"""A statistic that is nothing but a function on arrays, in groups and in resamples."""

import numpy as np
import pytest

from paragauge.stats.correlations import Statistic, names, statistic
from paragauge.stats.resample import draw


def plain(name: str) -> Statistic:
    """The statistic without its faster ways."""
    known = statistic(name)
    return Statistic(name, known.function, known.ranks)


@pytest.mark.parametrize("name", names())
def test_the_function_alone_gives_what_the_faster_ways_give(name):
    random = np.random.default_rng(7)
    units = random.permutation(np.repeat(np.arange(12), random.integers(1, 7, 12)))
    human = random.integers(0, 5, len(units)).astype(float)
    table = np.round(human + random.normal(size=(3, len(units))), 1)
    slow, fast = plain(name), statistic(name)
    assert slow.grouped is None
    # sums are taken in another order: some dozen terms of size 1
    np.testing.assert_allclose(slow.within(table, human, units), fast.within(table, human, units), rtol=0, atol=1e-12)
    drawn = draw(12, 25, 7)
    resampled = [each.resampled(table, human, units, 12)(drawn) for each in (slow, fast)]
    np.testing.assert_allclose(*resampled, rtol=0, atol=1e-10)


def test_every_file_is_a_statistic_of_its_name():
    assert names()[:2] == ("pearson", "spearman")
    assert [statistic(name).name for name in names()] == list(names())


def test_ranks_are_taken_before_the_function_sees_them():
    seen = []

    def function(x, y):
        seen.append((x.tolist(), y.tolist()))
        return np.zeros(len(x))

    measure = Statistic("mine", function, ranks=True)
    measure.rowwise(np.array([[10.0, 30.0, 20.0]]), np.array([[5.0, 5.0, 9.0]]))
    assert seen == [([[1.0, 3.0, 2.0]], [[1.5, 1.5, 3.0]])]
