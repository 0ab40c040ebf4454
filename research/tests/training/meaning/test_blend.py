import numpy as np
import pytest

from paragauge_research.training.meaning.blend import Labelled, fit_blend


def drawn(seed: int, offset: float, weights: tuple[float, ...], rows: int = 4000) -> Labelled:
    random = np.random.default_rng(seed)
    evidence = random.normal(size=(rows, len(weights)))
    return Labelled(evidence, 1 / (1 + np.exp(-(evidence @ weights + offset))))


def test_the_weights_that_made_the_labels_are_found_whatever_each_set_calls_the_same() -> None:
    sets = [drawn(1, -2.0, (1.5, -0.7)), drawn(2, 1.0, (1.5, -0.7))]
    found = fit_blend(("frozen", "lost"), sets, np.empty((0, 2)), 1.0)
    assert found["frozen"] == pytest.approx(1.5, abs=0.03)  # the ridge of 0.001 pulls it down a little
    assert found["lost"] == pytest.approx(-0.7, abs=0.03)


def test_no_weight_has_the_wrong_sign() -> None:
    names = ("frozen", "lost", "lost_name", "near")
    found = fit_blend(names, [drawn(3, 0.0, (-1.0, 1.0, 1.0, -1.0))], np.empty((0, 4)), 1.0)
    assert (found["frozen"], found["lost"], found["lost_name"]) == (0, 0, 0)
    assert found["near"] < -0.5


def test_perturbations_raise_the_weight_of_what_sees_them() -> None:
    sets, ahead = [drawn(4, 0.0, (1.0, 0.0))], np.tile([-0.2, 1.0], (50, 1))
    seen = [fit_blend(("frozen", "same"), sets, ahead, order)["same"] for order in (0.0, 0.1, 1.0)]
    assert seen[0] < seen[1] < seen[2]
