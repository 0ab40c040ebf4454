"""Items and blocks: blind, shuffled, with checks at random places."""

import random
from collections import Counter

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.tables.samples import Samples
from paragauge.text.tokens import pieces
from paragauge.web.annotate.blocks import compose, corrupt, words_replaced
from paragauge.web.annotate.design import Design, make_items
from paragauge.web.annotate.guide import check_quiz, make_guide, without_answers

from .made import made_samples


def test_equal_texts_are_judged_once_and_empty_ones_never():
    samples = Samples.of(["a b", "a b", "a b", "c d", " "], ["x", "x", "", "y", "z"], None, list("ABCAB"), range(5))
    items = make_items(samples, Design())
    assert items.cells == [0, 0, None, 3, None]
    assert sorted(items.units) == [(0,), (3,)]
    assert items.notes == ["2 of 5 rows have an empty source or candidate, and are not judged"]


def test_pairs_and_groups_are_of_one_source():
    samples = made_samples(6, "ABCDEF")
    for task, sizes in (("pairwise", {2}), ("best-worst", {4})):
        units = make_items(samples, Design(task=task)).units
        assert {len(set(unit)) for unit in units} == sizes
        assert all(len({samples.sources[cell] for cell in unit}) == 1 for unit in units)
    assert len(make_items(samples, Design(task="pairwise")).units) == 6 * 15
    shown = Counter(cell for unit in units for cell in unit)
    assert set(shown.values()) == {2}  # 12 places of 6 candidates, in groups of 4


def test_no_system_stands_first():
    """Else a preference for a system would pass for agreement by chance."""
    samples = made_samples(200, "AB")
    first = [samples.systems[unit[0]] for unit in make_items(samples, Design(task="pairwise")).units]
    assert 70 < first.count("A") < 130  # 100 expected, standard deviation 7


def test_what_metrics_dispute_comes_first():
    samples = made_samples(10, "A")
    disputes = np.array([0.1, 0.9, 0.3, np.nan, 0.5, 0.2, 0.8, 0.0, 0.0, 0.4])
    items = make_items(samples, Design(first="disputed"), disputes)
    assert [unit[0] for unit in items.units[:7]] == [1, 6, 4, 9, 2, 5, 0]
    with pytest.raises(InputError, match="no scores tell"):
        make_items(samples, Design(first="disputed"))


