"""Hailu, Yu and Fantaye 2020, Table 1: printed 0.435 (PPDB) and 0.382 (Wikipedia) with word2vec; here GloVe 6B 50d."""

from __future__ import annotations

from pathlib import Path

import pytest

from paragauge.errors import InputError
from paragauge.papers import hailu2020 as weem4pg2020

WITHIN = 5.1e-4  # half of the third digit, and rounding
EXPECTED = {  # with the factor, without
    "PPDB phrase pairs Spearman": (0.249, 0.360),
    "PPDB phrase pairs Pearson": (0.255, 0.340),
    "Wikipedia phrase pairs Spearman": (0.272, 0.278),
    "Wikipedia phrase pairs Pearson": (0.235, 0.245),
}


@pytest.mark.usefixtures("glove")
def test_table_1_with_other_vectors(data: Path):
    if not (data / "ppdb-human").is_dir():
        pytest.skip(f"needs the phrase pairs: there is no {data / 'ppdb-human'}")
    cells = {(cell.row, cell.column): cell for cell in weem4pg2020.reproduce(data)}
    for column, expected in EXPECTED.items():
        rows = [cells[row, column] for row in ("WEEM4PG", "WEEM4PG without the factor")]
        assert [cell.corrected for cell in rows] == pytest.approx(expected, abs=WITHIN)
        assert rows[0].printed == ("0.435" if "PPDB" in column else "0.382")
        assert rows[0].corrected < rows[1].corrected < float(rows[0].printed)  # the factor lowers it, on both
        assert rows[1].printed is None
        assert "other vectors" in rows[0].why


@pytest.mark.usefixtures("glove")
def test_one_missing_file_does_not_hide_the_other(data: Path, tmp_path: Path):
    if not (data / "ppdb-human").is_dir():
        pytest.skip(f"needs the phrase pairs: there is no {data / 'ppdb-human'}")
    (tmp_path / "ppdb-human").mkdir()
    (tmp_path / "ppdb-human" / "wiki-sample.tsv").symlink_to(data / "ppdb-human" / "wiki-sample.tsv")
    *found, missing = weem4pg2020.reproduce(tmp_path)
    assert {cell.column for cell in found} == {column for column in EXPECTED if "Wikipedia" in column}
    assert missing.corrected is None
    assert "ppdb is not here" in missing.why


def test_nothing_here_is_an_error(tmp_path: Path):
    with pytest.raises(InputError, match="ppdb is not here"):
        weem4pg2020.reproduce(tmp_path)


def test_another_table_is_not_computed(tmp_path: Path):
    assert weem4pg2020.reproduce(tmp_path, wanted=lambda _: False) == []
