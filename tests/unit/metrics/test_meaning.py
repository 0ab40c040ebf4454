"""`meaning`, with the weights that come along."""

import hashlib
import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paragauge as pg
from paragauge.compute.workspace import Workspace
from paragauge.metrics.meaning.meaning import Meaning
from paragauge.metrics.shared.evidence import EVIDENCE, NEAR, crossed, evidence
from paragauge.models.encoders.encoder import Encoder
from paragauge.models.pairs.reader import FOLDER, SETTINGS

PAIRS = [
    ("How old are you?", "What is your age?"),
    ("How old are you?", "How old are you?"),
    ("How old are you?", "The train to Oslo leaves at nine."),
    ("He sold 7 cars.", "He sold 9 cars."),
    ("He sold 7 cars.", "7 cars were sold by him."),
]


@pytest.fixture(scope="module")
def scores(encoder: Encoder) -> np.ndarray:
    assert encoder.name == "all-MiniLM-L6-v2"
    return of(PAIRS)


def of(pairs: list[tuple[str, str]], **parameters: str) -> np.ndarray:
    return Meaning(**parameters).score(
        sources=[one for one, _ in pairs], candidates=[other for _, other in pairs], references=[["x"]] * len(pairs)
    )


def test_the_weights_are_those_that_were_chosen() -> None:
    settings = json.loads((FOLDER / SETTINGS).read_text("utf-8"))
    for name, reader in settings["readers"].items():
        assert hashlib.sha256((FOLDER / f"{name}.safetensors").read_bytes()).hexdigest() == reader["sha256"]
        assert tuple(reader["blend"]) == (*EVIDENCE, "offset")
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 15_000_000


def test_what_means_the_same_scores_higher(scores: np.ndarray) -> None:
    paraphrase, copy, other, changed, passive = scores
    assert 0 <= other < paraphrase < copy == 1
    assert changed < passive < copy


def test_a_copy_with_an_emoji_is_a_copy(encoder: Encoder) -> None:  # noqa: ARG001
    assert of([("How old are you?", "how old are you 🎂")]).tolist() == [1.0]


def test_an_added_negation_is_seen(encoder: Encoder) -> None:  # noqa: ARG001
    kept, negated = of(
        [
            ("The shop is open today.", "Today the shop is open."),
            ("The shop is open today.", "The shop is not open today."),
        ]
    )
    assert negated < kept


def test_both_texts_are_read_together_in_both_directions(encoder: Encoder) -> None:  # noqa: ARG001
    pairs = [(candidate, source) for source, candidate in PAIRS]
    metric = Meaning()
    known = dict(zip(EVIDENCE, evidence(metric, pairs, metric.reader(), Workspace()).T, strict=True))
    changed = pg.metrics.Changed().score(sources=[one for one, _ in PAIRS], candidates=[other for _, other in PAIRS])
    assert np.allclose(known["near"], np.clip(1 - changed / NEAR, 0, 1))
    assert np.array_equal(known["weaker"], np.minimum(known["forward"], known["backward"]))
    assert (np.abs(known["weaker"]) < 1).all()


def test_each_kind_of_loss_is_evidence_of_its_own(encoder: Encoder) -> None:  # noqa: ARG001
    source = "Anna sold 7 cars in May, and Tom did not mind."
    candidates = [
        "Anna sold 9 cars in May, and Tom did not mind.",
        "Anna sold 7 cars in May, and Tom did mind.",
        "In May, 7 cars were sold by Anna, and Tom did not mind.",
    ]
    known = evidence(Meaning(), [(text, source) for text in candidates], Meaning().reader(), Workspace())
    places = {name: EVIDENCE.index(name) for name in ("near", "lost", "lost_number", "lost_negation")}
    columns = {name: known[:, place].tolist() for name, place in places.items()}
    assert columns["lost_number"] == [1, 0, 0]
    assert columns["lost_negation"] == [0, 1, 0]
    assert columns["lost"] == [*columns["near"][:2], 0]


