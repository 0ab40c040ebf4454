"""Edits with shifts, against the slow code that defines them: sacrebleu's translation_edit_rate."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import TER
from sacrebleu.metrics import lib_ter as oracle

from paragauge.compute.workspace import Workspace
from paragauge.metrics.form.ter import Ter
from paragauge.tables.samples import Samples
from paragauge.text import ter as shifts


def edits(candidate, reference):
    return shifts.count_edits(candidate, reference)


def expected(candidate, reference):
    return oracle.translation_edit_rate(list(candidate), list(reference))[0]


def words(letters, low, high):
    return st.text(alphabet="abcdefghijklmnopqrstuvwxyz"[:letters], min_size=low, max_size=high).map(list)


@st.composite
def rearranged(draw, low, high, letters=26):
    """A reference and a candidate made of it by moving blocks and changing words, so that shifts happen."""
    reference = draw(words(letters, low, high))
    candidate = list(reference)
    place = st.integers(0, len(candidate))
    for _ in range(draw(st.integers(1, 3))):
        first, border, end = sorted((draw(place), draw(place), draw(place)))
        candidate = candidate[:first] + candidate[border:end] + candidate[first:border] + candidate[end:]
    for at, word in draw(st.lists(st.tuples(place, st.sampled_from("abz")), max_size=4)):
        candidate[at : at + (word == "z")] = word
    return candidate, reference


@settings(settings.get_profile("many"))
@given(words(3, 0, 12), words(3, 0, 12))
def test_short_lists_of_few_words(candidate, reference):
    assert edits(candidate, reference) == expected(candidate, reference)


@settings(settings.get_profile("many"))
@given(rearranged(0, 24))
def test_moved_blocks_in_short_lists(pair):
    assert edits(*pair) == expected(*pair)


@settings(settings.get_profile("few"))
@given(rearranged(25, 45))
def test_moved_blocks_where_the_beam_begins_to_matter(pair):
    assert edits(*pair) == expected(*pair)


@settings(deadline=None, max_examples=6)
@given(rearranged(60, 75))
def test_moved_blocks_beyond_the_beam(pair):
    assert edits(*pair) == expected(*pair)


@settings(settings.get_profile("few"))
@given(words(26, 0, 6), words(26, 60, 400))
def test_very_unequal_lengths(short, long):
    assert edits(short, long) == expected(short, long)
    assert edits(long, short) == expected(long, short)


def test_of_any_numbers_of_different_words():
    chance = random.Random(5)
    for number in range(300):
        kinds, length = chance.choice([3, 12, 1000]), chance.choice([2, 9, 15, 16, 31, 32])
        reference = [chance.randrange(kinds) for _ in range(chance.randint(length // 2, length))]
        candidate = list(reference) if number % 4 else [chance.randrange(kinds) for _ in range(length)]
        for _ in range(chance.randrange(4)):
            first, border, end = sorted(chance.randint(0, len(candidate)) for _ in range(3))
            candidate = candidate[:first] + candidate[border:end] + candidate[first:border] + candidate[end:]
            candidate[border:border] = [chance.randrange(kinds)] * chance.randrange(2)
        assert edits(candidate, reference) == expected(candidate, reference)


@settings(settings.get_profile("many"))
@given(words(4, 1, 60), words(4, 1, 140))
def test_alignment_and_distance_inside_the_beam(candidate, reference):
    distance, trace = oracle.BeamEditDistance(reference)(candidate)
    places, reference_errors, candidate_errors = oracle.trace_to_alignment(trace.translate(str.maketrans("id", "di")))
    beam = shifts._Beam(reference, len(candidate))
    assert beam.fill(candidate) == distance
    found = beam.align(candidate)
    assert found.targets == [0] + [places[place] + 1 for place in range(len(reference))]
    assert [wait == 1 for wait in found.candidate_waits] == [bool(error) for error in candidate_errors]
    assert [wait == 1 for wait in found.reference_waits] == [bool(error) for error in reference_errors]


@settings(deadline=None, max_examples=30)
@given(rearranged(26, 70, letters=8), st.data())
def test_distance_after_a_shift_inside_the_beam(pair, data):
    candidate, reference = pair
    if not candidate:
        return
    beam = shifts._Beam(reference, len(candidate))
    beam.fill(candidate)
    start = data.draw(st.integers(0, len(candidate) - 1))
    length = data.draw(st.integers(1, min(10, len(candidate) - start)))
    target = data.draw(st.integers(0, len(candidate)))
    shifted = oracle._perform_shift(candidate, start, length, target)
    assert shifts._apply((-length, start, target), candidate) == shifted
    distance = oracle.BeamEditDistance(reference)(shifted)[0]
    assert beam.distance(shifted, (-length, start, target), 10**6) == distance


def test_the_round_that_reaches_the_limit_of_shifts_is_abandoned(monkeypatch):
    reference = [f"w{number % 6}" for number in range(30)]
    candidate = list(reference)
    random.Random(0).shuffle(candidate)
    counts = set()
    for limit in range(0, 400, 37):
        monkeypatch.setattr(oracle, "_MAX_SHIFT_CANDIDATES", limit)
        monkeypatch.setattr(shifts, "MOST_SHIFTS", limit)
        count = edits(candidate, reference)
        assert count == expected(candidate, reference)
        counts.add(count)
    assert len(counts) > 3


def test_repetitive_texts_meet_the_limit_of_a_thousand_shifts(monkeypatch):
    candidate, reference = list("bacba" * 11), list("abcab" * 11)
    count = edits(candidate, reference)
    assert count == expected(candidate, reference)
    monkeypatch.setattr(shifts, "MOST_SHIFTS", 10**6)
    assert edits(candidate, reference) < count


def test_a_block_longer_than_can_be_moved_at_once():
    reference = [f"w{number}" for number in range(60)]
    candidate = reference[40:] + reference[:40]
    assert edits(candidate, reference) == expected(candidate, reference) == 2  # twenty words, ten at a time


@pytest.mark.parametrize(
    "candidate, reference, count",
    [
        ([], [], 0),
        ([], ["a"], 1),
        (["a", "b"], [], 2),
        (["a"], ["b"], 1),
        (["d", "a", "b", "c"], ["a", "b", "c", "d"], 1),  # d moves to the end
        (("b", "a"), ("a", "b"), 1),
    ],
)
def test_by_hand(candidate, reference, count):
    assert edits(candidate, reference) == count


def test_lists_longer_than_the_letters_that_rapidfuzz_likes():
    chance = random.Random(3)
    reference = [f"w{chance.randrange(400)}" for _ in range(300)]
    candidate = reference[:100] + reference[130:140] + reference[100:130] + reference[140:290]
    assert edits(candidate, reference) == expected(candidate, reference)


def test_a_book_chapter_takes_seconds():
    reference = [f"w{number}" for number in range(17_000)]
    candidate = list(reference)
    for start in range(500, 17_000, 1_650):
        candidate[start : start + 25] = candidate[start + 20 : start + 25] + candidate[start : start + 20]
    begin = time.process_time()
    assert edits(candidate, reference) == 10  # in ten places, five words moved by twenty
    assert edits(reference, [word.upper() for word in reference]) == 17_000
    assert time.process_time() - begin < 60


def segments(data, language, stride):
    pair = language.replace("-", "")
    references = data / "wmt19" / "references" / f"newstest2019-{pair}-ref.en"
    outputs = data / "wmt19" / "system-outputs" / language
    if not references.exists() or not outputs.exists():
        pytest.skip(f"needs newstest2019: there is no {language} under {data / 'wmt19'}")
    goal = references.read_text(encoding="utf-8").split("\n")
    for number, path in enumerate(sorted(outputs.iterdir())):
        output = path.read_text(encoding="utf-8").split("\n")
        for at in range(number, len(goal) - 1, stride):
            yield output[at], goal[at]


@pytest.mark.parametrize(
    "language, stride", [("de-en", 250), pytest.param("zh-en", 900, marks=pytest.mark.thorough), ("kk-en", 150)]
)
def test_system_outputs(data, language, stride):
    rows = list(segments(data, language, stride))
    assert len(rows) > 30
    samples = Samples.of([""] * len(rows), [row[0] for row in rows], [[row[1]] for row in rows])
    ter, metric = TER(), Ter(tokenizer="tercom")
    assert list(metric.score(samples)) == [
        pytest.approx(ter.sentence_score(candidate, [reference]).score, abs=1e-9) for candidate, reference in rows
    ]
    whole = ter.corpus_score(samples.candidates, [[row[1] for row in rows]]).score
    assert metric.corpus(samples) == pytest.approx(whole, abs=1e-9)


def test_several_references_and_none():
    samples = Samples.of(
        [""] * 4,
        ["the cat sat", "a b", "", "x y z"],
        [["the cat sat down", "sat the cat there now"], [], ["a b"], ["x y z"]],
    )
    counts = Ter().counts(samples, Workspace())
    assert counts[0].tolist() == [1.0, 4.5]  # "down" is missing; (4 + 5) / 2 words
    assert counts[2:].tolist() == [[2.0, 2.0], [0.0, 3.0]]
    scores = Ter().score(samples)
    assert scores[0] == pytest.approx(TER().sentence_score("the cat sat", list(samples.references[0])).score, abs=1e-9)
    assert scores[1] != scores[1]
    assert scores[2:].tolist() == [100.0, 0.0]
    assert Ter().corpus(samples) == pytest.approx(100 * 3 / 9.5)