def test_a_block_has_checks_at_random_places():
    samples = made_samples(40, "AB")
    design = Design(block=40)
    items = make_items(samples, design)
    places: dict[str, list[int]] = {"genuine": [], "broken": [], "repeat": []}
    before = 0
    for seed in range(200):
        block = compose(design, samples, items, range(len(items.units)), random.Random(seed))
        assert Counter(task.kind for task in block) == {"genuine": 32, "broken": 4, "repeat": 4}
        assert sum(task.unit in items.overlap for task in block if task.kind == "genuine") == 10
        first = {}
        for place, task in enumerate(block):
            places[task.kind].append(place)
            if task.unit in first:
                assert place - first[task.unit] >= 5  # 10 is what is looked for
            else:
                first[task.unit] = place
        before += sum(block[first[task.unit]].kind != "genuine" for task in block if task.kind != "genuine")
    for kind, found in places.items():
        assert abs(np.mean(found) - 19.5) < 2, kind  # 800 places or more: standard error 0.4
        assert {place // 10 for place in found} == {0, 1, 2, 3}
    assert 600 < before < 1000  # a check comes before its original as often as after it


def test_a_broken_copy_stands_beside_its_original():
    samples = made_samples(20, "ABC")
    for task in ("pairwise", "best-worst"):
        design = Design(task=task, checks=0.5)
        items = make_items(samples, design)
        block = compose(design, samples, items, range(len(items.units)), random.Random(1))
        broken = [one for one in block if one.kind == "broken"]
        assert len(broken) > 5
        for one in broken:
            cells = [cell for cell, _ in one.shown]
            (made,) = [text for _, text in one.shown if text is not None]
            (copied,) = [cell for cell, text in one.shown if text is not None]
            assert cells.count(copied) == 2
            assert made != samples.candidates[copied]
            assert len(cells) == len(items.units[one.unit])
        places = Counter(next(place for place, (_, made) in enumerate(one.shown) if made is not None) for one in broken)
        assert len(places) > 1


def test_a_broken_copy_has_a_phrase_of_another_text():
    text = "one two three four five six seven eight"
    other = "a b c d e f g h i j"
    made = corrupt(text, [other], random.Random(0))
    words = made.split()
    assert words[0] == "one"
    assert words[-1] == "eight"
    assert len(words) == 8
    assert len([word for word in words if word in other.split()]) == words_replaced(8) == 3
    assert [words_replaced(number) for number in (1, 2, 5, 6, 9, 15, 16, 20, 21, 40)] == [1, 2, 2, 3, 4, 4, 5, 5, 5, 10]
    chinese = corrupt("我爱你你好吗今天天气很好", ["他们明天去北京看书写字画画"], random.Random(0))
    assert len(pieces(chinese)) == 12
    assert corrupt("word", ["word"], random.Random(0)) is None
    assert corrupt("!?", ["word"], random.Random(0)) is None
    assert corrupt("one two three", [], random.Random(0)) is None


def test_where_only_wording_is_asked_the_check_is_a_copy():
    samples = made_samples(20, "B")
    design = Design(questions=("wording",), checks=0.5)
    block = compose(design, samples, make_items(samples, design), range(20), random.Random(0))
    broken = [task for task in block if task.kind == "broken"]
    assert broken
    assert all(task.shown[0][1] == samples.sources[task.shown[0][0]] for task in broken)


def test_wrong_designs_are_refused():
    for wrong, message in (
        ({"task": "ranking"}, "task='ranking' is unknown"),
        ({"questions": ("style",)}, "questions='style' is unknown"),
        ({"questions": ()}, "no question is asked"),
        ({"redundancy": 0}, "redundancy=0; expected at least 1"),
        ({"checks": 0.9}, "from 0 to 0.5"),
        ({"size": 2}, "size=2; expected at least 3"),
    ):
        with pytest.raises(InputError, match=message):
            Design(**wrong)
    alone = made_samples(3, "A")
    for task in ("pairwise", "best-worst"):
        with pytest.raises(InputError, match="no item to judge: no source has t"):
            make_items(alone, Design(task=task))


def test_a_guide_asks_of_what_is_judged(tmp_path):
    assert len(make_guide(Design())["quiz"]) == 3
    only = make_guide(Design(questions=("wording",)))
    assert (list(only["questions"]), len(only["quiz"])) == (["wording"], 1)
    assert "answer" not in without_answers(only)["quiz"][0]
    assert "why" not in without_answers(only)["quiz"][0]
    assert check_quiz(only, [1]) == [0]
    assert check_quiz(only, [only["quiz"][0]["answer"]]) == []
    with pytest.raises(InputError, match="expected 1 numbers"):
        check_quiz(only, [0, 0])
    (tmp_path / "own.txt").write_text("First\nparagraph.\n\nSecond.\n")
    (tmp_path / "own.json").write_text('[{"question": "Is it?", "choices": ["yes", "no"], "answer": 1}]')
    own = make_guide(Design(), tmp_path / "own.txt", tmp_path / "own.json")
    assert own["about"] == ["First paragraph.", "Second."]
    assert own["quiz"][0]["question"] == "Is it?"
    for wrong in ("[]", "{}", '[{"question": "Is it?", "choices": ["yes"], "answer": 0}]',
                  '[{"question": "Is it?", "choices": ["yes", "no"], "answer": true}]', "not JSON"):  # fmt: skip
        (tmp_path / "wrong.json").write_text(wrong)
        with pytest.raises(InputError, match="expected a list such as"):
            make_guide(Design(), comprehension=tmp_path / "wrong.json")
