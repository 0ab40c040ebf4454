"""Self-BLEU of sets and iBLEU against sacrebleu and nltk."""

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from paragauge import metrics
from paragauge.metrics.diversity.selfbleu import SelfBleu
from paragauge.metrics.overall.ibleu import IBleu
from paragauge.tables.samples import Samples
from paragauge.text.tokens import tokenizer

# Both sides count alike and then do a few dozen operations in double precision, at a scale of 100.
WITHIN = 1e-9


@pytest.fixture(scope="module")
def samples(twitter) -> Samples:
    return Samples.of(twitter.sources, twitter.candidates, [[text] for text in twitter.references])


def siblings(samples: Samples, rows: list[int]) -> list[tuple[str, list[str]]]:
    texts = [samples.candidates[row] for row in rows]
    return [(text, texts[:place] + texts[place + 1 :]) for place, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({}, {}),
        ({"order": 2, "lowercase": True}, {"max_ngram_order": 2, "lowercase": True}),
        ({"smoothing": "floor"}, {"smooth_method": "floor"}),
        ({"smoothing": "none"}, {"smooth_method": "none"}),
    ],
    ids=str,
)
def test_selfbleu_is_the_mean_of_sacrebleu_on_every_7th_set_of_twitter(samples, ours, theirs):
    sets = samples.sets()[::7]
    assert len(sets) == 109
    peer = BLEU(effective_order=True, **theirs)
    expected = [
        np.mean([peer.sentence_score(text, others).score for text, others in siblings(samples, rows)]) for rows in sets
    ]
    found = SelfBleu(tokenizer="13a", **ours).score(samples)
    np.testing.assert_allclose(found[[rows[0] for rows in sets]], expected, rtol=0, atol=WITHIN)
    assert all(len(set(found[rows])) == 1 for rows in sets), "the rows of a set carry one score"


def test_texygen_is_smoothing_floor(samples):
    """Texygen: nltk's sentence_bleu with smoothing method 1, for sets whose candidates all have four tokens or more."""
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    smooth = bleu_score.SmoothingFunction().method1
    split = tokenizer("13a")
    sets = [rows for rows in samples.sets()[::7] if min(len(split(samples.candidates[row])) for row in rows) >= 4]
    assert len(sets) > 50
    expected = [
        100
        * np.mean(
            [
                bleu_score.sentence_bleu(list(map(split, others)), split(text), smoothing_function=smooth)
                for text, others in siblings(samples, rows)
            ]
        )
        for rows in sets
    ]
    found = SelfBleu(tokenizer="13a", smoothing="floor").score(samples)
    np.testing.assert_allclose(found[[rows[0] for rows in sets]], expected, rtol=0, atol=WITHIN)


def test_without_smoothing_nltk_agrees_where_every_order_matches():
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    texts = ["a b c d e f", "a b c d e g", "x b c d e f g"]
    expected = np.mean(
        [bleu_score.sentence_bleu([other.split() for other in texts if other != text], text.split()) for text in texts]
    )
    found = SelfBleu(smoothing="none").score(sources=["s"] * 3, candidates=texts)
    np.testing.assert_allclose(found, [100 * expected] * 3, rtol=0, atol=WITHIN)


def test_source_bleu(samples):
    metric = metrics.parse("source-bleu:tokenizer=13a")
    assert metric == metrics.parse("bleu.free:tokenizer=13a")
    some = samples.rows(range(0, 7_159, 50))
    peer = BLEU(effective_order=True)
    expected = [
        peer.sentence_score(text, [source]).score for text, source in zip(some.candidates, some.sources, strict=True)
    ]
    np.testing.assert_allclose(metric.score(some), expected, rtol=0, atol=WITHIN)


@pytest.mark.parametrize(
    ("spec", "gain", "loss"),
    [
        ("ibleu", 0.8, 0.2),
        ("ibleu:alpha=0.9", 0.9, 0.1),
        ("ibleu:form=difference", 1, 0.2),
        ("ibleu:form=difference,alpha=0.3", 1, 0.3),
    ],
)
def test_ibleu_is_made_of_two_sacrebleus(samples, spec, gain, loss):
    metric = metrics.parse(spec)
    assert isinstance(metric, IBleu)
    some = samples.rows(range(0, 7_159, 25))
    row, corpus = BLEU(effective_order=True), BLEU()
    expected = [
        gain * row.sentence_score(text, list(references)).score - loss * row.sentence_score(text, [source]).score
        for text, references, source in zip(some.candidates, some.references, some.sources, strict=True)
    ]
    np.testing.assert_allclose(metric.score(some), expected, rtol=0, atol=WITHIN)
    whole = gain * corpus.corpus_score(some.candidates, [[text for (text,) in some.references]]).score
    whole -= loss * corpus.corpus_score(some.candidates, [some.sources]).score
    assert metric.corpus(some) == pytest.approx(whole, rel=0, abs=WITHIN)
