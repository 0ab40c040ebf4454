"""Labels of one reader for another: half on unlabelled pairs, in probabilities, and resumed where they were stopped."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from paragauge.models.pairs.reader import Reading
from paragauge_research.training.pairs import soft
from paragauge_research.training.pairs.configuration import Configuration
from paragauge_research.training.pairs.rows import Row


class Reader:
    """Says of every pair what its texts' lengths are."""

    def __init__(self, most: int = 10**9) -> None:
        self.most = most

    def read(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Reading]:
        for source, candidate in pairs:
            if self.most == 0:
                raise KeyboardInterrupt
            self.most -= 1
            yield Reading(0.0, float(len(source)), -float(len(candidate)), (), 1, 0, 0)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setattr(soft, "read_pools", lambda *_: None)
    monkeypatch.setattr(soft, "batch_at", lambda *given: [Row(f"drawn {given[-1]}", "x")])
    monkeypatch.setattr(soft, "unlabelled", lambda *_: ((f"found {number}", "y") for number in range(10**6)))
    monkeypatch.setattr(soft, "reserved_sentences", lambda _: frozenset())
    monkeypatch.setattr(soft, "_PART", 4)

    def write(name: str, reader: Reader, count: int) -> list[dict[str, Any]]:
        configuration = Configuration(data_folder=tmp_path, sets={})
        file = tmp_path / name
        soft.write_soft_labels(configuration, tmp_path, tmp_path, reader, file, count, lambda _: None)  # type: ignore[arg-type]
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()]

    return write


def test_half_are_unlabelled_and_all_have_probabilities(asked: Any) -> None:
    rows = asked("whole", Reader(), 10)
    assert len(rows) == 10
    assert sum(row["source"].startswith("found") for row in rows) == 5
    assert all(row["forward"] == 0.5 and 0.9 < row["backward"] <= 1 and row["fluent"] < 0.5 for row in rows)


def test_a_stopped_run_ends_with_the_same_pairs(asked: Any) -> None:
    whole = asked("whole", Reader(), 10)
    with pytest.raises(KeyboardInterrupt):
        asked("stopped", Reader(6), 10)
    assert asked("stopped", Reader(), 10) == whole


def test_texts_of_a_group_go_with_those_that_share_most_words() -> None:
    groups = {"card": ["is my card here", "where is my card", "lost money", "is my card there"]}
    found = dict(islice(soft._alike(groups, 1), 3))
    assert found["is my card here"] in ("is my card there", "where is my card")
    assert found["lost money"] in groups["card"]
