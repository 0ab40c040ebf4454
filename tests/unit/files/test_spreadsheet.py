"""Text that a spreadsheet would run."""

import gzip

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.files.write import guard_frame, write_frame
from paragauge.printable import guard_cell
from paragauge.runs.scores import join

CELLS = st.text(alphabet="=+-@\t\r\n＝＋－＠'.19e a\x00", max_size=6)


@pytest.mark.parametrize("text", ["=1", "+a", "-1+1", "@A1", "\t=1", "\r=1", "\n=1", "＝1", "-", "-1\n", "+1e", "-٣"])
def test_a_formula_has_an_apostrophe_before_it(text):
    assert guard_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "a", "'=1", " =1", "-1", "+.5", "-1.", "-2.5e-10", "a=b", "1-2"])
def test_numbers_and_other_text_stay(text):
    assert guard_cell(text) == text


@given(st.lists(st.none() | CELLS, max_size=8))
def test_a_column_is_guarded_as_its_cells_are(cells):
    frame = polars.DataFrame({"=text": polars.Series(cells, dtype=polars.String), "n": [-0.5] * len(cells)})
    expected = [None if cell is None else guard_cell(cell) for cell in cells]
    for guarded in (guard_frame(frame), guard_frame(frame.lazy()).collect()):
        assert guarded.columns == ["'=text", "n"]
        assert guarded["'=text"].to_list() == expected
        assert guarded["n"].to_list() == frame["n"].to_list()


@pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz"])
def test_files_are_guarded_where_it_is_asked_for(tmp_path, suffix):
    frame = polars.DataFrame({"system": ["=1+1", "-1", "a"], "score": [-0.5, 1.0, None]})
    frame.write_parquet(tmp_path / "part.parquet")
    target = tmp_path / f"scores.{suffix}"
    for asked, first in ((False, "=1+1"), (True, "'=1+1")):
        found = []
        for write in (
            lambda: write_frame(frame, target, spreadsheet=asked, overwrite=True),  # noqa: B023
            lambda: join([polars.scan_parquet(tmp_path / "part.parquet")], target, asked, overwrite=True),  # noqa: B023
        ):
            write()
            data = target.read_bytes()
            found.append(gzip.decompress(data) if suffix.endswith("gz") else data)
        assert found[0] == found[1]
        mark = "\t" if suffix == "tsv" else ","
        assert found[0].decode().splitlines() == [
            f"system{mark}score",
            f"{first}{mark}-0.5",
            f"-1{mark}1.0",
            f"a{mark}",
        ]


def test_parquet_and_jsonl_keep_the_text(tmp_path):
    frame = polars.DataFrame({"system": ["=1+1"]})
    for suffix, read in (("parquet", polars.read_parquet), ("jsonl", polars.read_ndjson)):
        write_frame(frame, tmp_path / f"scores.{suffix}", spreadsheet=True)
        assert read(tmp_path / f"scores.{suffix}")["system"].to_list() == ["=1+1"]
