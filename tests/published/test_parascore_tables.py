"""Shen et al. 2022, On the Evaluation Metrics for Paraphrase Generation: its tables, its log, and their faults.

Sources: the paper (BLEU-4 in Table 1, three digits); log.txt of github.com/shadowkiller33/ParaScore at commit ac50028
(all digits). docs/reproduction.md tells the story.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from paragauge.compute.workspace import Workspace
from paragauge.papers.shen2022 import authors
from paragauge.papers.shen2022 import tables as parascore2022
from paragauge.papers.shen2022.columns import DataSet
from paragauge.papers.shen2022.printed import LOG, PAPER, printed

WITHIN = 1e-12  # sums of 6,444 numbers in another order
THIRD = 5.1e-4  # half of the third digit, and the rounding of the printed number
DATA = {"twitter-para": "Twitter-Para", "bq-para": "BQ-Para"}

# by the package rouge 1.0.1 itself on the published rows, Pearson and Spearman
ROUGE = {
    ("Twitter-Para", "ROUGE-1"): (0.2711, 0.2761), ("Twitter-Para", "ROUGE-1.Free"): (0.2924, 0.2995),
    ("Twitter-Para", "ROUGE-2"): (0.1815, 0.1436), ("Twitter-Para", "ROUGE-2.Free"): (0.2277, 0.1887),
    ("Twitter-Para", "ROUGE-L"): (0.2494, 0.2391), ("Twitter-Para", "ROUGE-L.Free"): (0.2662, 0.2534),
    ("BQ-Para", "ROUGE-1"): (0.2288, 0.2062), ("BQ-Para", "ROUGE-1.Free"): (0.2641, 0.2318),
    ("BQ-Para", "ROUGE-2"): (0.2255, 0.2163), ("BQ-Para", "ROUGE-2.Free"): (0.2518, 0.2418),
    ("BQ-Para", "ROUGE-L"): (0.2214, 0.2042), ("BQ-Para", "ROUGE-L.Free"): (0.2602, 0.2304),
}  # fmt: skip
CORRECTED_BLEU = {"Twitter-Para": (0.235, 0.244), "BQ-Para": (0.190, 0.202)}


@pytest.fixture(scope="module")
def sets(data: Path) -> dict[str, DataSet]:
    if not (data / "parascore").is_dir():
        pytest.skip(f"needs Twitter-Para and BQ-Para: there is no {data / 'parascore'}")
    return {title: DataSet(name, [], data, Workspace()) for name, title in DATA.items()}


def both(data: DataSet, scores: Any, *, extended: bool = False) -> tuple[float, float]:
    rows = data.part(extended=extended).test
    human = data.ratings.human[rows]
    return float(pearsonr(scores[rows], human)[0]), float(spearmanr(scores[rows], human)[0])


@pytest.mark.parametrize("title", DATA.values())
def test_bleu_comes_out_as_printed_and_as_logged_with_words_for_references(sets, title):
    found = both(sets[title], sets[title].lexical["BLEU-4"].authors)
    assert tuple(f"{value:.3f}" for value in found) == PAPER[title, "BLEU-4"]
    logged = [run for run in LOG if (run.row, run.data, run.extended) == ("BLEU-4", title, False)][-1]
    assert found == pytest.approx((logged.pearson, logged.spearman), abs=WITHIN)


@pytest.mark.parametrize("title", DATA.values())
def test_bleu_called_as_nltk_means_it_is_positive(sets, title):
    found = both(sets[title], sets[title].lexical["BLEU-4"].corrected)
    assert found == pytest.approx(CORRECTED_BLEU[title], abs=THIRD)


@pytest.mark.parametrize("title", DATA.values())
def test_a_copy_of_the_reference_does_not_win_in_their_bleu(sets, title):
    """What it measures: no more than words of one letter, so a perfect candidate is mostly worth nothing."""
    others = sets[title].others(free=False)
    perfect = authors.bleu(others, others, flat=True)
    assert np.mean(perfect < 0.5) > 0.9
    assert authors.bleu(others, others, flat=False) == pytest.approx(
        [1.0 if len(authors.words(text)) > 3 else value for text, value in zip(others, _short(others), strict=True)],
        abs=WITHIN,
    )


def test_what_their_bleu_measures(sets):
    """On tweets the share of words of one letter; on Chinese, where every word is one character, shortness."""
    found = {}
    for title, data in sets.items():
        rows = data.part(extended=False).test
        scores = data.lexical["BLEU-4"].authors[rows]
        tokens = [authors.words(data.read.candidates[row]) for row in rows]
        single = np.array([sum(len(word) == 1 for word in words) / len(words) for words in tokens])
        length = np.array([len(words) for words in tokens])
        other = single if title == "Twitter-Para" else length
        found[title] = float(np.mean(scores == 0)), float(spearmanr(scores, other)[0])
    assert found["Twitter-Para"] == pytest.approx((0.667, 0.916), abs=THIRD)
    assert found["BQ-Para"] == pytest.approx((0.006, -0.925), abs=THIRD)


def _short(texts: list[str]) -> list[float]:
    """nltk counts 0.1 for each order that a text is too short for, so a short copy does not score 1."""
    return [0.1 ** (max(0, 4 - len(authors.words(text))) / 4) for text in texts]


def test_words_of_every_published_text_are_those_of_nltk(sets):
    from nltk.tokenize.destructive import NLTKWordTokenizer

    cut = NLTKWordTokenizer().tokenize
    for data in sets.values():
        samples = data.read
        for text in {*samples.sources, *samples.candidates, *(group[0] for group in samples.references)}:
            assert authors.words(text) == cut(text.strip().lower())


@pytest.mark.parametrize("title, row", ROUGE)
def test_rouge_is_that_of_the_package_to_the_third_digit(sets, title, row):
    found = both(sets[title], sets[title].lexical[row].authors)
    assert found == pytest.approx(ROUGE[title, row], abs=5.1e-5)  # four digits were noted


def test_every_rouge_score_is_that_of_the_package(sets):
    package = pytest.importorskip("rouge", reason="needs the package rouge")
    for data in sets.values():
        others, candidates = data.others(free=False), data.read.candidates
        for row, key in (("ROUGE-1", "rouge-1"), ("ROUGE-2", "rouge-2"), ("ROUGE-L", "rouge-l")):
            expected = [one[key]["f"] for one in package.Rouge(metrics=[key]).get_scores(candidates, others)]
            np.testing.assert_allclose(data.lexical[row].authors, expected, rtol=0, atol=WITHIN)


def test_the_logged_rouge_of_bq_para_is_not_of_the_published_code_and_data(sets):
    """Recorded, not explained: the log's first runs, of all six rows, lie 0.01 to 0.14 above what the code gives."""
    for run in LOG:
        if run.row.startswith("ROUGE"):
            found = both(sets["BQ-Para"], sets["BQ-Para"].lexical[run.row].authors)
            assert 0.01 < run.pearson - found[0] < 0.15
            assert 0.01 < run.spearman - found[1] < 0.15


