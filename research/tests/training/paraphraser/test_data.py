"""From files to pairs, to a vocabulary, to codes: without torch."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge_research.training.paraphraser.batches import batches, in_order
from paragauge_research.training.paraphraser.codes import fit_clusters, nearest_centres
from paragauge_research.training.paraphraser.configuration import (
    CodeSettings,
    Configuration,
    DataSet,
    NetworkSettings,
    Schedule,
    Selection,
    VocabularySettings,
)
from paragauge_research.training.paraphraser.pairs import read_pairs, read_selected, select
from paragauge_research.training.paraphraser.prepared import case_table, prepare

NOBODY = "none"


def configured(folder: Path, **changes) -> Configuration:
    """60 pairs, of which the last one shares a text with the test part."""
    (folder / "a.txt").write_text("".join(f"there are {n} big doors\n" for n in range(60)))
    (folder / "b.txt").write_text("".join(f"it has {n} large doors\n" for n in range(60)))
    (folder / "test.txt").write_text("There are 59 big doors!\n")
    (folder / "test_2.txt").write_text("something else\n")
    plain = DataSet("parallel", ("a.txt", "b.txt"), NOBODY, reserved=("test.txt", "test_2.txt"))
    settings = {
        "selection": Selection(dev=5),
        "vocabulary": VocabularySettings(size=60),
        "training": Schedule(tokens=64, longest=64),
    }
    return Configuration(folder, {"plain": plain}, **(settings | changes))


def silent(_: str) -> None:
    pass


def test_files_of_every_form_are_read(tmp_path):
    with gzip.open(tmp_path / "t.tsv.gz", "wt") as stream:
        stream.write('x\tA "b\tC d\n')
    (tmp_path / "t.csv").write_text('source,target\n"A, b",C\n')
    (tmp_path / "captions.txt").write_text("1.jpg#0\tA\n1.jpg#1\tB\n1.jpg#2\tC\n2.jpg#0\tD\n")
    sets = {
        "tsv": DataSet("table", ("t.tsv.gz",), NOBODY, columns=("1", "2")),
        "csv": DataSet("table", ("t.csv",), NOBODY, columns=("source", "target")),
        "captions": DataSet("captions", ("captions.txt",), NOBODY, rows=2),
    }
    assert [tuple(pair) for pair in read_pairs(Configuration(tmp_path, sets))] == [
        ('A "b', "C d", "tsv"),
        ("A, b", "C", "csv"),
        ("A", "B", "captions"),
        ("A", "C", "captions"),
    ]
    wrong = DataSet("table", ("t.csv",), NOBODY, columns=("source", "goal"))
    with pytest.raises(InputError, match="no column 'goal'; it has: source, target"):
        list(read_pairs(Configuration(tmp_path, {"wrong": wrong})))
    (tmp_path / "short.txt").write_text("one\n")
    (tmp_path / "long.txt").write_text("one\ntwo\n")
    uneven = DataSet("parallel", ("short.txt", "long.txt"), NOBODY)
    with pytest.raises(InputError, match="different numbers of lines"):
        list(read_pairs(Configuration(tmp_path, {"uneven": uneven})))


def test_neither_the_test_part_nor_the_dev_part_is_trained_on(tmp_path):
    prepared = prepare(configured(tmp_path), tmp_path / "data", silent)
    train, dev = (list(read_selected(tmp_path / "data" / f"{part}.jsonl")) for part in ("train", "dev"))
    assert (len(train), len(dev)) == (54, 5)
    assert not any("59" in pair.source for pair in (*train, *dev))
    assert not {pair.source for pair in train} & {pair.source for pair in dev}
    assert len(prepared.train.examples) == 108  # both directions


@pytest.mark.parametrize(
    ("selection", "kept"),
    [
        (Selection(dev=0), 4),
        (Selection(dev=0, words=4), 3),
        (Selection(dev=0, numbers=True), 3),
        (Selection(dev=0, names=True), 3),
        (Selection(dev=0, changed=(0.3, 1.0)), 2),
    ],
)
def test_pairs_are_selected(tmp_path, selection, kept):
    pairs = [
        ("I saw Tom here", "I saw Ann here"),  # another name
        ("he is 5 now", "he is 6 now"),  # another number
        ("we all go home now", "home is where we go"),  # five words
        ("a b c", "x y"),
        ("the same", "The same!"),
        ("a b c", "x y"),
    ]
    (tmp_path / "a.txt").write_text("".join(a + "\n" for a, _ in pairs))
    (tmp_path / "b.txt").write_text("".join(b + "\n" for _, b in pairs))
    sets = {"all": DataSet("parallel", ("a.txt", "b.txt"), NOBODY)}
    fell = select(Configuration(tmp_path, sets, selection=selection), tmp_path, silent)
    assert fell["kept"] == kept
    assert (fell["twice"], fell["the same text"]) == (1, 1)


@pytest.mark.usefixtures("encoder")
def test_pairs_of_another_meaning_fall(tmp_path):
    (tmp_path / "a.txt").write_text("How old are you?\nHow old are you?\n")
    (tmp_path / "b.txt").write_text("What is your age?\nThe train was late.\n")
    sets = {"all": DataSet("parallel", ("a.txt", "b.txt"), NOBODY)}
    fell = select(Configuration(tmp_path, sets, selection=Selection(dev=0, cosine=0.6)), tmp_path, silent)
    assert fell == {"kept": 1, "a cosine below 0.6": 1}


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_a_trained_vocabulary_writes_what_it_reads(tmp_path, kind):
    if kind == "unigram":
        pytest.importorskip("sentencepiece", reason="it trains unigram vocabularies")
    found = configured(tmp_path, vocabulary=VocabularySettings(kind, 36), codes=CodeSettings("random", 4))
    vocabulary = prepare(found, tmp_path / "data", silent).vocabulary
    again = prepare(found, tmp_path / "again", silent).vocabulary
    assert vocabulary.tokenizer.to_str() == again.tokenizer.to_str()
    ids = vocabulary.tokenizer.encode("it has 12 large doors").ids
    assert ids[-1] == vocabulary.end
    assert vocabulary.tokenizer.decode(ids) == "it has 12 large doors"
    assert [vocabulary.tokenizer.token_to_id(f"<cl_{code}>") for code in range(4)] == list(
        range(vocabulary.tokenizer.get_vocab_size() - 4, vocabulary.tokenizer.get_vocab_size())
    )


def test_the_pieces_of_an_encoder_keep_their_vectors(tmp_path, encoder):
    found = configured(tmp_path, vocabulary=VocabularySettings("encoder", 300), network=NetworkSettings("default"))
    vocabulary = prepare(found, tmp_path / "data", silent).vocabulary
    full = encoder.ids(["there are big doors"])[0]
    ours = vocabulary.tokenizer.encode("There are big doors").ids
    assert [int(vocabulary.rows[number]) for number in ours] == full
    assert vocabulary.tokenizer.decode(vocabulary.tokenizer.encode("zyxw").ids) == "zyxw"  # by its letters
    assert (vocabulary.begin, vocabulary.end) == (ours[0], ours[-1])


def test_batches_hold_every_example_once_and_begin_anywhere(tmp_path):
    prepared = prepare(configured(tmp_path), tmp_path / "data", silent)

    def some(first: int, count: int):
        stream = batches(prepared.train, prepared.vocabulary, 64, 1, first=first)
        return [next(stream) for _ in range(count)]

    whole, later = some(0, 40), some(15, 25)
    for one, other in zip(whole[15:], later, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    assert all(max(batch.given.size, batch.sources.size) <= 64 or len(batch.given) == 1 for batch in whole)
    assert sum(len(batch.wanted) for batch in in_order(prepared.train, prepared.vocabulary, 64)) == 108
    first = whole[0]
    assert (first.given[:, 0] == prepared.vocabulary.begin).all()
    for given, wanted in zip(first.given, first.wanted, strict=True):
        length = int((wanted != -100).sum())
        assert wanted[: length - 1].tolist() == given[1:length].tolist()
        assert wanted[length - 1] == prepared.vocabulary.end


def test_first_batches_may_be_copies(tmp_path):
    prepared = prepare(configured(tmp_path), tmp_path / "data", silent)

    def some(first: int, copies: int):
        stream = batches(prepared.train, prepared.vocabulary, 64, 1, first=first, copies=copies)
        return [next(stream) for _ in range(6 - first)]

    plain, copied, later = some(0, 0), some(0, 3), some(2, 3)
    for place, (one, other) in enumerate(zip(plain, copied, strict=True)):
        assert (one.wanted == other.wanted).all()
        ids = [row[row != prepared.vocabulary.padding].tolist() for row in other.sources]
        wanted = [row[row != -100].tolist() for row in other.wanted]
        assert (ids == wanted) == (place < 3)
    assert all((one.sources == other.sources).all() for one, other in zip(copied[2:], later, strict=True))


def test_clusters_are_those_of_well_separated_points():
    generator = np.random.default_rng(3)
    centres = generator.normal(0, 10, (5, 8)).astype(np.float32)
    owners = generator.integers(5, size=400)
    points = (centres[owners] + generator.normal(0, 0.1, (400, 8))).astype(np.float32)
    found = fit_clusters(points, 5, seed=1)
    chosen, distances = nearest_centres(points, found)
    assert len({(one, other) for one, other in zip(owners.tolist(), chosen.tolist(), strict=True)}) == 5
    np.testing.assert_allclose(distances, ((points - found[chosen]) ** 2).sum(axis=1), atol=1e-2)  # float32 products
    np.testing.assert_array_equal(found, fit_clusters(points, 5, seed=1))
    with pytest.raises(InputError, match="4 clusters cannot be made of 2 different vectors"):
        fit_clusters(np.repeat(np.eye(2, dtype=np.float32), 5, axis=0), 4, seed=1)


@pytest.mark.usefixtures("encoder")
def test_codes_are_of_the_target_and_the_same_each_time(tmp_path):
    for kind in ("random", "semantic"):
        prepared = prepare(configured(tmp_path, codes=CodeSettings(kind, 4)), tmp_path / kind, silent)
        assert set(prepared.train.codes.tolist()) == {0, 1, 2, 3}
        again = prepare(configured(tmp_path, codes=CodeSettings(kind, 4)), tmp_path / f"{kind}2", silent)
        np.testing.assert_array_equal(prepared.train.codes, again.train.codes)
        batch = next(in_order(prepared.dev, prepared.vocabulary, 64))
        zero = prepared.vocabulary.tokenizer.token_to_id("<cl_0>")
        assert ((batch.wanted[:, 0] >= zero) & (batch.wanted[:, 0] < zero + 4)).all()
    assert np.load(tmp_path / "semantic" / "codes.npy").shape[0] == 4


def test_prepared_data_are_used_again(tmp_path):
    prepare(configured(tmp_path), tmp_path / "data", silent)
    marked = json.loads((tmp_path / "data" / "prepared.json").read_text())
    again = configured(tmp_path)
    (tmp_path / "a.txt").unlink()  # not read again
    prepare(again, tmp_path / "data", silent)
    assert json.loads((tmp_path / "data" / "prepared.json").read_text()) == marked


def test_the_table_of_case_has_words_that_are_seldom_in_lower_case():
    texts = ["He met Tom.", "So Tom left.", "and Tom it was", "I saw Tom. May I?", "you may I say"]
    assert case_table(texts) == {"tom": "Tom"}
    assert case_table([*texts, "and I do"]) == {"i": "I", "tom": "Tom"}
