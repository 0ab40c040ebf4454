"""The model that reads both texts: its marks, and how a reading is kept."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import ModelError
from paragauge.models.pairs.pair_model import Cut
from paragauge.models.pairs.reader import (
    FOLDER,
    KINDS,
    SETTINGS,
    Mark,
    Reading,
    _marks,
    load_reader,
    read_settings,
    reader_of,
)

LOGITS = st.floats(-50, 50)
MARKS = st.builds(
    Mark,
    st.integers(0, 1),
    st.integers(0, 1000),
    st.integers(0, 1000),
    st.integers(1, len(KINDS) - 1),
    st.floats(0, 1, width=32),
)


@given(st.tuples(LOGITS, LOGITS, LOGITS), st.lists(MARKS, max_size=4), st.tuples(*[st.integers(0, 999)] * 3))
def test_a_reading_is_kept_exactly(
    logits: tuple[float, float, float], marks: list[Mark], counts: tuple[int, int, int]
) -> None:
    reading = Reading(*logits, tuple(marks), *counts)
    assert Reading.unpack(reading.pack()) == reading


def cut(offsets: list[tuple[int, int]], owners: list[int | None]) -> Cut:
    return Cut([1] * len(owners), [0] * len(owners), owners, offsets, 0, False)


def shares(kinds: list[tuple[int, float]]) -> np.ndarray:
    """Probabilities in which each piece is of a kind with this one, and else kept."""
    found = np.zeros((len(kinds), len(KINDS)), np.float32)
    for place, (kind, probability) in enumerate(kinds):
        found[place, 0] = 1 - probability
        found[place, kind] += probability
    return found


def test_pieces_of_a_word_are_marked_together_and_words_of_a_kind_as_one_run() -> None:
    # "[CLS] he sold 1.7 old cars [SEP] he sold it [SEP]": 1.7 is three pieces, one of which is marked
    words = [(0, 0), (0, 2), (3, 7)]
    pieces = cut(
        [*words, (8, 9), (9, 10), (10, 11), (12, 15), (16, 20), *words, (8, 10), (0, 0)],
        [None, 0, 0, 0, 0, 0, 0, 0, None, 1, 1, 1, None],
    )
    number, dropped, name = (KINDS.index(kind) for kind in ("number", "dropped", "name"))
    quiet = (number, 0.1)
    found = _marks(
        pieces,
        shares(
            [
                *[quiet] * 3, quiet, (number, 0.9), quiet, (dropped, 0.6), (dropped, 0.75), (name, 0.99),
                quiet, quiet, (name, 0.51), quiet,
            ]
        ),
    )  # fmt: skip
    assert [mark._replace(probability=round(mark.probability, 2)) for mark in found] == [
        Mark(0, 8, 11, number, 0.9),
        Mark(0, 12, 20, dropped, 0.75),
        Mark(1, 8, 10, name, 0.51),
    ]


def test_the_weights_are_those_that_were_chosen() -> None:
    settings = read_settings()
    for name, reader in settings["readers"].items():
        assert (FOLDER / f"{name}.safetensors").stat().st_size < 12_000_000
        assert reader_of(reader["base_sha256"]) == name
        assert {"blend", "lost", "broken", "limit"} <= set(reader)
    assert reader_of("another") is None


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    settings = {"readers": {"all-MiniLM-L6-v2": {"base": "all-MiniLM-L6-v2", "sha256": "0" * 64, "limit": 192}}}
    (tmp_path / SETTINGS).write_text(json.dumps(settings), "utf-8")
    with pytest.raises(ModelError, match="is damaged"):
        load_reader("all-MiniLM-L6-v2", folder=tmp_path)
    with pytest.raises(ModelError, match="does not hold the weights"):
        load_reader("all-MiniLM-L6-v2", folder=tmp_path / "nowhere")
