"""Hailu, Yu and Fantaye 2020: Table 1 with GloVe 6B 50d for word2vec, and what Tables 2 and 3 say of themselves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge_research.papers.cells import FAULT, UNCOMPUTED, WEIGHTS
from paragauge_research.papers.hailu2020 import PAPER
from paragauge_research.papers.hailu2020.tables import _possible, least_sample, printed

WITHIN = 5.1e-4  # half of the third digit, and rounding
EXPECTED = {  # Spearman as printed, and Pearson: with the factor, without
    ("PPDB", ""): (0.249, 0.360),
    ("PPDB", ", Pearson"): (0.255, 0.340),
    ("Wikipedia", ""): (0.272, 0.278),
    ("Wikipedia", ", Pearson"): (0.235, 0.245),
}


@pytest.mark.thorough  # both halves, without and with Pearson; test_weem4pg has the smaller half
@pytest.mark.usefixtures("glove")
def test_table_1_with_other_vectors(data: Path):
    if not (data / "ppdb-human").is_dir():
        pytest.skip(f"needs the phrase pairs: there is no {data / 'ppdb-human'}")
    cells = {(cell.row, cell.column): cell for cell in PAPER.reproduce(data, ["Table 1"])}
    for (column, statistic), expected in EXPECTED.items():
        rows = [cells[f"WEEM4PG{tail}{statistic}", column] for tail in ("", " without √N/N")]
        assert [cell.corrected for cell in rows] == pytest.approx(expected, abs=WITHIN)
        assert rows[0].corrected < rows[1].corrected  # the factor lowers it, on both
    for column, number in (("PPDB", "0.435"), ("Wikipedia", "0.382")):
        assert cells["WEEM4PG", column].printed == number
        assert cells["WEEM4PG", column].cause == WEIGHTS
        assert "GloVe 6B 50d stands in" in cells["WEEM4PG", column].why
    assert cells["#Phrase-Paraphrase pairs", "PPDB"].corrected == 26_456  # printed: 26,455
    assert cells["Supervised scoring model in PPDB 2.0", "PPDB"].cause == UNCOMPUTED


@pytest.mark.usefixtures("glove")
@pytest.mark.thorough
def test_one_missing_file_does_not_hide_the_other(data: Path, tmp_path: Path):
    if not (data / "ppdb-human").is_dir():
        pytest.skip(f"needs the phrase pairs: there is no {data / 'ppdb-human'}")
    (tmp_path / "ppdb-human").mkdir()
    (tmp_path / "ppdb-human" / "wiki-sample.tsv").symlink_to(data / "ppdb-human" / "wiki-sample.tsv")
    cells = {(cell.row, cell.column): cell for cell in PAPER.reproduce(tmp_path, ["Table 1"])}
    assert cells["WEEM4PG", "Wikipedia"].corrected == pytest.approx(0.272, abs=WITHIN)
    assert cells["WEEM4PG", "PPDB"].corrected is None
    assert "ppdb was not found" in cells["WEEM4PG", "PPDB"].why


def test_nothing_here_is_an_error(tmp_path: Path):
    with pytest.raises(InputError, match="ppdb was not found"):
        PAPER.reproduce(tmp_path)


def test_the_accuracies_are_not_of_a_thousand_reviews(tmp_path: Path):
    """All 16 are multiples of 0.04%: of 2,500 reviews, where the text has 1,000."""
    shares = list(printed()["Table 2"].values())
    assert len(shares) == 16
    assert least_sample(shares) == 2_500
    assert all(round(100 * float(share)) % 4 == 0 for share in shares)
    assert [share for share in shares if _possible(share, 1_000)] == ["83.00", "66.00"]
    (cell,) = [cell for cell in PAPER.reproduce(tmp_path, ["Table 2"]) if cell.cause == FAULT]
    assert (cell.printed, cell.corrected) == ("1,000", 2_500)


def sizes_for_stars(coefficients: Sequence[str], most: int = 50_000) -> range:
    """Numbers of observations for which the t test gives each coefficient its stars: * p ≤ 0.05, ** p ≤ 0.01.

    p falls as the number grows, so they are a range; it is empty where the stars contradict each other.
    """
    from scipy.stats import t

    sizes = np.arange(4, most)
    low, high = 4, most
    for text in coefficients:
        value, stars = float(text.rstrip("*")), text.count("*")
        p = 2 * t.sf(abs(value) * np.sqrt((sizes - 2) / (1 - value**2)), sizes - 2)
        fitting = sizes[((p <= 0.05).astype(int) + (p <= 0.01)) == stars]
        low, high = max(low, int(fitting[0])), min(high, int(fitting[-1]) + 1)
    return range(low, high)


def test_no_number_of_reviews_gives_the_stars_of_table_3():
    """0.155 has two stars, 0.163 one and −0.154 none, all of the same test reviews."""
    every = list(printed()["Table 3"].values())
    assert len(every) == 24
    assert len(sizes_for_stars(every)) == 0
    assert sizes_for_stars(["0.163*"]) == range(146, 249)
    assert sizes_for_stars(["0.155**"]).start == 276
    assert sizes_for_stars(["-0.154"]).stop == 163


def test_recorded_recurrent_networks_are_at_chance_as_in_the_paper_and_learn_when_corrected(tmp_path: Path):
    cells = {(cell.row, cell.column): cell for cell in PAPER.reproduce(tmp_path, ["Table 2", "Table 3"])}
    for name, number in (("GRU-RNN", "51.44"), ("LSTM-RNN", "49.92")):
        own = cells["Original review", name]
        assert own.printed == number
        assert own.authors == pytest.approx(50, abs=4.5)  # 1.96 standard errors of 500 reviews
        assert own.corrected > 70
    gru = cells["Original review", "GRU-RNN"]
    for group in ("PG1", "PG2", "PG3"):  # trained on paraphrases the corrected one loses, the other has nothing to lose
        own = cells[f"Paraphrase {group}", "GRU-RNN"]
        assert own.corrected < gru.corrected - 10
        assert own.authors == pytest.approx(gru.authors, abs=4.5)


def test_recorded_correlations_with_weem4pg_are_none(tmp_path: Path):
    """Every number of Table 3 is recorded; none is as high as the paper's for its CNN."""
    cells = [cell for cell in PAPER.reproduce(tmp_path, ["Table 3"]) if cell.cause == WEIGHTS]
    assert len(cells) == 24
    assert max(abs(cell.corrected) for cell in cells) < 0.12
    assert max(float(cell.printed.rstrip("*")) for cell in cells) == 0.301
