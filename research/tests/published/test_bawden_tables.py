"""Every number of the LaTeX tables of Bawden et al. 2020 next to what is computed for it, to the printed digit."""

from __future__ import annotations

from collections import Counter

import pytest

from paragauge.stats.tests import ALPHA, holm
from paragauge_research.papers.bawden2020 import PAPER
from paragauge_research.papers.bawden2020.analyses import points, relations
from paragauge_research.papers.bawden2020.evidence import Evidence, Method
from paragauge_research.papers.bawden2020.tables import NO_METHOD, NO_RANKINGS
from paragauge_research.papers.bawden2020.text import AVERAGE
from paragauge_research.papers.cells import FAULT, SAME, UNCOMPUTED, UNEXPLAINED, count_causes

pytestmark = pytest.mark.thorough  # 303 numbers of 91 systems; the central ones are in test_bawden_references

# what each table has: numbers that are equal to the printed digit, p-values that agree with the bold type, and numbers
# that cannot be computed
TABLES = {
    "Table 6, BLEU, 500 segments": (18, 16, 2),
    "Table 7a, BLEU, system level": (87, 63, 16),
    "Table 7b, BLEU, segment level": (7, 0, 96),
    "Table 9a, Meteor, system level": (87, 63, 16),
    "Table 9b, Meteor, segment level": (7, 0, 96),
    "Table 3, BLEU, relative gains in percent": (27, 18, 39),
    "Table 3, BLEU, relative gains in percent, 500 segments": (20, 20, 2),
    "Table 8, Meteor, gains": (27, 18, 33),
    "Table 8, Meteor, gains, 500 segments": (20, 20, 0),
}


@pytest.fixture(scope="module")
def cells(data):
    if not (data / "wmt19").is_dir():
        pytest.skip(f"needs newstest2019: there is no {data / 'wmt19'}")
    return PAPER.reproduce(data)


def is_mark(cell):
    return cell.column.endswith(", p")


def test_every_number_to_the_printed_digit(cells):
    wrong = [
        cell
        for cell in cells
        if cell.table in TABLES
        and cell.authors is not None
        and not is_mark(cell)
        and f"{cell.authors:.{len(cell.printed.partition('.')[2])}f}" != cell.printed
    ]
    assert not wrong


def test_every_mark_of_significance(cells):
    """Bold is p ≤ 0.05 against the reference alone. The authors' bootstrap is random: p is far from 0.05 there."""
    marks = [cell for cell in cells if is_mark(cell)]
    assert not [cell for cell in marks if (cell.printed == f"≤ {ALPHA}") != (cell.authors <= ALPHA)]
    assert all(cell.authors > 0.09 for cell in marks if "Segment" in cell.column)


def test_nothing_is_left_out(cells):
    found = {
        table: (
            sum(cell.authors is not None and not is_mark(cell) for cell in cells if cell.table == table),
            sum(is_mark(cell) for cell in cells if cell.table == table),
            sum(cell.authors is None for cell in cells if cell.table == table),
        )
        for table in TABLES
    }
    assert found == TABLES


def test_what_cannot_be_computed_says_why(cells):
    reasons = Counter(cell.why for cell in cells if cell.authors is None and cell.table in TABLES)
    assert reasons == {
        NO_RANKINGS: 214,  # 10 rows of 8 in two tables, 9 rows of 3 in two others
        NO_METHOD["4-grams"]: 48,
        NO_METHOD["Multiple"]: 38,
    }
    assert all(cell.why for cell in cells if cell.authors != cell.corrected)


