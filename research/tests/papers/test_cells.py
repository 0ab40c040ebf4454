"""A printed number next to a computed one: when they agree, and the cause where they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from paragauge.errors import InputError
from paragauge_research import papers
from paragauge_research.papers import Paper, Request, covers, names, paper
from paragauge_research.papers.cells import (
    FAULT,
    SAME,
    UNCOMPUTED,
    UNEXPLAINED,
    UNPRINTED,
    WEIGHTS,
    Computed,
    agrees,
    beside,
    cell,
    read_printed,
)


@pytest.mark.parametrize(
    "printed, value, expected",
    [
        ("0.357", 0.3574, "rounded"),
        ("0.357", 0.3579, "cut"),
        ("0.357", 0.3581, ""),
        ("0.5", 0.6, ""),
        ("-0.119", -0.1192, "rounded"),
        ("-0.000", 0.0001, "rounded"),
        ("+0.132", 0.1315, "rounded"),
        ("46.4%", 0.4644, "rounded"),
        ("26,455", 26456.0, ""),
        ("0.206**", 0.206, "rounded"),
        ("> 0.05", 0.2, "rounded"),
        ("> 0.05", 0.01, ""),
        ("0.5", None, ""),
        ("0.5", float("nan"), ""),
    ],
)
def test_agreement_is_to_the_printed_digit(printed, value, expected):
    assert agrees(printed, value) == expected


@pytest.mark.parametrize(
    "printed, found, cause",
    [
        ("0.5", Computed(0.5, 0.5), SAME),
        ("0.5", Computed(None, 0.5), SAME),
        ("0.5", Computed(0.5, 0.7), FAULT),
        ("0.5", Computed(0.5, 0.7, choice=True), SAME),
        ("0.5", Computed(0.6, 0.5), UNEXPLAINED),
        ("0.5", Computed(0.6, 0.7), UNEXPLAINED),
        ("0.5", Computed(None, 0.7, fault=True), FAULT),
        ("0.5", Computed(0.5, 0.5, stand_in=True), WEIGHTS),
        ("0.5", Computed(None, None), UNCOMPUTED),
        (None, Computed(0.5, 0.5), UNPRINTED),
    ],
)
def test_every_cause(printed, found, cause):
    assert cell("Table 1", "row", "column", printed, found).cause == cause


def test_printed_numbers_come_first_and_none_is_lost():
    found = {("b", "x"): Computed(1.0, 1.0), ("c", "x"): Computed(2.0, 2.0)}
    cells = list(beside("Table 1", {("a", "x"): "3", ("b", "x"): "1"}, found, "no data"))
    assert [(own.row, own.cause, own.why) for own in cells] == [
        ("a", UNCOMPUTED, "no data"), ("b", SAME, ""), ("c", UNPRINTED, "")
    ]  # fmt: skip


@pytest.mark.parametrize("name", names())
def test_every_paper_has_its_tables_as_data(name):
    found = paper(name)
    assert found.name == name
    folder = Path(papers.__file__).parent / name.replace("-", "_")
    for table, numbers in read_printed(folder).items():
        assert table in found.tables
        assert all(agrees(number, 1.0) in ("", "rounded", "cut") for number in numbers.values())  # each can be read


def test_papers_answer_to_their_older_names():
    assert {"bawden2020", "hailu2020", "shen2022"} <= set(names())
    assert paper("parascore") is paper("shen2022")
    assert paper("weem4pg") is paper("hailu2020")
    with pytest.raises(InputError, match="no paper named 'shen202'; did you mean 'shen2022'"):
        paper("shen202")


def _paper() -> Paper:
    def compute(request: Request):
        for table in ("Table 1", "Table 12"):
            if request.wanted(table):
                yield cell(table, "row", "column", "1", Computed(1.0, 1.0))

    return Paper("own", "A title", "nobody", ("Table 1", "Table 12"), (), compute, {"en": "an encoder"})


def test_only_the_tables_asked_for():
    assert [own.table for own in _paper().reproduce()] == ["Table 1", "Table 12"]
    assert [own.table for own in _paper().reproduce(tables=["table 1"])] == ["Table 1"]


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"tables": ["Table 2"]}, "own has no table 'Table 2'; known: Table 1, Table 12"),
        ({"models": {"enn": "x"}}, "own takes no weights named 'enn'; did you mean 'en'"),
        ({"figures": Path("figures")}, "own has no figures"),
    ],
)
def test_what_a_paper_does_not_have_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        _paper().reproduce(**arguments)


@pytest.mark.parametrize(
    "label, table, expected",
    [
        ("Figures 1–2", "Table 1", False),
        ("Figures 1–2", "figure 2", True),
        ("Table 1", "Table 13", False),
        ("Table 13", "Table 1", False),
        ("Appendix E", "appendix e", True),
        ("Table 7a, BLEU, system level", "Table 7", True),
        ("Table 7a, BLEU, system level", "table 7a", True),
        ("Table 7a, BLEU, system level", "Table 7b", False),
        ("Table 1", "", False),
    ],
)
def test_a_range_of_tables_answers_to_each_of_them(label, table, expected):
    assert covers(label, table) is expected
