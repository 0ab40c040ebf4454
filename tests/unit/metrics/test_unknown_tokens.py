"""Tokens outside the encoder's vocabulary: one token for all of them, or as many as there are texts."""

from pathlib import Path

import numpy as np
import pytest

from paragauge.compute.store import FeatureStore
from paragauge.compute.workspace import Workspace
from paragauge.evaluate.api import evaluate_whole
from paragauge.evaluate.part import aggregation_of, score_part
from paragauge.metric import Floats
from paragauge.metrics import parse
from paragauge.models import Encoded, match_pairs
from paragauge.models.encoders.matching import Spelled
from paragauge.tables.samples import Samples
from paragauge.tables.scores import Scores

SOURCES = ["I love 🦄", "I love 🦄", "I love 🦄", "I love cats"]
CANDIDATES = ["I love 🍕", "I love 🦄", "I love dogs", "I love dogs"]
FLOAT32 = 1e-5  # kernels round differently in batches of another size


def rated(spec: str, work: Workspace | None = None) -> Floats:
    return parse(spec).score(Samples.of(SOURCES, CANDIDATES, [[text] for text in SOURCES]), work)


@pytest.mark.usefixtures("encoder")
@pytest.mark.parametrize("spec", ["bertscore", "bertscore.free", "parascore", "parascore-free", "bert-ibleu"])
def test_two_unknown_tokens_match_only_where_their_text_is_equal(spec):
    published, surface = rated(spec), rated(f"{spec}:unknown=surface")
    assert surface[0] < published[0] - 0.1
    np.testing.assert_allclose(surface[1:], published[1:], atol=FLOAT32)


@pytest.mark.usefixtures("encoder")
def test_by_default_they_are_the_same_token_as_in_bert_score():
    assert rated("bertscore.free")[0] == pytest.approx(1, abs=FLOAT32)


@pytest.mark.usefixtures("encoder")
def test_moverscore():
    pytest.importorskip("ot", reason="needs the extra `transport`")
    published, surface = rated("moverscore.free"), rated("moverscore.free:unknown=surface")
    assert published[0] == pytest.approx(1, abs=FLOAT32)
    assert surface[0] < 0.8
    np.testing.assert_allclose(surface[1:], published[1:], atol=FLOAT32)


@pytest.mark.usefixtures("encoder")
def test_idf_and_windows():
    metric = parse("bertscore:unknown=surface,idf=yes,long=window")
    texts = ["I love 🦄", "she saw snow", "we eat"]
    scores = metric.score(
        sources=texts, candidates=["I love 🍕", "she saw snow", "we eat"], references=[[t] for t in texts]
    )
    assert scores[0] < 0.9
    assert scores[1] == pytest.approx(1, abs=FLOAT32)


@pytest.mark.usefixtures("encoder")
def test_neither_memory_nor_disk_mixes_the_two(tmp_path: Path):
    specs = ["bertscore.free", "bertscore.free:unknown=surface"]
    expected = [rated(spec) for spec in specs]
    for order in (specs, specs[::-1]):
        work = Workspace(FeatureStore(tmp_path / "features.sqlite"))
        for spec in [*order, *order]:
            np.testing.assert_allclose(rated(spec, work), expected[specs.index(spec)], atol=FLOAT32)
        work.close()


@pytest.mark.usefixtures("encoder")
def test_rows_with_unknown_tokens_carry_a_note():
    samples = Samples.of(SOURCES, CANDIDATES)
    metrics = [parse("bertscore.free"), parse("ned.free")]
    found = evaluate_whole(samples, metrics, cache=False)
    notes = [
        "tokens: 1 unknown in the candidate, 1 unknown in the source",
        "tokens: 1 unknown in the candidate, 1 unknown in the source",
        "tokens: 1 unknown in the source",
        None,
    ]
    assert found.frame["note"].to_list() == [note for own in notes for note in (own, None)]
    aggregations = {metric.spec: aggregation_of(metric) for metric in metrics}
    again = Scores.from_stored(samples, found.stored(), aggregations, {})
    assert again.frame.equals(found.frame)


@pytest.mark.usefixtures("encoder")
def test_rows_that_are_cut_off_carry_a_note_in_every_chunk():
    long = Samples.of(["go home " * 400], ["go home"])
    work = Workspace()
    for _ in range(2):
        (note,) = score_part(long, [parse("cosine.free")], {}, work).frame["note"]
        assert note.startswith("tokens: ")
        assert note.endswith(" cut off in the source")
        work.flush()


def test_matching_against_a_slow_oracle():
    generator = np.random.default_rng(0)

    def made(ids: list[int]) -> Encoded:
        vectors = generator.normal(size=(len(ids), 4)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return Encoded(np.array(ids, np.int32), vectors, vectors[0], ids.count(9), 0)

    one, two = made([0, 9, 5, 9, 1]), made([0, 9, 9, 6, 1])
    spelled = Spelled(np.array([1, 3]), np.array(["🦄", "b"])), Spelled(np.array([1, 2]), np.array(["c", "🦄"]))
    cosines = (one.vectors @ two.vectors.T).astype(float)
    for row, text in ((1, "🦄"), (3, "b")):
        for column, other in ((1, "c"), (2, "🦄")):
            if text != other:
                cosines[row, column] = min(cosines[row, column], 0)
    precision, recall = cosines[1:4].max(axis=1).mean(), cosines[:, 1:4].max(axis=0).mean()
    found = match_pairs([one], [two], {0, 1}, spelled=([spelled[0]], [spelled[1]]))[0]
    assert found[:2].tolist() == pytest.approx([precision, recall], abs=1e-6)
