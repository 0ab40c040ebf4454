"""BLEU, chrF, chrF++ and TER against the installed sacrebleu, row by row and as a corpus."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

from paragauge.compute.workspace import Workspace
from paragauge.metric import CountMetric
from paragauge.metrics.form.bleu import Bleu
from paragauge.metrics.form.chrf import Chrf
from paragauge.metrics.form.ter import Ter
from paragauge.tables.samples import Samples
from paragauge.text.tokens import spaceless, tokenizer

# Both sides count alike and then do a few dozen operations in double precision, at a scale of 100.
WITHIN = 1e-9

# ours, sacrebleu for single rows, sacrebleu for a corpus
SACREBLEU = {
    "bleu": (Bleu(tokenizer="13a"), BLEU(effective_order=True), BLEU()),
    "bleu:lowercase": (
        Bleu(tokenizer="13a", lowercase=True),
        BLEU(effective_order=True, lowercase=True),
        BLEU(lowercase=True),
    ),
    "chrf": (Chrf(), CHRF(), CHRF()),
    "chrf++": (Chrf(word_order=2), CHRF(word_order=2), CHRF(word_order=2)),
    "ter": (Ter(tokenizer="tercom"), TER(), TER()),
}
BLEU_OPTIONS = {
    "order": ({"order": 2}, {"max_ngram_order": 2}),
    "floor": ({"smoothing": "floor"}, {"smooth_method": "floor"}),
    "floor=0.01": ({"smoothing": "floor", "smooth_value": 0.01}, {"smooth_method": "floor", "smooth_value": 0.01}),
    "add-k": ({"smoothing": "add-k"}, {"smooth_method": "add-k"}),
    "add-k=0.5": ({"smoothing": "add-k", "smooth_value": 0.5}, {"smooth_method": "add-k", "smooth_value": 0.5}),
    "none": ({"smoothing": "none"}, {"smooth_method": "none"}),
    "intl": ({"tokenizer": "intl"}, {"tokenize": "intl"}),
    "char": ({"tokenizer": "char"}, {"tokenize": "char"}),
}
CHRF_OPTIONS = (
    {"beta": 1},
    {"lowercase": True, "word_order": 1},
    {"whitespace": True, "char_order": 3},
)
EVERY_SO_MANY = pytest.mark.parametrize("step", [31, pytest.param(9, marks=pytest.mark.thorough)])


def ragged(rows: Any, step: int = 1) -> Samples:
    """Every `step`-th row with its reference and up to three more: what was said of other rows."""
    size = len(rows.candidates)
    chosen = range(0, size, step)
    more = [[rows.candidates[(row * 31 + extra) % size] for extra in range(row % 4)] for row in chosen]
    return Samples.of(
        [rows.sources[row] for row in chosen],
        [rows.candidates[row] for row in chosen],
        [[rows.references[row], *extra] for row, extra in zip(chosen, more, strict=True)],
    )


def streams(samples: Samples) -> list[list[str | None]]:
    """References as sacrebleu's corpus score takes them: the first of all rows, the second …, None where missing."""
    most = max(map(len, samples.references))
    return [[group[place] if place < len(group) else None for group in samples.references] for place in range(most)]


def assert_rows_equal(metric: CountMetric, peer: Any, samples: Samples) -> None:
    found = metric.score(samples, Workspace())
    rows = zip(samples.candidates, samples.references, strict=True)
    expected = np.array([peer.sentence_score(candidate, list(group)).score for candidate, group in rows])
    np.testing.assert_allclose(found, expected, rtol=0, atol=WITHIN)


def assert_corpus_equal(metric: CountMetric, peer: Any, samples: Samples) -> None:
    assert metric.corpus(samples) == pytest.approx(
        peer.corpus_score(samples.candidates, streams(samples)).score, rel=0, abs=WITHIN
    )