def test_case_is_most_of_the_difference_between_the_two_rouges(sets):
    data = sets["Twitter-Para"]
    lower = [[text.lower() for text in column] for column in (data.others(free=False), data.read.candidates)]
    kept = both(data, data.lexical["ROUGE-1"].authors)[0]
    ignored = both(data, authors.rouge("rouge1", *lower))[0]
    ours = both(data, data.lexical["ROUGE-1"].corrected)[0]
    assert (kept, ignored, ours) == pytest.approx((0.271, 0.465, 0.458), abs=THIRD)


@pytest.mark.usefixtures("lexicon")
@pytest.mark.parametrize("title, theirs, right", [("Twitter-Para", -0.083, 0.420), ("BQ-Para", 0.095, 0.217)])
def test_meteor_against_letters(sets, title, theirs, right):
    column = sets[title].meteor["METEOR"]
    found = both(sets[title], column.authors)[0], both(sets[title], column.corrected)[0]
    assert found == pytest.approx((theirs, right), abs=THIRD)


@pytest.mark.parametrize("title", DATA.values())
def test_their_ibleu_in_free_mode_reads_the_references(sets, title):
    found = sets[title].ibleu
    assert found["iBLEU"].authors is found["iBLEU.Free"].authors
    assert found["iBLEU.Free"].corrected is None


