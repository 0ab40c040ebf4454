import numpy as np
import polars
from hypothesis import given
from hypothesis import strategies as st

from paragauge.tables.scores import numbers_column, table_of, texts_column


@given(st.lists(st.lists(st.text(max_size=3), max_size=3)))
def test_texts_are_the_lists_given(groups: list[list[str]]) -> None:
    column = texts_column(groups)
    assert column.dtype == polars.List(polars.String)
    assert column.to_list() == groups


@given(st.integers(0, 4), st.lists(st.one_of(st.none(), st.integers(1, 3)), max_size=3))
def test_numbers_go_row_by_row_through_the_tables(rows: int, widths: list[int | None]) -> None:
    tables = [None if width is None else np.random.default_rng(width).random((rows, width)) for width in widths]
    column = numbers_column(tables, rows)
    assert column.dtype == polars.List(polars.Float64)
    assert column.to_list() == [
        None if table is None else table[row].tolist() for row in range(rows) for table in tables
    ]


@given(st.integers(0, 4), st.integers(1, 3))
def test_a_table_comes_back(rows: int, width: int) -> None:
    table = np.random.default_rng(0).random((rows, width))
    assert table_of(numbers_column([table], rows)).tolist() == table.tolist()
