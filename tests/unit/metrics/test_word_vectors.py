"""Metrics of word vectors: by hand on five words, by a plain loop on the real vectors, and against all pairings."""

import math
import subprocess
import sys
from collections.abc import Callable
from itertools import permutations
from math import nan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge import metrics
from paragauge.compute.workspace import Workspace
from paragauge.tables.notices import NoticeKind
from paragauge.tables.samples import Samples

WITHIN = 1e-12  # a handful of operations in double precision
POINTS = {"a": (1, 0), "b": (0, 1), "c": (3, 4), "d": (-1, 0), "e": (-4, 3)}  # tiny_vectors
FAR = (sqrt(20) + sqrt(18)) / 2  # |a − c| = √(4 + 16), |b − c| = √(9 + 9)
BY_HAND = {
    "embedding-average": [
        ("a b", "c", 7 / (5 * sqrt(2))),  # (1, 1)·(3, 4) = 7; lengths √2 and 5
        ("a a b", "c", 2 / sqrt(5)),  # (2, 1)·(3, 4) = 10; lengths √5 and 5
        ("A b", "c", 7 / (5 * sqrt(2))),  # lower-cased
        ("a b unknown", "C strange", 7 / (5 * sqrt(2))),  # words without a vector are left out
        ("a", "d", -1),
        ("a", "b", 0),
        ("a d", "c", nan),  # the mean is (0, 0), which has no direction
        ("unknown", "c", nan),
    ],
    "greedy-matching": [  # cosines: a–c 0.6, b–c 0.8, a–b 0, a–d −1
        ("a b", "c", 0.75),  # there (0.6 + 0.8)/2 = 0.7, back max(0.6, 0.8) = 0.8
        ("a a b", "c", (2 / 3 + 0.8) / 2),  # there (0.6 + 0.6 + 0.8)/3
        ("a b", "a c", (1 + 0.8 + 1 + 0.8) / 4),  # b takes c and c takes b, a is there itself
        ("a", "d", -1),
        ("a b strange", "c odd", 0.75),  # words without a vector are left out
        ("a", "strange", nan),
    ],
    "vector-extrema": [
        ("a e", "c", 0),  # first dimension: −4 is additional from 0 than 1; (−4, 3)·(3, 4) = 0
        ("a e", "a", -0.8),  # (−4, 3)/5 · (1, 0)
        ("c e", "a", -4 / sqrt(32)),  # −4 beats 3, 4 beats 3: (−4, 4)
        ("a d", "a", 1),  # 1 and −1 are equally far: the highest, (1, 0)
        ("a d d d", "a", 1),  # how often a word comes does not matter
        ("a b", "c", 7 / (5 * sqrt(2))),  # (1, 1)·(3, 4): the lowest value is 0, and 1 is additional from 0
        ("a strange", "odd c", 0.6),  # words without a vector are left out
        ("strange", "c", nan),
    ],
    "wmd": [
        ("a", "b", sqrt(2)),
        ("a b", "c", FAR),
        ("a b", "a c", sqrt(18) / 2),  # a stays, half of the text goes from b to c
        ("a b b", "b a a", sqrt(2) / 3),  # a third of the text goes from b to a
        ("a b", "a b b a", 0),
        ("a b strange", "odd c", FAR),  # words without a vector are left out
        ("strange", "a", nan),
    ],
    "wmd:normalize=yes": [("a b", "a c", sqrt(0.4) / 2)],  # c becomes (0.6, 0.8), so |b − c| = √(0.36 + 0.04)
}


def scores(spec: str, candidates: list[str], others: list[list[str]], **parameters: str) -> np.ndarray:
    if spec.startswith("wmd"):
        pytest.importorskip("ot", reason="needs the extra `transport`")
    given = ",".join(f"{name}={value}" for name, value in parameters.items())
    metric = metrics.parse(f"{spec}{',' if ':' in spec else ':'}{given}" if given else spec)
    return metric.score(sources=[""] * len(candidates), candidates=candidates, references=others)


@pytest.mark.parametrize("spec", BY_HAND)
def test_by_hand(spec, tiny_vectors):
    candidates, others, expected = map(list, zip(*BY_HAND[spec], strict=True))
    found = scores(spec, candidates, [[other] for other in others], vectors=tiny_vectors)
    np.testing.assert_allclose(found, expected, rtol=0, atol=WITHIN)


