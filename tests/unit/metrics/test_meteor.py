"""METEOR by hand, and what it says where WordNet is missing."""

import math
from pathlib import Path

import pytest

from paragauge.errors import InputError, ModelError
from paragauge.metrics import parse
from paragauge.tables.samples import Samples

FEWEST = "meteor:alignment=fewest-chunks"


def score(candidate: str, *references: str, spec: str = "meteor") -> float:
    return float(parse(spec).score(sources=["x"], candidates=[candidate], references=[list(references)])[0])


@pytest.mark.usefixtures("lexicon")
def test_worked_by_hand() -> None:
    # "cat" and "sat" exactly, "dogs" by its stem: m = 3 of 4 and of 5 words
    # order in the reference: cat 0, sat 1, dog 4; so "cat sat" and "dogs" are 2 chunks
    # P = 3/4, R = 3/5, F = 0.45 / (0.9·0.75 + 0.1·0.6) = 0.45 / 0.735; penalty = 0.5·(2/3)³ = 4/27
    assert score("cat sat xx dogs", "cat sat yy zz dog") == pytest.approx(0.45 / 0.735 * (1 - 4 / 27), abs=1e-15)
    # alpha = 0.5: 2PR/(P+R) = 0.9/1.35; gamma = 1, beta = 1: penalty 2/3
    found = score("cat sat xx dogs", "cat sat yy zz dog", spec="meteor:alpha=0.5,beta=1,gamma=1")
    assert found == pytest.approx(0.9 / 1.35 * (1 - 2 / 3), abs=1e-15)


@pytest.mark.usefixtures("lexicon")
def test_a_copy_pays_for_its_chunk() -> None:
    assert score("one two three four", "one two three four") == 1 - 0.5 / 4**3
    assert score("ONE Two", "one two") == 1 - 0.5 / 2**3  # case is ignored


@pytest.mark.usefixtures("lexicon")
def test_synonyms() -> None:
    # m = 2 of 2 in one chunk: 1 − 0.5·(1/2)³
    for spec in ("meteor", FEWEST):
        assert score("red car", "red auto", spec=spec) == 1 - 0.5 / 2**3
        assert score("red car", "red fish", spec=spec) == 0.5 * 0.5  # P = R = 1/2, and the one match is one chunk
    # nltk compares stems: "automobil" is not a synonym of "car", and "happili" is not in WordNet at all
    assert score("red car", "red automobile") == 0.5 * 0.5
    assert score("red car", "red automobile", spec=FEWEST) == 1 - 0.5 / 2**3
    assert score("happily", "merrily") == 0
    assert score("happily", "merrily", spec=FEWEST) == 0.5


@pytest.mark.usefixtures("lexicon")
def test_fewest_chunks() -> None:
    # nltk's "the" takes the last "the" of the reference: 2 chunks of 3 words, not 1
    candidate, reference = "the cat sat", "the cat sat on the"
    mean = (1 * 0.6) / (0.9 * 1 + 0.1 * 0.6)
    assert score(candidate, reference) == pytest.approx(mean * (1 - 0.5 * (2 / 3) ** 3), abs=1e-15)
    assert score(candidate, reference, spec=FEWEST) == pytest.approx(mean * (1 - 0.5 * (1 / 3) ** 3), abs=1e-15)


@pytest.mark.usefixtures("lexicon")
def test_undefined_rows_say_why() -> None:
    samples = Samples.of(["x"] * 3, ["", "a word", "a word"], [["a word"], ["\u3000"], []])
    metric = parse("meteor")
    scores = metric.score(samples)
    assert scores[0] == 0
    assert math.isnan(scores[1])
    assert math.isnan(scores[2])
    assert metric.reason(samples, 2) == "the row has no reference"
    assert score("a word", "", "a word") == score("a word", "a word")


def test_without_wordnet_the_command_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if Path("/usr/share/wordnet").exists():
        pytest.skip("WordNet is installed for the whole machine")
    for name in ("NLTK_DATA", "PARAGAUGE_WORDNET"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path))
    monkeypatch.setenv("PARAGAUGE_OFFLINE", "1")
    with pytest.raises(ModelError, match="`paragauge models get wordnet`"):
        score("a", "a")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no WordNet folder"):
        score("a", "a", spec=f"meteor:wordnet={tmp_path / 'none'}")


def test_parameters_out_of_range() -> None:
    with pytest.raises(InputError, match="alpha=2"):
        parse("meteor:alpha=2")
    with pytest.raises(InputError, match="alignment='greedy' is unknown"):
        parse("meteor:alignment=greedy")
