"""Newly matched, missing and unrewarded n-grams, counted by hand; and splits of systems."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge.references.coverage import better_half, measure_coverage, split_systems, unrewarded, unrewarded_by_fold
from paragauge.references.scoring import score_task
from paragauge.references.task import EvaluationSet

TASK = EvaluationSet(
    "t",
    {"p": ["the the cat", "rain"], "q": ["the cat", "rain falls"], "r": ["the cat sat", "rain falls"]},
    [["the dog", "it rains"], ["the cat", ""]],
)


def test_what_extra_references_newly_match():
    words, pairs, *_ = measure_coverage(TASK)
    # words: the ×4 (3 matched, one "the" too many), cat ×3, sat, rain ×3, falls ×2
    assert (words.total, words.single, words.augmented) == (13, 3, 6)
    assert words.gained == [("cat", 3, 1)]
    assert words.missing == [("rain", 3, 1), ("falls", 2, 1), ("sat", 1, 1), ("the", 1, 1)]
    assert words.augmented_share == 6 / 13
    # pairs: the the, the cat ×3, cat sat, rain falls ×2
    assert (pairs.total, pairs.single, pairs.augmented) == (7, 0, 3)
    assert pairs.gained == [("the cat", 3, 1)]
    assert measure_coverage(TASK, top=1)[0].missing == [("rain", 3, 1)]


texts = st.lists(st.sampled_from("abc"), min_size=1, max_size=7).map(" ".join)


@given(st.lists(st.tuples(texts, texts, texts, texts), min_size=1, max_size=3))
def test_the_totals_are_the_counts_of_bleu(rows):
    one, two, reference, extra = map(list, zip(*rows, strict=True))
    task = EvaluationSet("t", {"one": one, "two": two}, [reference, extra])
    single, augmented = (scored.counts.sum(axis=(0, 1)) for scored in score_task(task))
    for row in measure_coverage(task, top=10**6):
        assert row.single == single[1 + row.length]
        assert row.augmented == augmented[1 + row.length]
        assert row.total == single[5 + row.length]
        assert sum(counted.occurrences for counted in row.gained) == row.augmented - row.single
        assert sum(counted.occurrences for counted in row.missing) == row.total - row.augmented


def test_unrewarded_by_share_of_systems():
    found = unrewarded(TASK, ["p", "q", "r"], share=0.6, lengths=(1, 2))
    assert found == [
        (0, "the cat", 3, 1.0),
        (0, "cat", 3, 1.0),
        (1, "rain falls", 2, 2 / 3),
        (1, "rain", 3, 1.0),
        (1, "falls", 2, 2 / 3),
    ]
    longest = unrewarded(TASK, ["p", "q", "r"], 0.6, (1, 2), maximal=True)
    assert [row.gram for row in longest] == ["the cat", "rain falls"]
    assert [row.gram for row in unrewarded(TASK, ["p", "q", "r"], 0.75, (2,))] == ["the cat"]  # 2 of 3 are too few


def test_the_bound_itself_is_enough():
    """0.75 of 4 is 3, and 0.7 of 10 is 7, whatever floats make of the product."""
    for share, number in ((0.75, 4), (0.7, 10), (0.1, 10)):
        have = round(share * number)
        outputs = {f"s{place}": ["new" if place < have else "old"] for place in range(number)}
        found = unrewarded(EvaluationSet("t", outputs, [["old"]]), list(outputs), share)
        assert [(row.gram, row.systems) for row in found] == [("new", have)]


def test_the_better_half():
    assert better_half({"p": 1, "q": 3, "r": 2}, ["p", "q", "r", "unjudged"]) == ["q", "r"]
    assert better_half({"p": 1, "q": 1}, ["q", "p"]) == ["p"]
    with pytest.raises(InputError, match="none of the systems has been judged"):
        better_half({"z": 1}, ["p"])


@given(st.integers(2, 20), st.integers(2, 12), st.integers(0, 5))
def test_every_system_is_scored_once_and_never_with_its_own_output(number, folds, seed):
    systems = [f"s{place}" for place in range(number)]
    found = split_systems(systems, folds, seed)
    assert Counter(system for fold in found for system in fold.scored) == Counter(systems)
    assert len(found) == min(folds, number)
    sizes = [len(fold.scored) for fold in found]
    assert max(sizes) - min(sizes) <= 1
    for fold in found:
        assert not set(fold.scored) & set(fold.others)
        assert sorted(fold.scored + fold.others) == sorted(systems)
    assert found == split_systems(systems, folds, seed)


def test_a_split_is_random_and_depends_on_the_seed():
    systems = [f"s{place}" for place in range(16)]
    splits = {tuple(tuple(fold.scored) for fold in split_systems(systems, seed=seed)) for seed in range(5)}
    assert len(splits) == 5


def test_what_a_fold_may_use_comes_from_the_other_systems():
    outputs = {f"s{place}": [f"only{place} word"] for place in range(6)}
    task = EvaluationSet("t", outputs, [["reference"]])
    quality = {name: float(place) for place, name in enumerate(outputs)}
    for fold, listed in unrewarded_by_fold(task, quality, folds=3, share=0.1, lengths=(1,)):
        words = {row.gram for row in listed}
        assert "word" in words
        assert not words & {f"only{name[1:]}" for name in fold.scored}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: unrewarded(TASK, ["p"], 0), "expected more than 0 and at most 1"),
        (lambda: unrewarded(TASK, []), "no systems to look at"),
        (lambda: measure_coverage(TASK, tokenizer="13b"), "no tokenizer named '13b'"),
        (lambda: split_systems(["p", "q"], 1), "expected at least 2"),
        (lambda: split_systems(["p"]), "1 systems cannot be split"),
        (lambda: split_systems(["p", "p"]), "named twice"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