def test_tables_of_the_paper_alone(cells):
    """Tables 1, 2, 3 and 5, entered as printed; 0.039 in Table 3b contradicts Table 6 of the same paper."""
    counts = {table: {cause: n for cause, n in own.items() if n} for table, own in count_causes(cells).items()}
    assert counts["Table 1"] == {UNCOMPUTED: 5}
    assert counts["Table 2"] == {SAME: 24, FAULT: 1, UNEXPLAINED: 12, UNCOMPUTED: 8}
    assert counts["Table 3a"] == {SAME: 27, UNCOMPUTED: 39}
    assert counts["Table 3b"] == {SAME: 19, UNEXPLAINED: 1, UNCOMPUTED: 2}
    assert counts["Table 5"] == {UNCOMPUTED: 18}
    assert counts["Decisions, BLEU, 500 segments"] == {SAME: 2}
    (open_gain,) = [cell for cell in cells if cell.table == "Table 3b" and cell.cause == UNEXPLAINED]
    assert (open_gain.row, open_gain.printed) == ("HUMAN", "0.039")
    assert open_gain.authors == pytest.approx(0.0536, abs=5e-5)
    human = {cell.column: cell for cell in cells if (cell.table, cell.row) == ("Table 2", "+5 HUMAN, 500 segments")}
    assert (human["DS-BOW"].cause, human["BLEU"].cause) == (FAULT, SAME)
    assert sum(cell.why == AVERAGE for cell in cells) == 11


def test_the_first_ranking_is_lost_as_a_header(cells):
    """The published gains follow only without it: 285 of 21,788 more right than wrong, where all give 285.5."""
    human = next(
        cell
        for cell in cells
        if cell[:3] == ("Table 3, BLEU, relative gains in percent, 500 segments", "Human", "Segment")
    )
    assert human.printed == "140.35"
    assert human.authors == pytest.approx(100 * 400 / 285, abs=1e-9)
    assert human.corrected == pytest.approx(100 * 400 / 285.5, abs=1e-9)


def test_what_the_small_draws_of_the_bootstrap_hide(cells):
    """The paper marks no gain on segments as significant. With segments drawn, six of these eight are, each alone."""
    table = {
        cell.row: cell for cell in cells if cell.table == "Table 6, BLEU, 500 segments" and cell.column == "Segment, p"
    }
    significant = {row for row, cell in table.items() if cell.corrected <= ALPHA}
    assert significant == {
        "Baselines (+5) beam",
        "Baselines (+5) random",
        "Baselines (+5) sampled",
        "Diversity (+1) laser",
        "Diversity (+5) laser",
        "Human",
    }
    assert len(table) == 8
    corrected = holm([cell.corrected for cell in table.values()])
    kept = {row for row, p in zip(table, corrected, strict=True) if p <= ALPHA}
    assert kept == {"Baselines (+5) sampled", "Human"}


def test_the_one_mark_that_an_unjudged_system_decides(cells):
    """Gujarati has 12 outputs, 11 of them judged; all other marks of systems are the same either way."""
    differ = [
        cell
        for cell in cells
        if is_mark(cell) and "Segment" not in cell.column and (cell.authors <= ALPHA) != (cell.corrected <= ALPHA)
    ]
    assert [(cell.table, cell.row, cell.column) for cell in differ] == [
        ("Table 9a, Meteor, system level", "Output-specific (+1) treelstm", "gu-en, p")
    ]


def test_gains_by_number_and_diversity(data):
    """Figures of the paper without printed numbers: pinned here. More sampled paraphrases help, more of laser's not."""
    found = points(data / "wmt19")
    gains = {(point.method, point.extras): round(point.gain, 2) for point in found}
    assert [gains["sampled", number] for number in (1, 2, 5, 10, 20)] == [1.65, 2.20, 2.69, 2.97, 3.03]
    assert [gains["laser", number] for number in (1, 2, 5, 10, 20)] == [1.92, 2.10, 2.25, 2.07, 1.85]
    assert [gains["random", number] for number in (1, 2, 5, 10, 20)] == [1.88, 1.88, 1.88, 1.88, 1.90]
    words, trees = relations(found, extras=5)
    assert (words.spearman.value, trees.spearman.value) == (pytest.approx(1), pytest.approx(1))
    assert round(words.pearson.value, 3) == 0.991
    assert {point.systems for point in found} == {90}  # 91 outputs, one of them not judged


def test_two_files_of_meteor_lack_systems(data):
    evidence = Evidence(data / "wmt19")
    assert evidence.system("meteor", Method("beam", 20), "syslevel", "zh-en").judged == 13
    assert evidence.system("meteor", Method("beam", 1), "syslevel", "zh-en").judged == 14
    assert evidence.system("meteor", Method("beam", 5), "syslevel", "zh-en").judged == 15
