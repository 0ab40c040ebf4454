"""What an encoder gives survives being written down."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from paragauge.models import Encoded

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
