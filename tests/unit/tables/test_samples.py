"""What Samples takes, what it mends and what it refuses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge.tables.samples import DEFAULT_SYSTEM, Samples

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=8)  # with surrogates


def test_one_form():
    table = Samples.of(["a", None], ["b", None], [["c", None, " ", ""], None])
    assert table.sources == ["a", ""]
    assert table.candidates == ["b", ""]
    assert table.references == [("c",), ()]
    assert table.systems == [DEFAULT_SYSTEM] * 2
    assert table.ids == ["1", "2"]
    assert len(table) == 2


def test_columns_of_any_sequence():
    table = Samples.of(("a",), ("b",), (("c", "d"),), systems=("mine",), ids=(7,))
    assert table == Samples.of(["a"], ["b"], [["c", "d"]], systems=["mine"], ids=["7"])
    assert Samples.of(["a"] * 2, ["b"] * 2, systems=[None, "x"], ids=[None, "q"]).keys() == [
        (DEFAULT_SYSTEM, "1"),
        ("x", "q"),
    ]


def test_ids_count_from_the_first_row():
    assert Samples.of(["a"] * 2, ["b"] * 2, first_row=101).ids == ["101", "102"]


def test_no_rows():
    assert len(Samples.of([], [])) == 0


@pytest.mark.parametrize("column", ["sources", "candidates", "references", "systems", "ids"])
@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("abc", "one string; expected a list with one entry per row$"),
        # their order is that of hashes: another in every process
        ({"x", "y"}, "a set, which has no order; expected a list"),
        (frozenset(["x", "y"]), "a frozenset, which has no order; expected a list"),
    ],
)
def test_what_is_no_column(column, given, sentence):
    columns = {"sources": ["a", "b"], "candidates": ["c", "d"]} | {column: given}
    with pytest.raises(InputError, match=f"^{column} is {sentence}"):
        Samples.of(**columns)


def test_the_keys_of_a_dict_have_an_order():
    assert Samples.of({"a": 1, "b": 2}.keys(), ["c", "d"]).sources == ["a", "b"]


@pytest.mark.parametrize("column", ["sources", "references", "systems", "ids"])
def test_unequal_lengths(column):
    columns = {"sources": ["a"] * 3, "references": [["c"]] * 3, "systems": ["s"] * 3, "ids": [1, 2, 3]}
    columns[column] = columns[column][:2]
    with pytest.raises(InputError, match=f"^2 {column} but 3 candidates"):
        Samples.of(candidates=["b"] * 3, **columns)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"sources": [1.5]}, "row 1: source is float 1.5; expected text"),
        ({"candidates": [["b"]]}, r"row 1: candidate is list \['b'\]; expected text"),
        ({"references": [[3]]}, "row 1: reference is int 3; expected text"),
        ({"references": ["two"]}, r"row 1: references is the string 'two'; expected a list .* \['two'\]"),
        ({"references": [{"x", "y"}]}, "row 1: references is a set, which has no order; expected a list of references"),
        ({"references": [[b"c"]]}, "row 1: reference is bytes b'c'; expected text"),
        ({"systems": [4]}, "row 1: system is int 4; expected text"),
        ({"sources": [float("nan")]}, "row 1: source is float nan; expected text"),
    ],
)
def test_what_is_no_text(columns, message):
    with pytest.raises(InputError, match=f"^{message}$"):
        Samples.of(**{"sources": ["a"], "candidates": ["b"]} | columns)


def test_the_error_names_the_row_of_the_file():
    with pytest.raises(InputError, match=r"^row 12: candidate is int"):
        Samples.of(["a"] * 3, ["b", "b", 5], first_row=10)


def test_half_a_surrogate_pair_is_replaced_and_counted():
    table = Samples.of(["\ud83d\ude00 whole"], ["lone \ud83d"], [["\udc00", "fine"]])
    assert table.sources == ["\U0001f600 whole"]
    assert table.candidates == ["lone \ufffd"]
    assert table.references == [("\ufffd", "fine")]
    assert table.repaired == 3


@given(st.lists(st.tuples(ANY_TEXT, ANY_TEXT, st.lists(ANY_TEXT, max_size=3), ANY_TEXT), max_size=4))
def test_whatever_the_text_it_can_be_written_as_utf8(rows):
    columns = list(map(list, zip(*rows, strict=True))) or [[], [], [], []]
    table = Samples.of(columns[0], columns[1], columns[2], systems=columns[3])
    for texts in (table.sources, table.candidates, table.systems, *table.references):
        for text in texts:
            text.encode("utf-8")
    for text, (source, *_) in zip(table.sources, rows, strict=True):
        if not any("\ud800" <= letter <= "\udfff" for letter in source):
            assert text == source


def test_a_byte_order_mark_is_a_character_like_any_other():
    assert Samples.of(["\ufeffa\ud800"], ["b"]).sources == ["\ufeffa\ufffd"]


def test_chosen_rows():
    table = Samples.of(["a", "b", "c"], ["d", "e", "f"], [["g"], [], ["h", "i"]], ["s", "t", "u"], [3, 2, 1])
    assert table.rows([2, 0]) == Samples.of(["c", "a"], ["f", "d"], [["h", "i"], ["g"]], ["u", "s"], [1, 3])
    assert table.rows(range(0)) == Samples.of([], [])


def test_sets_of_one_source():
    table = Samples.of(["a", "b", "a", "a"], ["1", "2", "3", "4"], systems=["s", "s", "s", "t"])
    assert table.sets() == [[0, 2], [1], [3]]


def test_tables_end_to_end():
    one, two = Samples.of(["a"], ["\ud800"], [["r"]]), Samples.of(["b"], ["d"], systems=["s"], ids=["x"])
    both = one + two
    assert both == Samples.of(["a", "b"], ["\ufffd", "d"], [["r"], []], systems=[None, "s"], ids=["1", "x"])
    assert both.repaired == 1
