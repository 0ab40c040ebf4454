"""Perplexity and SLOR: their arithmetic on a small model, and good sentences against scrambled ones on the default."""

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from paragauge import Samples, score
from paragauge.compute.workspace import Workspace
from paragauge.errors import InputError
from paragauge.evaluate.plan import check_needs, choose, needs_store
from paragauge.metrics import Perplexity, Slor
from paragauge.metrics.fluency.slor import ORDINARY
from paragauge.models import LanguageModel
from paragauge.models.causal.language_model import load_language_model
from paragauge.tables.notices import NoticeKind

SENTENCES = [
    "The committee approved the new budget after a long debate.",
    "My sister bought a small house near the river last summer.",
    "He forgot to lock the door before he went to bed.",
    "The children played in the garden until it began to rain.",
    "We took the last train home and slept through our stop.",
    "The doctor told me to drink more water and get some rest.",
    "Nobody knows why the old bridge was never repaired.",
    "She has been learning to play the piano for three years.",
    "The museum is closed on Mondays, but the park is open.",
    "If you see Tom at the meeting, please give him this letter.",
    "The price of bread has doubled since the beginning of the war.",
    "I would rather stay at home and read a good book tonight.",
    "Scientists have found a new kind of frog in the rain forest.",
    "The bus was so full that we had to stand the whole way.",
    "They decided to sell the farm and move to the city.",
    "A strange noise in the kitchen woke the whole family.",
    "Could you tell me how to get to the nearest post office?",
    "The team lost the match because their best player was ill.",
    "It takes about ten minutes to walk from here to the beach.",
    "Most people agree that the film is better than the book.",
]
ODD = ["", " \n", "the", "the fox"]


@pytest.fixture
def small(small_llama: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "cache"))
    return str(small_llama())


def samples(candidates: list[str]) -> Samples:
    return Samples.of([""] * len(candidates), candidates)


def scrambled(sentence: str, seed: int) -> str:
    """The same words in another order, the stop at its end."""
    words = sentence[:-1].split()
    shuffled = words[:]
    while shuffled == words:
        random.Random(seed).shuffle(shuffled)
        seed += 1
    return " ".join(shuffled) + sentence[-1]


def test_perplexity_is_the_inverse_of_the_mean_probability(small: str) -> None:
    model = load_language_model(small)
    found = Perplexity(language_model=small).score(samples(ODD))
    assert np.isnan(found[:2]).all()
    (one,), (several,) = model.read(["the"]), model.read(["the fox"])
    # one token: 1 / p; T tokens: (p1 · p2 · … · pT) ** (−1/T)
    assert found[2] == pytest.approx(1 / np.exp(np.float64(one.log_probabilities[0])))
    product = np.prod(np.exp(several.log_probabilities.astype(np.float64)))
    assert found[3] == pytest.approx(product ** (-1 / len(several.ids)))


def test_slor_is_the_gain_over_single_tokens(small: str, tmp_path: Path) -> None:
    model = load_language_model(small)
    (likelihood,) = model.read(["the fox"])
    total = likelihood.log_probabilities.astype(np.float64).sum()
    tokens = len(likelihood.ids)
    assert tokens == 5  # the, space, f, o, x
    expected = model.predict(ORDINARY)
    alone = sum(float(expected[number]) for number in likelihood.ids)
    found = Slor(language_model=small).score(samples(ODD))
    assert np.isnan(found[:2]).all()
    assert found[3] == pytest.approx((total - alone) / tokens, abs=1e-6)  # float32 values, added in another order
    text = tmp_path / "text.txt"
    text.write_text("the the\nof the\n", encoding="utf-8")
    # tokens of the text: "the" 1, " the" 2, "o" 1, "f" 1; one more for each of the 262: 267 in all
    counts = {"the": 2, " ": 1, "f": 2, "o": 2, "x": 1}
    alone = sum(np.log(counts[word] / 267) for word in ("the", " ", "f", "o", "x"))
    counted = Slor(language_model=small, unigrams=str(text))
    assert counted.score(samples(["the fox"]))[0] == pytest.approx((total - alone) / tokens)
    assert "unigrams:counted-" in counted.signature()
    assert "unigrams:expected-" in Slor(language_model=small).signature()
    with pytest.raises(InputError, match="whose tokens slor counts, cannot be read"):
        Slor(language_model=small, unigrams=str(tmp_path / "none.txt")).score(samples(["the fox"]))


def test_a_long_text_is_cut_and_counted(small: str) -> None:
    work = Workspace()
    long, cut = "abcdefghijklmnop", "abcdefg"
    found = Perplexity(language_model=small, limit=8).score(samples([long, cut, long]), work)
    assert found[0] == found[2] == pytest.approx(found[1])
    assert work.notices[NoticeKind.TRUNCATED, "small"].count == 1  # each text once


def test_it_needs_nothing_but_the_candidate(small: str) -> None:
    metric = Perplexity(language_model=small)
    assert metric.needs == "nothing"
    check_needs([metric, Slor(language_model=small)], [samples(["the fox"])])
    with pytest.warns(UserWarning, match="1 text is longer than small can read"):
        found = score([""] * 2, ["", "the fox jumps over the dog"], metrics=[Perplexity(language_model=small, limit=9)])
    (column,) = found.columns.values()
    assert column.reasons == {0: "the candidate is empty"}
    assert needs_store(metric)
    with pytest.raises(InputError, match="none of the metrics has a parameter 'precision'"):
        choose([metric], False, precision="int8")  # which is far from exact here


def test_one_reading_serves_both(small: str) -> None:
    computed: list[str] = []
    work = Workspace(progress=lambda what, done, of: computed.append(f"{what} {done}/{of}"))
    Perplexity(language_model=small).score(samples(["the fox"]), work)
    Slor(language_model=small).score(samples(["the fox"]), work)
    assert computed == ["reading texts 1/1", "reading texts 1/1"]  # the candidate; the ordinary sentences, as one


@pytest.mark.thorough
def test_good_sentences_beat_their_scrambled_selves(language_model: LanguageModel) -> None:
    assert language_model.name
    work = Workspace()
    bad = [scrambled(sentence, seed) for seed, sentence in enumerate(SENTENCES)]
    table = samples(SENTENCES + bad)
    perplexity, slor = Perplexity().score(table, work), Slor().score(table, work)
    assert (perplexity[:20] < perplexity[20:]).all()
    assert (slor[:20] > slor[20:]).all()
    assert (slor[:20] > 0).all()  # each is likelier than its tokens by themselves
