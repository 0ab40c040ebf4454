"""score(), the choice of metrics, and scoring in chunks."""

from __future__ import annotations

import dataclasses
import gc
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paragauge
from paragauge.compute.features import count_copies
from paragauge.compute.workspace import Workspace
from paragauge.errors import InputError
from paragauge.evaluate.drive import score_parts
from paragauge.evaluate.engines.local import Local
from paragauge.evaluate.part import PartScorer, aggregation_of, reference_range, score_part
from paragauge.evaluate.plan import WITH_REFERENCES, WITHOUT_REFERENCES, Part, check_needs, choose, plan
from paragauge.metric import Floats, Metric
from paragauge.metrics import parse
from paragauge.metrics.form.bleu import Bleu
from paragauge.metrics.meaning.bertscore import BertScore
from paragauge.runs.scores import PART, load_scores
from paragauge.runs.store import Parts
from paragauge.tables.notices import Notice, NoticeKind, Notices, sentences
from paragauge.tables.samples import Samples
from paragauge.tables.shared_rows import SharedRows
from paragauge.text.normalize import normalize


def specs(*arguments: object, **options: object) -> list[str]:
    return [metric.spec for metric in choose(*arguments, **options)]


def test_score_is_each_metrics_score():
    columns = {"sources": ["a b c", "d e"], "candidates": ["a c b", "d f"], "references": [["a b"], ["d", "f"]]}
    found = paragauge.score(**columns, metrics=["bleu", "ned.free", parse("chrf++")])
    assert list(found.columns) == ["bleu", "ned.free", "chrf++"]
    for spec in found.columns:
        np.testing.assert_array_equal(found[spec], parse(spec).score(**columns))


def test_score_of_samples():
    samples = Samples.of(["a"], ["b"])
    assert paragauge.score(samples=samples, metrics=["ned.free"])["ned.free"].tolist() == [1.0]


def test_score_of_nothing():
    with pytest.raises(InputError, match=r"candidates .* are needed"):
        paragauge.score(["a"])


def test_a_metric_without_what_it_needs():
    with pytest.raises(
        InputError, match=r"^bleu needs references and no row .*; 'bleu\.free' compares with the source$"
    ):
        paragauge.score(["a"], ["b"], metrics=["bleu"])
    with pytest.raises(InputError, match=r"^ned\.free needs source and no row of the input has any$"):
        paragauge.score([" "], ["b"], [["c"]], metrics=["ned.free"])
    check_needs([Bleu()], [Samples.of(["a"], ["b"]), Samples.of(["a"], ["b"], [["c"]])])  # one chunk has one


def test_what_is_chosen_unless_told():
    assert specs(None, True) == list(WITH_REFERENCES)
    assert specs(None, False) == list(WITHOUT_REFERENCES)
    assert all("references" not in metric.needs for metric in choose(None, False))


def test_settings_go_to_the_metrics_that_have_them():
    assert specs(["bertscore", "bleu", "cosine"], True, layer=4) == ["bertscore:layer=4", "bleu", "cosine:layer=4"]
    assert specs(["bertscore:layer=2", "cosine"], True, layer=4) == ["bertscore:layer=2", "cosine:layer=4"]
    with pytest.raises(InputError, match="none of the metrics has a parameter 'layer'"):
        choose(["bleu"], True, layer=4)
    with pytest.raises(InputError, match=r"layer=0 is out of range"):
        choose(["bertscore"], True, layer=0)


def test_a_metric_named_twice_is_one():
    assert specs(["bleu", "bleu", "bleu:order=4"], True) == ["bleu"]


def test_one_metric_needs_no_list():
    assert specs("bleu", True) == ["bleu"]
    assert specs(Bleu(order=2), True) == ["bleu:order=2"]


