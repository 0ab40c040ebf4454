"""Word mover's distance: by hand, and against all ways to pair the words."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("ot", reason="needs the extra `transport`")

from paragauge.compute.transport import distances, transport_cost
from paragauge.metrics.meaning.word_vectors import Wmd

WITHIN = 1e-12  # sums of a few products in double precision

POINTS = {"a": (1, 0), "b": (0, 1), "c": (3, 4), "d": (-1, 0), "e": (-4, 3)}


def score(metric: Wmd, candidate: str, other: str) -> float:
    return float(metric.score(sources=["a"], candidates=[candidate], references=[[other]])[0])


@pytest.mark.parametrize(
    "candidate, other, expected",
    [
        ("a", "b", math.sqrt(2)),
        ("a b", "c", (math.sqrt(20) + math.sqrt(18)) / 2),  # |a − c| = √(4 + 16), |b − c| = √(9 + 9)
        ("a b", "a c", math.sqrt(18) / 2),  # a stays, half of the text goes from b to c
        ("a b b", "b a a", math.sqrt(2) / 3),  # a third of the text goes from b to a
        ("a b", "a b b a", 0),
        ("a b strange", "odd c", (math.sqrt(20) + math.sqrt(18)) / 2),  # words without a vector are left out
        ("strange", "a", math.nan),
    ],
)
def test_by_hand(candidate, other, expected, tiny_vectors):
    assert score(Wmd(vectors=tiny_vectors), candidate, other) == pytest.approx(expected, abs=WITHIN, nan_ok=True)


def test_by_hand_with_vectors_of_length_1(tiny_vectors):
    # c becomes (0.6, 0.8), so |b − c| = √(0.36 + 0.04)
    metric = Wmd(vectors=tiny_vectors, normalize=True)
    assert score(metric, "a b", "a c") == pytest.approx(math.sqrt(0.4) / 2, abs=WITHIN)
    assert metric.range == (0, 2)


def test_of_several_references_the_nearest_counts(tiny_vectors):
    found = Wmd(vectors=tiny_vectors).score(sources=["a"], candidates=["a"], references=[["c", "b", "strange"]])
    np.testing.assert_allclose(found, [math.sqrt(2)], rtol=0, atol=WITHIN)


@given(
    st.lists(st.sampled_from("abcde"), min_size=1, max_size=4),
    st.lists(st.sampled_from("abcde"), min_size=1, max_size=3),
)
def test_the_best_of_all_pairings(tmp_path_factory, own, other):
    """Each word repeated until both texts are equally long: a cheapest plan is then a pairing (Birkhoff 1946)."""
    file = tmp_path_factory.getbasetemp() / "points.txt"
    if not file.exists():
        file.write_text("".join(f"{word} {x} {y}\n" for word, (x, y) in POINTS.items()))
    size = math.lcm(len(own), len(other))
    if size > 6:  # 720 pairings are enough
        own, size = own[:3], math.lcm(len(own[:3]), len(other))
    one = [POINTS[word] for word in own for _ in range(size // len(own))]
    two = [POINTS[word] for word in other for _ in range(size // len(other))]
    best = min(sum(map(math.dist, one, order)) for order in permutations(two)) / size
    assert score(Wmd(vectors=str(file)), " ".join(own), " ".join(other)) == pytest.approx(best, abs=WITHIN)


def test_a_larger_transport_is_as_cheap_as_linear_programming_finds():
    from scipy.optimize import linprog

    random = np.random.default_rng(0)
    supply, demand = random.dirichlet(np.ones(9)), random.dirichlet(np.ones(7))
    costs = distances(random.normal(size=(9, 5)), random.normal(size=(7, 5)))
    rows = np.kron(np.eye(9), np.ones(7)), np.kron(np.ones(9), np.eye(7))
    found = linprog(costs.ravel(), A_eq=np.vstack(rows), b_eq=np.concatenate([supply, demand]))
    # HiGHS accepts constraints that are violated by up to 1e-7
    assert transport_cost(supply, demand, costs) == pytest.approx(found.fun, abs=1e-6)