def test_why_there_is_no_score(tiny_vectors):
    metric = metrics.parse(f"embedding-average:vectors={tiny_vectors}")
    samples = Samples.of(["a"] * 4, ["strange", "a", "", "a"], [["a"], ["strange", "odd"], ["a"], []])
    assert np.isnan(metric.score(samples)).all()
    assert [metric.reason(samples, row) for row in range(4)] == [
        "no word of the candidate has a vector in tiny.txt",
        "no word of the references has a vector in tiny.txt",
        "the candidate is empty",
        "the row has no reference",
    ]
    free = metrics.parse(f"embedding-average.free:vectors={tiny_vectors}")
    assert free.reason(Samples.of(["odd"], ["a"]), 0) == "no word of the source has a vector in tiny.txt"


def test_unknown_words_are_counted_once(tiny_vectors):
    work = Workspace()
    metric = metrics.parse(f"embedding-average:vectors={tiny_vectors}")
    for _ in range(2):
        metric.score(work=work, sources=["a"] * 2, candidates=["a odd odd", "b"], references=[["c odd"], ["c odd"]])
    found = work.notices[NoticeKind.UNKNOWN_TOKENS, "tiny.txt"]
    assert (found.count, found.of) == (2 + 1, 3 + 1 + 2)


def test_a_contraction_is_cut_where_it_has_no_vector(glove):
    assert "don't" not in glove
    assert {"do", "n't", "'s"} <= set(glove.words)
    candidates = ["I don't know", "I don’t know", "He's here"]
    found = scores("embedding-average", candidates, [["i do n't know"], ["i do n't know"], ["he 's here"]])
    np.testing.assert_allclose(found, 1, rtol=0, atol=WITHIN)
    literal = scores("embedding-average", candidates[:1], [["i know"]], tokenizer="none")
    np.testing.assert_allclose(literal, 1, rtol=0, atol=WITHIN)  # `don't` is left out


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def means(one: np.ndarray, other: np.ndarray) -> float:
    return cosine(one.mean(axis=0), other.mean(axis=0))


def extremes(one: np.ndarray, other: np.ndarray) -> float:
    return cosine(
        *(np.array([max(sorted(column, reverse=True), key=abs) for column in text.T]) for text in (one, other))
    )


def nearest(one: np.ndarray, other: np.ndarray) -> float:
    ways = [np.mean([max(cosine(word, choice) for choice in to) for word in text]) for text, to in
            ((one, other), (other, one))]  # fmt: skip
    return float(np.mean(ways))


@pytest.mark.parametrize(
    ("spec", "slow"), [("embedding-average", means), ("vector-extrema", extremes), ("greedy-matching", nearest)]
)
def test_a_plain_loop_finds_the_same(spec, slow: Callable[[np.ndarray, np.ndarray], float], glove, some_tweets):
    def read(text: str) -> np.ndarray:
        return np.array([glove.matrix[glove.row(word)].astype(float) for word in text.lower().split() if word in glove])

    candidates, references = some_tweets
    found = scores(spec, candidates, [[text] for text in references], tokenizer="none")
    for text, other, score in zip(candidates, references, found, strict=True):
        assert score == pytest.approx(slow(read(text), read(other)), abs=WITHIN)


def test_of_several_references_the_nearest_counts(tiny_vectors):
    found = scores("wmd", ["a"], [["c", "b", "strange"]], vectors=tiny_vectors)
    np.testing.assert_allclose(found, [sqrt(2)], rtol=0, atol=WITHIN)
    assert metrics.parse("wmd:normalize=yes").range == (0, 2)


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
    found = scores("wmd", [" ".join(own)], [[" ".join(other)]], vectors=str(file))[0]
    assert found == pytest.approx(best, abs=WITHIN)


def test_a_larger_transport_is_as_cheap_as_linear_programming_finds():
    pytest.importorskip("ot", reason="needs the extra `transport`")
    from scipy.optimize import linprog

    from paragauge.metrics.shared.word_vectors import distances, transport_cost

    random = np.random.default_rng(0)
    supply, demand = random.dirichlet(np.ones(9)), random.dirichlet(np.ones(7))
    costs = distances(random.normal(size=(9, 5)), random.normal(size=(7, 5)))
    rows = np.kron(np.eye(9), np.ones(7)), np.kron(np.ones(9), np.eye(7))
    found = linprog(costs.ravel(), A_eq=np.vstack(rows), b_eq=np.concatenate([supply, demand]))
    # HiGHS accepts constraints that are violated by up to 1e-7
    assert transport_cost(supply, demand, costs) == pytest.approx(found.fun, abs=1e-6)


@pytest.mark.parametrize("metric", ["wmd", "moverscore"])
def test_the_missing_extra_is_named(metric):
    program = (
        "import sys; sys.modules['ot'] = None\n"  # Python's own way to say that a module is not there
        "import paragauge as pg\n"
        f"try: pg.metrics.parse('{metric}').score(sources=['a'], candidates=['b'], references=[['c']])\n"
        "except pg.ParagaugeError as error: print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert 'pip install "paragauge[transport]"' in said
