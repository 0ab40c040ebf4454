"""Scores with growing numbers of references, against the metrics themselves and against sacrebleu."""

import numpy as np
import pytest
import sacrebleu

from paragauge.errors import InputError
from paragauge.evaluate.api import evaluate_whole
from paragauge.metrics import parse
from paragauge.references.scoring import score_task
from paragauge.references.task import EvaluationSet
from paragauge.tables.notices import sentences
from paragauge.tables.samples import Samples

CATS = EvaluationSet(
    "t",
    {"good": ["The cat sat on the mat .", "It rains ."], "bad": ["A dog runs .", "Rain it does now ."]},
    [
        ["The cat sat on a mat .", "It is raining ."],
        ["A cat was on the mat .", ""],
        ["On the mat sat the cat .", "It rains now ."],
    ],
)
BY_SACREBLEU = {
    "bleu:tokenizer=13a": (sacrebleu.BLEU(effective_order=True), sacrebleu.BLEU()),
    "chrf": (sacrebleu.CHRF(), sacrebleu.CHRF()),
    "ter": (sacrebleu.TER(), sacrebleu.TER()),
}


@pytest.mark.parametrize("spec", BY_SACREBLEU)
def test_ragged_references_against_sacrebleu(spec):
    sentence, corpus = BY_SACREBLEU[spec]
    for scored in score_task(CATS, spec, [0, 1, 2]):
        columns = CATS.references[: scored.extras + 1]
        ragged = [[text or None for text in column] for column in columns]
        for place, candidates in enumerate(CATS.outputs.values()):
            for segment, candidate in enumerate(candidates):
                others = [column[segment] for column in columns if column[segment]]
                expected = sentence.sentence_score(candidate, others).score
                assert scored.segments[place, segment] == pytest.approx(expected, abs=1e-9)
            assert scored.corpus[place] == pytest.approx(corpus.corpus_score(candidates, ragged).score, abs=1e-9)


def test_any_other_metric_takes_the_best_reference():
    single, both = score_task(CATS, "ned", [0, 1])
    alone = score_task(CATS.with_extras([]), "ned")[0].segments
    other = score_task(EvaluationSet("t", CATS.outputs, [CATS.references[1]]), "ned")[0].segments
    best = np.fmax if single.sign == 1 else np.fmin
    np.testing.assert_array_equal(single.segments, alone)
    np.testing.assert_array_equal(both.segments, best(alone, other))
    assert np.isnan(other[:, 1]).all()  # no reference there
    assert (both.segments != alone).any()
    np.testing.assert_allclose(both.corpus, both.segments.mean(axis=1))


def test_a_segment_without_any_reference_is_left_out_of_the_corpus():
    gap = EvaluationSet("t", CATS.outputs, [["The cat sat on a mat .", " "]])
    one = EvaluationSet("t", {name: column[:1] for name, column in CATS.outputs.items()}, [["The cat sat on a mat ."]])
    for spec in ("bleu", "chrf", "ned"):
        found, expected = score_task(gap, spec)[0], score_task(one, spec)[0]
        assert np.isnan(found.segments[:, 1]).all()
        np.testing.assert_array_equal(found.corpus, expected.corpus)
    for spec in ("bleu", "chrf"):
        with pytest.raises(InputError, match="no row of the input has any"):
            score_task(EvaluationSet("t", CATS.outputs, [["", ""]]), spec)


@pytest.mark.parametrize("spec", ["bleu", "chrf", "ned"])
def test_resampled_corpus_scores_are_those_of_the_drawn_segments(spec):
    scored = score_task(CATS, spec)[-1]
    drawn = scored.resampled(np.array([[1.0, 1.0], [2.0, 0.0]]))
    np.testing.assert_allclose(drawn[0], scored.corpus, rtol=1e-12)
    twice = EvaluationSet(
        "t",
        {name: [column[0]] * 2 for name, column in CATS.outputs.items()},
        [[column[0]] * 2 for column in CATS.references],
    )
    np.testing.assert_allclose(drawn[1], score_task(twice, spec)[-1].corpus, rtol=1e-12)


def test_the_signature_tells_how_many_references():
    found = [scored.signature.split("nrefs:")[1].split("|")[0] for scored in score_task(CATS, "bleu", [0, 1, 2])]
    assert found == ["1", "1-2", "2-3"]


def test_progress_is_told():
    told = []
    score_task(CATS, "chrf", progress=lambda *state: told.append(state))
    assert told == [("scoring systems", done, 4) for done in range(1, 5)]


@pytest.mark.parametrize(
    ("spec", "sizes", "message"),
    [
        ("bleu.free", None, "needs source, not references; more references change nothing"),
        ("ibleu", None, "ibleu needs source and references, and there are no sources"),
        ("ds-bow", None, "not references"),
        ("bleu", [3], "^3 extra references requested; t has from 0 to 2"),
        ("bleu", [-1], "extra references requested"),
        ("bleu", [], "extra references requested"),
    ],
)
def test_what_is_refused(spec, sizes, message):
    with pytest.raises(InputError, match=message):
        score_task(CATS, spec, sizes)


def test_a_metric_of_source_and_references():
    task = EvaluationSet("t", CATS.outputs, CATS.references, ["Eine Katze", "Regen"])
    assert np.isfinite(score_task(task, "ibleu")[1].corpus).all()


def test_several_metrics_are_each_scored_as_alone():
    specs = ["bleu:tokenizer=13a", "chrf", "ned"]
    together = score_task(CATS, specs, [0, 2])
    assert [(scored.metric.spec, scored.extras) for scored in together] == [(spec, n) for spec in specs for n in (0, 2)]
    alone = [scored for spec in specs for scored in score_task(CATS, spec, [0, 2])]
    for one, other in zip(together, alone, strict=True):
        np.testing.assert_array_equal(one.segments, other.segments)
        np.testing.assert_array_equal(one.corpus, other.corpus)
        assert one.signature == other.signature


@pytest.mark.usefixtures("encoder")
def test_what_the_evaluator_warns_of_is_told_here_too():
    """The same Chinese text, the same signature, the same warning."""
    chinese = EvaluationSet("t", {"s": ["怎么提高信用额度"]}, [["如何提升我的信用额度"], ["信用额度怎样才能提高"]])
    scored = score_task(chinese, "bertscore")[-1]
    references = list(zip(*chinese.references, strict=True))
    samples = Samples.of(chinese.references[0], chinese.outputs["s"], references, ["s"])
    whole = evaluate_whole(samples, [parse("bertscore")], empty="worst")
    assert scored.signature == whole.signatures["bertscore"]
    assert sentences(scored.notices) == sentences(whole.notices)
    assert any("unknown" in sentence for sentence in sentences(scored.notices))


def test_systems_are_ranked_from_best_to_worst_in_the_direction_of_the_metric():
    task = EvaluationSet("t", {"bad": ["x y z w"], "good": ["a b c d"]}, [["a b c d"]])
    assert [scored.ranked() for scored in score_task(task, ["bleu", "ter"])] == [[1, 0], [1, 0]]


def test_an_empty_output_is_the_worst_and_a_copy_of_the_reference_is_no_copy_of_a_source():
    task = EvaluationSet("t", {"lazy": ["It rains .", "", ""], "good": ["It rains .", "A cat sat .", "He left ."]}, [
        ["It rains .", "The cat sat .", "He has left ."]
    ])  # fmt: skip
    (scored,) = score_task(task, "ned")
    assert scored.segments[0].tolist() == [0, 1, 1]
    assert scored.corpus[0] > scored.corpus[1]  # a distance: less is better
    assert sentences(scored.notices) == []