@pytest.mark.parametrize("step", [31, pytest.param(1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", SACREBLEU)
def test_every_so_many_rows_of_twitter(name, step, twitter):
    metric, peer, corpus_peer = SACREBLEU[name]
    samples = ragged(twitter, step)
    assert len(samples) == -(-7_159 // step)
    assert_rows_equal(metric, peer, samples)
    assert_corpus_equal(metric, corpus_peer, samples)


@EVERY_SO_MANY
@pytest.mark.parametrize("name", BLEU_OPTIONS)
def test_other_bleus_on_twitter(name, step, twitter):
    ours, theirs = BLEU_OPTIONS[name]
    samples = ragged(twitter, step)
    metric = Bleu(**{"tokenizer": "13a"} | ours)
    assert_rows_equal(metric, BLEU(effective_order=True, **theirs), samples)
    assert_corpus_equal(metric, BLEU(**theirs), samples)


@EVERY_SO_MANY
@pytest.mark.parametrize("options", CHRF_OPTIONS, ids=str)
def test_other_chrfs_on_twitter(options, step, twitter):
    samples = ragged(twitter, step)
    assert_rows_equal(Chrf(**options), CHRF(**options), samples)
    assert_corpus_equal(Chrf(**options), CHRF(**options), samples)


@EVERY_SO_MANY
def test_without_effective_order_on_twitter(step, twitter):
    # sacrebleu warns that sentence scores should use it, through its logger; the number is what is compared
    assert_rows_equal(Bleu(tokenizer="13a", effective_order=False), BLEU(effective_order=False), ragged(twitter, step))


def test_auto_is_13a_on_twitter(twitter):
    samples = ragged(twitter)
    texts = {text for row in zip(samples.candidates, samples.references, strict=True) for text in (row[0], *row[1])}
    spaced = [text for text in texts if not spaceless(text)]
    assert len(spaced) > 0.99 * len(texts)
    assert [tokenizer("auto")(text) for text in spaced] == [tokenizer("13a")(text) for text in spaced]


@pytest.mark.parametrize(
    ("system", "step"),
    [
        ("Facebook_FAIR.6750", 40),
        *(pytest.param(name, 10, marks=pytest.mark.thorough) for name in ("Facebook_FAIR.6750", "online-X.0")),
    ],
)
def test_every_so_many_segments_of_wmt19_german_english(system, step, data: Path):
    references = (data / "wmt19/references/newstest2019-deen-ref.en").read_text(encoding="utf-8").split("\n")[:-1]
    output = data / f"wmt19/system-outputs/de-en/newstest2019.{system}.de-en"
    candidates = output.read_text(encoding="utf-8").split("\n")[:-1]
    assert len(candidates) == len(references) == 2_000
    chosen = candidates[::step]
    samples = Samples.of([""] * len(chosen), chosen, [[text] for text in references[::step]])
    for metric, peer, corpus_peer in SACREBLEU.values():
        assert_rows_equal(metric, peer, samples)
        assert_corpus_equal(metric, corpus_peer, samples)


@pytest.mark.parametrize("step", [31, pytest.param(1, marks=pytest.mark.thorough)])
def test_chinese(step, bq):
    samples = Samples.of(bq.sources, bq.candidates, [[text] for text in bq.references])
    assert len(samples) == 5_590
    samples = samples.rows(range(0, 5_590, step))
    assert_rows_equal(Bleu(tokenizer="zh"), BLEU(effective_order=True, tokenize="zh"), samples)
    assert_corpus_equal(Bleu(tokenizer="zh"), BLEU(tokenize="zh"), samples)
    assert_rows_equal(Chrf(), CHRF(), samples)


def test_empty_candidates_count_as_sacrebleu_counts_them():
    samples = Samples.of([""] * 3, ["", "a b c d e", " "], [["a b"], ["a b c d f"], ["x"]])
    for metric, peer, corpus_peer in SACREBLEU.values():
        assert_rows_equal(metric, peer, samples)
        assert_corpus_equal(metric, corpus_peer, samples)


@pytest.mark.parametrize("size", [500, pytest.param(2_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", SACREBLEU)
def test_texts_too_short_for_some_orders(name, size):
    """Zero to six letters in zero to three words: orders that one side or both have no n-gram of, ties, repetitions."""
    metric, peer, corpus_peer = SACREBLEU[name]
    chance = random.Random(0)
    texts = ["".join(chance.choices("ab .", weights=[4, 3, 2, 1], k=chance.randrange(7))) for _ in range(2 * size)]
    references = [[text for text in texts[row : row + 1 + row % 3] if text.strip()] or ["a"] for row in range(size)]
    samples = Samples.of([""] * size, texts[size:], references)
    assert_rows_equal(metric, peer, samples)
    for rows in (1, 7, size):
        assert_corpus_equal(metric, corpus_peer, samples.rows(range(rows)))