def test_drawn_out_letters_are_read_as_the_word(encoder: Encoder) -> None:  # noqa: ARG001
    source = "That video is so cute."
    pairs = [("Omg this clip is sooooo cuuuute!", source), ("Omg this clip is soo cuute!", source)]
    drawn_out, written = evidence(Meaning(), pairs, Meaning().reader(), Workspace())[:, :3]
    assert EVIDENCE[:3] == ("frozen", "recall", "cosine")  # the model that reads both texts reads them as they are
    assert drawn_out == pytest.approx(written, abs=1e-5)  # float32 sums


def test_rows_do_not_depend_on_each_other(scores: np.ndarray) -> None:
    alone = np.concatenate([of([pair]) for pair in PAIRS])
    assert np.abs(scores - alone).max() < 1e-5  # float32 sums of another batch


def test_references_count_where_they_are_asked_for(encoder: Encoder) -> None:  # noqa: ARG001
    columns = {
        "sources": ["Trains stopped."],
        "candidates": ["What is your age?"],
        "references": [["Age?", "How old are you?"]],
    }
    source, references, both = (Meaning(against=name).score(**columns)[0] for name in ("source", "references", "both"))
    assert source < references
    assert both == pytest.approx(references, abs=1e-6)  # float32 sums of another batch


def test_an_empty_text_has_no_score(encoder: Encoder) -> None:  # noqa: ARG001
    assert np.isnan(of([("", "What is your age?"), ("How old are you?", "")])).all()


def test_another_encoder_is_not_calibrated(encoder: Encoder) -> None:  # noqa: ARG001
    metric = Meaning(layer=3)
    assert Meaning().calibrated
    assert not metric.calibrated
    assert "calibrated:no" in metric.signature()
    found = of(PAIRS, layer=3)  # type: ignore[arg-type]
    frozen = pg.metrics.BertScore(layer=3, free=True).score(
        sources=[one for one, _ in PAIRS], candidates=[other for _, other in PAIRS]
    )
    assert np.array_equal(found, np.maximum(frozen, 0))


WORDS = ["ann", "paid", "bob", "today", "because", "rain", "fell", "early"]


def slow(order: list[int]) -> float:
    """Turned pairs that are left when the best run of words is taken out, of all pairs."""
    pairs = list(combinations(range(len(order)), 2))
    turned = [(one, other) for one, other in pairs if order[one] > order[other]]
    left = min(
        sum((start <= one < end) == (start <= other < end) for one, other in turned)
        for start in range(len(order))
        for end in range(start, len(order) + 1)
    )
    return left / len(pairs)


@given(st.permutations(range(len(WORDS))))
def test_every_run_of_words_may_have_been_moved(places: list[int]) -> None:
    candidate = " ".join(WORDS[place] for place in places)
    order = [places.index(place) for place in range(len(WORDS))]
    assert crossed(" ".join(WORDS), candidate) == pytest.approx(slow(order), abs=1e-12)


@pytest.mark.parametrize(
    ("source", "candidate"),
    [
        ("The shop opened in May 1990.", "In May 1990 the shop opened."),
        ("He met Ann, Bob and Carol there.", "He met Carol, Bob and Ann there."),
        ("Is it safe or risky?", "Is it risky or safe?"),
        ("Rain fell.", "Fell rain."),
        ("", "word"),
    ],
)
def test_what_only_moved_is_not_exchanged(source: str, candidate: str) -> None:
    assert crossed(source, candidate) == 0


def test_what_was_exchanged() -> None:
    assert crossed("The cat chased a dog.", "The dog chased a cat.") > 0
    # of the 15 pairs of six words three are turned (Oslo, to, Rome), and the move of Oslo explains two
    assert crossed("Flights from Oslo to Rome stopped", "Flights from Rome to Oslo stopped") == pytest.approx(1 / 15)
