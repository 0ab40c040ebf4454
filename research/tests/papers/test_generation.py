"""The table of generators: every one has a row, and what cannot run says why."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from paragauge_research.papers import names, paper
from paragauge_research.papers.bawden2020_generation import table
from paragauge_research.papers.cells import WEIGHTS, Cell


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three tiny test parts."""
    pairs = [("The old man walked home.", "The aged man went home."), ("A big dog barked.", "A large dog was barking.")]
    quora = tmp_path / "pairs" / "quora"
    quora.mkdir(parents=True)
    (quora / "test.txt").write_text("".join(f"{one}\n" for one, _ in pairs), "utf-8")
    (quora / "test_2.txt").write_text("".join(f"{other}\n" for _, other in pairs), "utf-8")
    for name in ("parabk2", "mscoco"):
        place = tmp_path / "pairs" / "qcpg" / name
        place.mkdir(parents=True)
        lines = "source,target\n" + "".join(f"{one},{other}\n" for one, other in pairs)
        (place / "test.csv.gz").write_bytes(gzip.compress(lines.encode()))
    return tmp_path


def reproduced(data: Path, monkeypatch: pytest.MonkeyPatch, **methods: str) -> list[Cell]:
    monkeypatch.setattr(table, "METHODS", methods)
    monkeypatch.setattr(table, "PRINTED_ORDER", tuple(methods))
    monkeypatch.setattr(table, "COLUMNS", {"iBLEU": "ibleu", "DS-BOW": "ds-bow", "DS-tree": "chrf"})
    return paper("bawden2020-generation").reproduce(data)


def test_it_is_a_paper_by_name() -> None:
    assert "bawden2020-generation" in names()


def test_every_generator_has_every_column(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = reproduced(data, monkeypatch, swap="wordnet-swap")
    own = {(one.row, one.column): one.corrected for one in cells if one.table == "MSCOCO"}
    assert {row for row, _ in own} == {table.COPY, "swap", table.HUMAN}
    assert {column for _, column in own} == {"iBLEU", "DS-BOW", "DS-tree", table.COPIES, table.SECONDS, table.SOURCES}
    assert own[table.COPY, table.COPIES] == 1
    assert own[table.HUMAN, table.COPIES] == 0
    assert own[table.COPY, "DS-BOW"] is None  # one candidate is not a set
    assert own["swap", table.SOURCES] == 2


def test_a_reference_is_not_scored_against_itself(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = {one.row: one for one in reproduced(data, monkeypatch) if (one.table, one.column) == ("Quora", "iBLEU")}
    assert own[table.COPY].corrected is not None
    assert own[table.HUMAN].corrected is None  # each source has one
    assert own[table.HUMAN].why == "ibleu: no source has two different references"
    quora = data / "pairs" / "quora"
    for name, line in (("test.txt", "A big dog barked."), ("test_2.txt", "There was a huge dog barking.")):
        with (quora / name).open("a", encoding="utf-8") as stream:
            stream.write(f"{line}\n")
    own = {one.row: one for one in reproduced(data, monkeypatch) if (one.table, one.column) == ("Quora", "iBLEU")}
    assert own[table.HUMAN].corrected < 60  # two texts of one source, each next to the other; next to itself it is 70


def test_a_row_of_word_swaps_is_of_one_neighbour(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "ONE", ("swap",))
    own = {one.column: one.corrected for one in reproduced(data, monkeypatch, swap="wordnet-swap") if one.row == "swap"}
    assert own["DS-BOW"] is None  # one candidate is not a set


def test_a_slow_generator_gets_fewer_sources(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "FEWER", {"swap": 1})
    cells = reproduced(data, monkeypatch, swap="wordnet-swap")
    sources = {one.row: one.corrected for one in cells if one.table == "Quora" and one.column == table.SOURCES}
    assert sources == {table.COPY: 2, "swap": 1, table.HUMAN: 2}


def test_what_cannot_run_says_why(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = reproduced(data, monkeypatch, beam=f"beam:model={data / 'no-model'}")
    reasons = {one.why for one in cells if one.table == "Quora" and one.row == "beam"}
    assert len(reasons) == 1
    assert "no-model" in reasons.pop()
    order = [one for one in cells if one.table == table.ORDER]
    assert order
    assert all(one.corrected is None for one in order)


def test_the_order_of_diversity_is_that_of_the_numbers(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = reproduced(data, monkeypatch, beam="wordnet-swap", sampled="wordnet-swap")
    places = {one.column: one for one in cells if one.table == table.ORDER and one.row == "Quora, DS-BOW"}
    assert [one.corrected for one in places.values()] == [1.5, 1.5]  # the same method ties
    assert places["beam"].printed == "2"
    assert places["beam"].cause == WEIGHTS


def test_a_text_that_two_codes_give_counts_twice_in_diversity(data: Path, monkeypatch, small_models, tmp_path) -> None:
    from paragauge.paraphrasers import parse
    from paragauge.paraphrasers.beam import Beam

    folder = small_models.make_seq2seq(tmp_path / "bart", "bart", seed=1)
    own = Beam.decode
    monkeypatch.setattr(Beam, "decode", lambda self, *given: ([one[0]] * 5 for one in own(self, *given)))
    cells = reproduced(data, monkeypatch, beam=f"beam:model={folder},longest=6")
    found = {(one.row, one.column): one.corrected for one in cells if one.table == "Quora"}
    (candidates,) = parse(f"beam:model={folder},longest=6").generate(["A big dog barked."], 5)
    assert len(candidates) == 1
    assert found["beam", "DS-BOW"] is not None  # as it would be of one candidate


def test_test_parts_that_are_not_there_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARAGAUGE_DATA", raising=False)
    with pytest.raises(Exception, match=r"pairs/quora/test\.txt"):
        paper("bawden2020-generation").reproduce(tmp_path)