def test_the_language_chooses_bleus_tokenizer_and_no_others():
    assert specs(["bleu", "rouge1", "ter"], True, lang="zh") == ["bleu:tokenizer=zh", "rouge1", "ter"]
    assert specs(["bleu"], True, lang="de") == ["bleu:tokenizer=13a"]
    assert specs(["bleu:tokenizer=char"], True, lang="zh") == ["bleu:tokenizer=char"]
    assert specs(["rouge1"], True, lang="zh") == ["rouge1"], "a language is not a setting that must be used"


def test_a_metric_that_breaks_its_contract_is_an_error():
    @dataclass(frozen=True, kw_only=True)
    class Wrong(Metric):
        name: ClassVar[str] = "wrong"
        needs: ClassVar[str] = "source"
        range: ClassVar[tuple[float, float]] = (0.0, 1.0)
        higher_is_better: ClassVar[bool] = True

        def rate(self, samples: Samples, work: Workspace) -> Floats:  # noqa: ARG002
            return np.zeros((len(samples), 2))

    with pytest.raises(InputError, match=r"wrong gave scores of shape \(1, 2\) for 1 rows"):
        score_part(Samples.of(["a"], ["b"]), [Wrong()], {}, Workspace())


def test_reference_range():
    assert (reference_range(1, 1), reference_range(0, 3)) == ("1", "0-3")


def test_repaired_texts_are_warned_of():
    with pytest.warns(UserWarning, match="1 texts held half of a surrogate pair"):
        paragauge.score(["a"], ["\ud800"], metrics=["ned.free"])


def test_an_encoder_that_does_not_know_the_language_is_warned_of(encoder, tmp_path):
    from paragauge.compute.store import FeatureStore

    def score_chinese(work: Workspace) -> None:
        with pytest.warns(UserWarning, match=f"of the tokens are unknown to {encoder.name}"):
            paragauge.score(["你今年多大了？"], ["请问你几岁？"], metrics=["bertscore.free"], work=work)

    for _ in range(2):  # the second time from the store
        work = Workspace(FeatureStore(tmp_path / "features.sqlite"))
        score_chinese(work)
        score_chinese(work)  # and from memory
        work.close()


def test_a_workspace_for_several_tables(encoder):  # noqa: ARG001
    """What one table taught a metric is not used for the next."""
    metric = parse("bertscore.free:idf=yes")
    one = {"sources": ["a cat sat", "a dog sat"], "candidates": ["a cat", "the dog"]}
    other = {"sources": ["a cat", "the cat", "some cat"], "candidates": ["a dog", "a cat", "any cat"]}
    work = Workspace()
    for columns in (one, other):
        found = paragauge.score(**columns, metrics=[metric], work=work)[metric.spec]
        # float32 kernels round differently in batches of another size
        np.testing.assert_allclose(found, metric.score(**columns), rtol=0, atol=1e-5)


CHUNKS = [
    Samples.of([f"source {row}" for row in range(start, start + 3)], [f"candidate {row}" for row in range(3)])
    for start in (0, 3, 6)
]


def kept(folder, metric):
    """The scores of the parts, as they were kept."""
    parts, aggregations = Parts(folder, PART), {metric.spec: aggregation_of(metric)}
    loaded = [load_scores(parts, number, chunk, aggregations) for number, chunk in enumerate(CHUNKS)]
    assert [wrong for _, wrong in loaded] == [[]] * len(CHUNKS)
    return [found for found, _ in loaded]


def test_parts_are_kept_by_number(tmp_path):
    metric = parse("ned.free")
    summary, _ = score_parts(plan(CHUNKS, [metric]), parts=Parts(tmp_path, PART))
    assert (summary.size, summary.chunks) == (9, 3)
    for found, chunk in zip(kept(tmp_path, metric), CHUNKS, strict=True):
        np.testing.assert_array_equal(found[metric.spec], metric.score(chunk))