@pytest.mark.parametrize("title, rows", [("Twitter-Para", (7, 2)), ("BQ-Para", (9, 1))])
def test_the_cut_goes_through_one_source(sets, title, rows):
    part, codes = sets[title].part(extended=False), sets[title].ratings.sources()
    shared = np.intersect1d(codes[part.dev], codes[part.test])
    assert len(shared) == 1
    assert tuple(int((codes[side] == shared[0]).sum()) for side in part) == rows


def test_copies_are_added_to_every_fifth_source(sets):
    for data, plain, copies in ((sets["Twitter-Para"], 7_159, 153), (sets["BQ-Para"], 5_590, 112)):
        part, whole = data.part(extended=False), data.part(extended=True)
        assert (len(part.dev), len(part.dev) + len(part.test)) == (plain // 10, plain)
        assert (len(whole.dev), len(whole.dev) + len(whole.test)) == ((plain + copies) // 10, plain + copies)


@pytest.mark.usefixtures("encoder", "lexicon")
def test_omega_off_by_one_on_twitter_para(data, sets, tmp_path):  # noqa: ARG001
    (tmp_path / "parascore").mkdir()
    (tmp_path / "parascore" / "twitter").symlink_to(data / "parascore" / "twitter")
    cells = parascore2022.reproduce(tmp_path, wanted=lambda table: table == "Table 9")
    rows = {(cell.row, cell.column): cell for cell in cells}
    cell = rows["ParaScore, all-MiniLM-L6-v2", "Twitter-Para Pearson"]
    assert "choose 0.08, their code goes on with 0.09" in cell.why
    assert cell.authors != cell.corrected
    assert (cell.authors, cell.corrected) == pytest.approx((0.591, 0.591), abs=THIRD)
    # with copies among the candidates a weight five times as large is chosen
    extended = rows["ParaScore, all-MiniLM-L6-v2", "Twitter-Para, extended Pearson"]
    assert "choose 0.43, their code goes on with 0.44" in extended.why


def test_one_missing_data_set_does_not_hide_the_other(data, sets, tmp_path):  # noqa: ARG001
    (tmp_path / "parascore").mkdir()
    (tmp_path / "parascore" / "bq").symlink_to(data / "parascore" / "bq")
    cells = parascore2022.reproduce(tmp_path, wanted=lambda table: table == "Split")
    assert [cell.column for cell in cells] == ["BQ-Para", "Twitter-Para"]
    assert "twitter-para is not here" in cells[1].why
    assert cells[1].authors is None


def test_only_numbers_that_were_read_are_printed():
    assert printed("BLEU-4", "Twitter-Para", "Spearman") == "-0.104"
    assert printed("BLEU-4", "BQ-Para", "Pearson", extended=True) == "log.txt: 0.156"
    assert printed("ParaScore, bert-base-uncased", "Twitter-Para", "Pearson") == "0.522"
    assert printed("ParaScore.Free, bert-base-uncased", "Twitter-Para", "Pearson") == "log.txt: 0.426 to 0.522, 7 runs"
    assert printed("METEOR", "Twitter-Para", "Pearson") is None


def test_the_printed_parascore_is_among_the_logged_runs_called_free_and_not_among_the_others():
    """0.522 / 0.523 stands in the paper for ParaScore; the log has it in free mode, and at most 0.520 / 0.521 else."""
    name = "bert-base-uncased"
    assert PAPER["Twitter-Para", f"ParaScore, {name}"] == ("0.522", "0.523")
    logged = {
        mode: {(f"{run.pearson:.3f}", f"{run.spearman:.3f}") for run in LOG if run.row == f"{mode}, {name}"}
        for mode in ("ParaScore", "ParaScore.Free")
    }
    assert ("0.522", "0.523") in logged["ParaScore.Free"]
    assert max(logged["ParaScore"]) == ("0.520", "0.521")
