"""Texts paraphrased sentence by sentence, kept and resumed; files of paraphrases."""

import json

import pytest

from paragauge.errors import InputError
from paragauge.extrinsic.results import open_store
from paragauge.extrinsic.tasks import versions
from paragauge.extrinsic.tasks.versions import original, paraphrased, read_versions, rewritten
from paragauge.text.sentences import sentences


def test_what_stands_between_sentences_stays():
    text = "One is here.\n\n  Two, too!   Three? "
    assert rewritten(text, {}) == text
    assert rewritten(text, {"Two, too!": "Second."}) == "One is here.\n\n  Second.   Three? "


def test_a_copy_gives_the_texts_back(task, kinds):
    found = paraphrased(task, kinds.Copy())
    assert found.train == task.train.texts
    assert found.test == task.test.texts
    assert found.key == original(task).key
    assert found.notes == ()


def test_finished_paraphrases_are_kept_and_a_damaged_file_is_made_again(task, kinds, tmp_path, monkeypatch):
    store = open_store(tmp_path, {})
    first = paraphrased(task, kinds.Nonsense(), store)
    calls = []
    real = kinds.Nonsense.propose
    monkeypatch.setattr(kinds.Nonsense, "propose", lambda *given: calls.append(1) or real(*given))
    assert paraphrased(task, kinds.Nonsense(), store) == first
    assert calls == []
    file = min(tmp_path.glob("parts/paraphrases/*/*.jsonl"))
    file.write_bytes(file.read_bytes()[:-20])
    assert paraphrased(task, kinds.Nonsense(), store) == first
    assert calls == [1]
    store.release()


def test_a_file_of_paraphrases_of_texts_or_of_sentences(task, tmp_path):
    rows = [{"source": text, "candidate": text.upper(), "system": "loud"} for text in task.train.texts]
    cut = {part + "." for text in task.train.texts for part in text.replace("\n", " ").split(". ")}
    rows += [{"source": one.replace("..", "."), "candidate": "So.", "system": "short"} for one in cut]
    file = tmp_path / "out.jsonl"
    file.write_text("".join(map("{}\n".format, map(json.dumps, rows))))
    loud, short = read_versions(task, file, test=False)
    assert (loud.name, short.name) == ("loud", "short")
    assert loud.train[0] == task.train.texts[0].upper()
    assert short.train[1] == "So. So. So."
    assert loud.test is None


def test_a_file_that_lacks_rows_is_refused(task, tmp_path):
    file = tmp_path / "out.csv"
    lines = [f'"{text}","{text}"' for text in task.train.texts[:-2]]
    file.write_text("source,candidate\n" + "\n".join(lines) + "\n")
    expected = r"out.csv: out lacks paraphrases of 2 of 120 training texts of reviews \(rows row-118, row-119\)"
    with pytest.raises(InputError, match=expected):
        read_versions(task, file)
    lines = [f'"{text}","{text}"' for text in task.train.texts]
    file.write_text("source,candidate\n" + "\n".join(lines) + "\n")
    with pytest.raises(InputError, match="out lacks paraphrases of 200 of 200 test texts"):
        read_versions(task, file)
    assert len(read_versions(task, file, test=False)) == 1


def test_a_file_without_the_columns_is_refused(task, tmp_path):
    (tmp_path / "other.csv").write_text("question,answer\na,b\n")
    with pytest.raises(InputError, match="has no columns 'source' and 'candidate'; found: question, answer"):
        read_versions(task, tmp_path / "other.csv")


def test_two_of_one_name_are_refused():
    with pytest.raises(InputError, match="two paraphrasers are named 'copy'"):
        versions.distinct_names(["copy", "loud", "copy"])
    with pytest.raises(InputError, match="a paraphraser is named 'original', which is what the texts themselves are"):
        versions.distinct_names(["copy", "original"])


@pytest.mark.parametrize("nothing", [None, " "])
def test_a_text_that_a_file_has_no_paraphrase_of_stays_as_it_is(nothing, task, tmp_path):
    """As `paragauge paraphrase` writes it, with candidate null: what --paraphraser does too."""
    first, second, *others = task.train.texts
    rows = [{"source": text, "candidate": text.upper(), "system": "loud"} for text in others]
    rows += [{"source": first, "candidate": nothing, "system": "loud"}]
    rows += [{"source": one, "candidate": nothing, "system": "loud"} for one in sentences(second)]
    file = tmp_path / "out.jsonl"
    file.write_text("".join(map("{}\n".format, map(json.dumps, rows))))
    (found,) = read_versions(task, file, test=False)
    assert found.train[:3] == (first, second, others[0].upper())
    assert found.notes == (
        "reviews: loud has no paraphrase of 1 text, which stays as it is",
        f"reviews: loud has no paraphrase of {len(set(sentences(second)))} sentences, which stay as they are",
    )
    rows.append({"source": first, "candidate": "Later.", "system": "loud"})
    file.write_text("".join(map("{}\n".format, map(json.dumps, rows))))
    assert read_versions(task, file, test=False)[0].train[0] == "Later."
