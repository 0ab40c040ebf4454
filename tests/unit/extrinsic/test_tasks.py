"""Labelled texts and the tasks made of them: the published sizes, and what is refused."""

import json

import pytest

from paragauge.errors import InputError
from paragauge.extrinsic.tasks import TextTask, open_task, table_task
from paragauge.extrinsic.tasks.labelled import Labelled, drawn_share, read_labelled, shuffled


def table(texts: str, labels: str) -> Labelled:
    words = tuple(texts.split())
    return Labelled(tuple(map(str, range(len(words)))), words, tuple(labels.split()))


def test_one_class_is_refused():
    with pytest.raises(InputError, match="all 2 training texts have the label 'x'; expected two classes or more"):
        TextTask("one", table("a b", "x x"), table("c", "x"))


def test_an_unknown_label_in_the_test_part_is_refused():
    with pytest.raises(
        InputError, match=r"row 1 of the test part has the label 'z', which no training text.*known: x, y"
    ):
        TextTask("two", table("a b", "x y"), table("c d", "x z"))


def test_an_empty_text_and_an_empty_label_are_refused():
    with pytest.raises(InputError, match="the text of row b is empty"):
        Labelled(("a", "b"), ("good", " \u200b"), ("x", "y"))
    with pytest.raises(InputError, match="the label of row b is empty"):
        Labelled(("a", "b"), ("good", "bad"), ("x", ""))


def test_an_id_that_comes_twice_is_refused():
    with pytest.raises(InputError, match="the id 'a' comes twice"):
        Labelled(("a", "a"), ("good", "bad"), ("x", "y"))


def test_a_table_of_any_number_of_classes(tmp_path):
    file = tmp_path / "my.csv"
    file.write_text("review,stars\n" + "".join(f"text {n},{n % 3}\n" for n in range(30)))
    found = table_task(file, text="review", label="stars")
    assert found.classes == ("0", "1", "2")
    assert (len(found.train), len(found.test)) == (24, 6)
    assert not set(found.train.ids) & set(found.test.ids)
    with pytest.raises(InputError, match=r"row 1 has no column 'text'.*known: review, stars"):
        read_labelled(file)


def test_labels_that_are_numbers_are_written_alike(tmp_path):
    (tmp_path / "one.jsonl").write_text('{"text": "a", "label": 1}\n{"text": "b", "label": 0.0}\n')
    assert read_labelled(tmp_path / "one.jsonl").labels == ("1", "0")
    (tmp_path / "null.jsonl").write_text('{"text": null, "label": 1}\n')
    with pytest.raises(InputError, match=r"null\.jsonl: the text of row 1 is empty"):
        read_labelled(tmp_path / "null.jsonl")


def test_the_order_depends_on_seed_and_ids_alone():
    ids = [f"row-{number}" for number in range(50)]
    assert sorted(shuffled(ids, 0)) == list(range(50))
    assert shuffled(ids, 0) == shuffled(ids, 0) != shuffled(ids, 1)
    assert shuffled(["a", "b", "c", "d"], 0) == [2, 3, 1, 0]  # on every machine


def test_shares_are_nested_and_have_every_class():
    rows = Labelled(tuple(map(str, range(100))), ("text",) * 100, ("rare",) * 4 + ("often",) * 96)
    small, large = drawn_share(rows, 0.1, 3), drawn_share(rows, 0.5, 3)
    assert set(small) < set(large)
    assert {rows.labels[place] for place in small} == {"rare", "often"}
    assert len(large) == 2 + 48
    assert drawn_share(rows, 1, 0) == list(range(100))
    with pytest.raises(InputError, match=r"a share of 0 of the data"):
        drawn_share(rows, 0, 0)


def test_imdb_is_divided_as_in_the_paper_but_for_its_test_part(data):
    found = open_task("imdb", data)
    assert (len(found.train), len(found.validation), len(found.test)) == (2_500, 2_000, 500)
    parts = [set(part.ids) for part in (found.train, found.validation, found.test)]
    assert len(set.union(*parts)) == 5_000
    assert not any("<br />" in text for text in found.train.texts)
    assert "which are 5,500" in found.notes[0]
    assert found.fingerprint()[:12] == "a4c63727c7a5"  # the same draw everywhere


@pytest.mark.parametrize(("name", "train", "test"), [("sst2", 6920, 1821), ("mr", 8530, 2132), ("cr", 3017, 754)])
def test_other_tasks_have_their_published_sizes(name, train, test, data):
    found = open_task(name, data)
    assert (len(found.train), len(found.test)) == (train, test)
    assert found.classes == ("0", "1")


def test_a_changed_file_and_an_unknown_task_are_refused(tmp_path):
    (tmp_path / "sentiment").mkdir()
    (tmp_path / "sentiment" / "custrev.all").write_text("0 bad\n1 good\n")
    with pytest.raises(InputError, match="is not the file that was published"):
        open_task("cr", tmp_path)
    with pytest.raises(InputError, match="no task named 'imbd'; did you mean 'imdb'"):
        open_task("imbd", tmp_path)


def test_a_table_that_is_too_small(tmp_path):
    (tmp_path / "one.jsonl").write_text(json.dumps({"text": "a", "label": "x"}))
    with pytest.raises(InputError, match="one has 1 row; expected enough"):
        table_task(tmp_path / "one.jsonl")
