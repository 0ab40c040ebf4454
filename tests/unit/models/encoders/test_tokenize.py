"""Texts within the limit: cut off with their special tokens kept, or laid out in windows that lose nothing."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from paragauge.errors import ModelError
from paragauge.models import load_encoder
from paragauge.models.encoders.tokenize import Tokenize, read_tokenizer

from ..conftest import make_model


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return read_tokenizer(make_model(tmp_path_factory.mktemp("models") / "bert", "bert"))


def test_settings_of_the_file_are_not_taken_over(tokenizer: Tokenizer) -> None:
    (pieces,) = Tokenize(tokenizer, 40).pieces(["abcdefghij"])
    assert len(pieces.inputs[0]) == 12  # neither cut to 5 nor filled up


def test_special_tokens_are_found(tokenizer: Tokenizer) -> None:
    tokenize = Tokenize(tokenizer, 40)
    assert tokenize.special_ids == {2, 3}
    assert (tokenize.before, tokenize.after) == (1, 1)


def test_text_is_stripped_and_empty_text_is_its_special_tokens(tokenizer: Tokenizer) -> None:
    pieces = list(Tokenize(tokenizer, 40).pieces(["", " \n\t", " ab ", "ab"]))
    assert pieces[0].inputs == pieces[1].inputs == [[2, 3]]
    assert pieces[2] == pieces[3]


def test_cut_off_tokens_are_counted_and_the_last_special_token_stays(tokenizer: Tokenizer) -> None:
    (pieces,) = Tokenize(tokenizer, 6).pieces(["a b c d e f g é"])
    assert pieces.inputs == [[2, 4, 5, 6, 7, 3]]
    assert pieces.truncated == 4
    assert pieces.unknown == 0  # the unknown token was cut off


def test_unknown_tokens_are_counted(tokenizer: Tokenizer) -> None:
    (pieces,) = Tokenize(tokenizer, 40).pieces(["é a 漢 字"])
    assert pieces.unknown == 3


def test_what_unknown_tokens_stand_for(tokenizer: Tokenizer) -> None:
    tokenize = Tokenize(tokenizer, 4)
    assert list(tokenize.unknown([" é a 漢 字 ", "a", ""])) == [["é", "漢", "字"], [], []]


@given(length=st.integers(0, 200), limit=st.integers(3, 50))
def test_windows_hold_every_token_once_in_order(tokenizer: Tokenizer, length: int, limit: int) -> None:
    text = " ".join("abcdefghijklmnopqrstuvwxyz"[number % 26] for number in range(length))
    (pieces,) = Tokenize(tokenizer, limit, windows=True).pieces([text])
    assert pieces.ids() == tokenizer.encode(text).ids
    assert all(len(ids) <= limit for ids in pieces.inputs)
    assert all(ids[0] == 2 and ids[-1] == 3 for ids in pieces.inputs)
    assert pieces.truncated == 0
    if len(pieces.inputs) > 1:  # all full, and none keeps nothing
        assert {len(ids) for ids in pieces.inputs} == {limit}
        assert all(ids[kept] for ids, kept in zip(pieces.inputs, pieces.kept, strict=True))


def test_a_byte_level_tokenizer_treats_the_first_word_as_any_other() -> None:
    tokenizer = Tokenizer(models.BPE({"<s>": 0, "</s>": 1, "Ġ": 2, "a": 3, "Ġa": 4}, [("Ġ", "a")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.add_special_tokens(["<s>", "</s>"])
    tokenizer.post_processor = processors.BertProcessing(("</s>", 1), ("<s>", 0))
    (pieces,) = Tokenize(tokenizer, 10).pieces(["a a"])
    assert pieces.inputs == [[0, 4, 4, 1]]


def test_a_tokenizer_without_special_tokens_is_refused() -> None:
    with pytest.raises(ModelError, match="no special token"):
        Tokenize(Tokenizer(models.WordLevel({"a": 0}, "a")), 10)


@pytest.mark.parametrize(("said", "limit"), [(20, 20), (100, 40), (10**30, 40), (None, 40), (0, 40)])
def test_the_limit_is_the_smaller_sane_one(
    said: int | None, limit: int, small_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "cache"))
    folder = small_model("bert")
    (folder / "tokenizer_config.json").write_text(f'{{"model_max_length": {"null" if said is None else said}}}')
    assert load_encoder(str(folder)).limit == limit


def test_windows_and_truncation_agree_where_the_text_is_short_and_differ_where_it_is_long(
    small_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "cache"))
    folder = str(small_model("mpnet"))
    texts = ["a b c", "a b c d e f g h " * 20]
    cut = list(load_encoder(folder, long="truncate").encode(texts))
    laid = list(load_encoder(folder, long="window").encode(texts))
    assert np.array_equal(cut[0].vectors, laid[0].vectors)
    assert (len(cut[1].ids), cut[1].truncated) == (38, 162 - 38)  # 40 positions, two of them reserved
    assert (len(laid[1].ids), laid[1].truncated) == (162, 0)
    assert laid[1].vectors.shape == (162, 16)
    # the first window is the cut text, computed in a batch of another size, which rounds differently
    assert np.abs(laid[1].vectors[:20] - cut[1].vectors[:20]).max() < 1e-5
    assert np.allclose(np.linalg.norm(laid[1].sentence), 1)