def test_a_metric_that_learns_sees_all_chunks_before_the_first_is_scored(encoder, tmp_path):  # noqa: ARG001
    """idf over all texts: the scores in chunks are those of one table."""
    metric = BertScore(idf=True, free=True)
    score_parts(plan(CHUNKS, [metric]), parts=Parts(tmp_path, PART))
    columns = [[text for chunk in CHUNKS for text in getattr(chunk, name)] for name in ("sources", "candidates")]
    whole = metric.score(Samples.of(*columns))
    # float32 kernels round differently in batches of another size
    np.testing.assert_allclose(
        np.concatenate([found[metric.spec] for found in kept(tmp_path, metric)]), whole, rtol=0, atol=1e-5
    )
    plain = dataclasses.replace(metric, idf=False).score(Samples.of(*columns))
    assert np.abs(plain - whole).max() > 1e-3


def test_copies_are_counted_by_system_whatever_is_asked_for():
    source = "Zoë is open."
    rows = [
        (source, "a"),
        (source, "b"),
        ("ZOË IS OPEN.", "b"),
        (" zoe\u200b is open . ", "c"),
        ("It is open.", "c"),
        ("", "c"),
    ]
    samples = Samples.of([source] * len(rows), [text for text, _ in rows], systems=[system for _, system in rows])
    empty = Samples.of(["\u200b"], [" "])
    found = score_part(samples + empty, [parse("length-ratio")], {}, Workspace())
    kinds = {NoticeKind.COPIES: "ab", NoticeKind.EDITED_COPIES: "bc"}
    assert found.notices == Notices(Notice(kind, system, 1) for kind, systems in kinds.items() for system in systems)
    edited, exact = sentences(found.notices)
    assert edited.startswith("2 candidates are copies of their source but for case, ")
    assert edited.endswith(" (b: 1, c: 1)")
    assert exact == "2 candidates are exact copies of their source (a: 1, b: 1)"
    assert sentences(found.notices, without=[NoticeKind.COPIES]) == [edited]


@given(
    st.text(st.characters(max_codepoint=127)), st.text(st.sampled_from(" \t\x00etaET,.("), max_size=4), st.integers(0)
)
def test_no_copy_is_passed_over(source, inserted, place):
    for text in (source.upper(), source[: place % 9] + inserted + source[place % 9 :]):
        copied = normalize(source) == normalize(text) != ""
        work = Workspace()
        count_copies(Samples.of([source], [text]), work)
        assert bool(list(work.notices)) == copied


def test_an_edited_copy_is_warned_of_and_an_exact_one_is_in_the_notices():
    with pytest.warns(UserWarning, match="^1 candidate is a copy of its source but for case"):
        paragauge.score(["It is open."], ["IT IS OPEN."], metrics=["ned.free"])
    found = paragauge.score(["a b"], ["a b"], metrics=["ned.free"]).notices
    assert list(found) == [Notice(NoticeKind.COPIES, "candidate", 1)]


def test_normalize_goes_to_every_metric_of_wording():
    assert specs(["pinc", "cosine", "ned.free:normalize=yes"], False, normalize=True) == [
        "pinc:normalize=yes",
        "cosine",
        "ned.free:normalize=yes",
    ]


def test_the_collector_rests_while_a_part_is_scored(monkeypatch):
    enabled = []

    def noted(*arguments):
        enabled.append(gc.isenabled())
        return score_part(*arguments)

    monkeypatch.setattr("paragauge.evaluate.part.score_part", noted)
    assert gc.isenabled()
    PartScorer([parse("bleu.free")], {}, SharedRows())(Part(0, 1, Samples.of(["a b"], ["a c"])))
    assert enabled == [False]
    assert gc.isenabled()


def test_one_part_is_scored_in_this_process_however_many_workers_there_are(monkeypatch):
    def refuse(*_):
        raise AssertionError("a process was started")

    monkeypatch.setattr("paragauge.evaluate.engines.local._Pool", refuse)
    chunk = Samples.of(["a b"], ["a c"])
    assert score_parts(plan([chunk], [parse("ned.free")]), engine=Local(2))[0].size == 1
    with pytest.raises(AssertionError, match="a process was started"):
        score_parts(plan([chunk, chunk], [parse("ned.free")]), engine=Local(2))
