"""Batches: equally long, a function of the texts alone, few at a time, and back in order."""

import json
import random
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from paragauge.models import Encoded
from paragauge.models.encoders.run import BatchedEncoder, Hidden, Settings
from paragauge.models.encoders.tokenize import Tokenize, read_tokenizer
from paragauge.models.hub.locate import ModelFiles

from ..conftest import make_model

CONFIG = {"num_hidden_layers": 1}


class Counting(BatchedEncoder):
    """A model whose hidden state of a token is its id, and which remembers what it was asked."""

    def __init__(self, tokenize: Tokenize, workers: int = 2, folder: Path = Path("counting")) -> None:
        model = ModelFiles("counting", folder, CONFIG, (), "0" * 64, "0" * 64)
        super().__init__(model, Settings(1), tokenize, workers, "test")
        self.batches: list[list[list[int]]] = []
        self._lock = threading.Lock()

    def hidden(self, inputs: NDArray[np.int32]) -> Hidden:
        with self._lock:
            self.batches.append(inputs.tolist())
        return np.stack([inputs, np.ones_like(inputs)], axis=-1).astype(np.float32)


@pytest.fixture(scope="module")
def tokenize(tmp_path_factory: pytest.TempPathFactory) -> Tokenize:
    return Tokenize(read_tokenizer(make_model(tmp_path_factory.mktemp("models") / "bert", "bert")), 512)


def some_texts(count: int, longest: int) -> list[str]:
    chance = random.Random(0)
    return [" ".join(chance.choices("abcdef", k=chance.randint(0, longest))) for _ in range(count)]


def test_batches_are_equally_long_bounded_and_always_the_same(tokenize: Tokenize) -> None:
    texts = some_texts(3000, 60)
    runs = []
    for _ in range(2):
        encoder = Counting(tokenize)
        assert [item.ids.tolist() for item in encoder.encode(texts)] == encoder.ids(texts)
        runs.append(sorted(encoder.batches))
        for batch in encoder.batches:
            assert len({len(ids) for ids in batch}) == 1
            assert len(batch) * len(batch[0]) <= 1024
    assert runs[0] == runs[1]


def test_few_batches_are_under_way(tokenize: Tokenize) -> None:
    encoder = Counting(tokenize, workers=2)
    arriving = encoder.encode(["a " * 510] * 200)  # two texts fill a batch
    next(arriving)
    assert len(encoder.batches) <= 6  # twice the workers wait, one was given, one was just begun
    arriving.close()
    assert len(encoder.batches) <= 6


def test_the_model_is_never_called_with_nothing(tokenize: Tokenize) -> None:
    encoder = Counting(tokenize)
    assert list(encoder.encode([])) == []
    assert encoder.batches == []


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_pooling_comes_from_the_folder(tokenize: Tokenize, pooling: str, tmp_path: Path) -> None:
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": pooling == "cls"}))
    (encoded,) = Counting(tokenize, folder=tmp_path).encode(["a b"])
    # ids 2 4 5 3, so the states are (2, 1) (4, 1) (5, 1) (3, 1): their mean is (3.5, 1), the first is (2, 1)
    expected = np.array([3.5, 1] if pooling == "mean" else [2, 1])
    assert encoded.sentence == pytest.approx(expected / np.linalg.norm(expected))
    assert encoded.vectors[1] == pytest.approx(np.array([4, 1]) / np.sqrt(17))


def test_an_error_of_the_model_reaches_the_caller(tokenize: Tokenize) -> None:
    class Failing(Counting):
        def hidden(self, inputs: NDArray[np.int32]) -> Hidden:
            if len(self.batches) == 3:
                raise RuntimeError("out of memory")
            return super().hidden(inputs)

    with pytest.raises(RuntimeError, match="out of memory"):
        list(Failing(tokenize).encode(some_texts(3000, 60)))


floats = st.floats(width=32, allow_nan=False)
counts = st.integers(0, 2**32 - 1)


@st.composite
def encoded(draw: st.DrawFn) -> Encoded:
    tokens, dimension = draw(st.integers(0, 5)), draw(st.integers(1, 4))
    return Encoded(
        draw(arrays(np.int32, tokens)),
        draw(arrays(np.float32, (tokens, dimension), elements=floats)),
        draw(arrays(np.float32, dimension, elements=floats)),
        draw(counts),
        draw(counts),
    )


@given(encoded())
def test_bytes_hold_everything_exactly(value: Encoded) -> None:
    again = Encoded.unpack(value.pack())
    for before, after in zip(value, again, strict=True):
        assert np.array_equal(before, after)
    assert again.vectors.dtype == np.float32
    assert again.ids.dtype == np.int32


def test_bytes_are_compact_and_not_copied() -> None:
    value = Encoded(np.arange(3, dtype=np.int32), np.ones((3, 4), np.float32), np.ones(4, np.float32), 1, 2)
    data = value.pack()
    assert len(data) == 16 + 4 * (3 + 4 + 12)
    assert np.shares_memory(Encoded.unpack(data).vectors, np.frombuffer(data, np.uint8))
