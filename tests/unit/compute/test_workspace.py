"""The workspace: each text once, whichever metric asks, in bounded memory."""

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.compute.store import FeatureStore
from paragauge.compute.workspace import Feature, Stored, Workspace


class Lengths:
    """A cheap feature that counts how often it computed what."""

    def __init__(self, signature: str = "lengths") -> None:
        self.signature = signature
        self.asked: Counter[object] = Counter()
        self.order: list[object] = []

    def compute(self, keys: Sequence[str]) -> Iterator[int]:
        for key in keys:
            self.asked[key] += 1
            self.order.append(key)
            yield len(key)


class Expensive(Lengths):
    """One that is kept on disk; every value takes 1,000 bytes."""

    progress_label = "measuring"

    def size(self, value: int) -> int:  # noqa: ARG002
        return 1_000

    def pack(self, value: int) -> bytes:
        return value.to_bytes(8, "little")

    def unpack(self, data: bytes) -> int:
        return int.from_bytes(data, "little")


def test_the_doubles_are_features():
    cheap: Feature[str, int] = Lengths()
    expensive: Stored = Expensive()
    assert not hasattr(cheap, "unpack")
    assert hasattr(expensive, "unpack")


@given(st.lists(st.lists(st.text(max_size=3), max_size=8), max_size=5), st.sampled_from([Lengths, Expensive]))
def test_each_text_once_whoever_asks(requests, kind):
    work, first, second = Workspace(), kind(), kind()
    for keys in requests:
        assert work.get(first, keys) == [len(key) for key in keys]
        assert work.get(second, keys) == [len(key) for key in keys]
    assert set(first.asked) == {key for keys in requests for key in keys}
    assert all(count == 1 for count in first.asked.values())
    assert not second.asked, "the same signature is the same feature"


def test_another_signature_is_another_feature():
    work, one, other = Workspace(), Lengths("one"), Lengths("other")
    work.get(one, ["a"])
    work.get(other, ["a"])
    assert other.asked == {"a": 1}


def test_the_shortest_are_computed_first_and_pairs_are_sized_by_both_texts():
    feature = Lengths()
    assert Workspace().get(feature, []) == []
    Workspace().get(feature, ["ccc", "a", "bb", "a"])
    assert feature.order == ["a", "bb", "ccc"]
    feature.order.clear()
    Workspace().get(feature, [("aaaa", ""), ("b", "b"), ("", "c")])
    assert feature.order == [("", "c"), ("b", "b"), ("aaaa", "")]


def test_a_feature_that_gives_too_few_values_is_an_error():
    class Short(Lengths):
        def compute(self, keys: Sequence[str]) -> Iterator[int]:
            yield from list(super().compute(keys))[:-1]

    with pytest.raises(ValueError, match="shorter"):
        Workspace().get(Short(), ["a", "b"])


def test_progress_of_what_is_expensive():
    told = []
    work = Workspace(progress=lambda what, done, of: told.append((what, done, of)))
    work.get(Expensive(), ["a", "b", "a"])
    work.get(Expensive(), ["b", "c"])
    work.get(Lengths(), ["a"])
    assert told == [("measuring", 1, 2), ("measuring", 2, 2), ("measuring", 1, 1)]


def test_flush_forgets_what_is_cheap_and_keeps_what_is_expensive():
    work, cheap, expensive = Workspace(), Lengths("cheap"), Expensive("expensive")
    for _ in range(2):
        work.get(cheap, ["a"])
        work.get(expensive, ["a"])
        work.flush()
    assert cheap.asked == {"a": 2}
    assert expensive.asked == {"a": 1}
    assert work.store is None, "within the budget nothing goes to disk"


def test_beyond_the_budget_a_temporary_store_takes_over():
    work, expensive = Workspace(memory=10_000), Expensive()
    keys = [f"{number:03}" for number in range(100)]
    for start in range(0, 100, 5):
        work.get(expensive, keys[start : start + 5])
        work.flush()
        assert sum(work._sizes.values()) <= 10_000
        assert len(work._values[expensive.signature]) == len(work._sizes) <= 10
    assert work.get(expensive, keys) == [3] * 100
    assert all(count == 1 for count in expensive.asked.values()), "what was forgotten came back from disk"
    folder = work.store.path.parent
    assert folder.exists()
    work.close()
    assert not folder.exists()


def test_the_oldest_are_forgotten_first():
    work, expensive = Workspace(memory=3_000), Expensive()
    work.get(expensive, ["a", "b"])
    work.get(expensive, ["c", "d"])
    work.flush()
    assert list(work._values[expensive.signature]) == ["b", "c", "d"]
    work.close()


def test_a_second_workspace_reads_what_the_first_wrote(tmp_path):
    first, second = Expensive(), Expensive()
    work = Workspace(FeatureStore(tmp_path / "store.sqlite"))
    work.get(first, ["a", "bb"])
    work.close()
    work = Workspace(FeatureStore(tmp_path / "store.sqlite"))
    assert work.get(second, ["bb", "ccc", "a"]) == [2, 3, 1]
    assert second.asked == {"ccc": 1}
    work.close()


def test_nothing_is_written_before_the_chunk_is_done_and_nothing_cheap_at_all(tmp_path):
    """An interrupted chunk leaves no trace: it will be computed again in the same batches, to the same bits."""
    store = FeatureStore(tmp_path / "store.sqlite")
    work = Workspace(store)
    work.get(Expensive(), ["a"])
    work.get(Lengths(), ["a", "b"])
    assert len(store) == 0
    work.flush()
    assert len(store) == 1
    work.close()


def test_a_damaged_entry_is_computed_again(tmp_path):
    path = tmp_path / "store.sqlite"
    work = Workspace(FeatureStore(path))
    work.get(Expensive(), ["a", "b"])
    work.flush()
    work.store._connection.execute("UPDATE entry SET value = x'0000' WHERE rowid = 1")
    work.close()
    again = Expensive()
    work = Workspace(FeatureStore(path))
    assert work.get(again, ["a", "b"]) == [1, 1]
    assert again.asked == {"a": 1}
    work.close()
