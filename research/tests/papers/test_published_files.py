"""Readers of published score files and LaTeX tables, and diversity of files."""

from __future__ import annotations

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge_research.papers.bawden2020.published import Printed, read_diversity, read_scores, read_table, score_file
from paragauge_research.trees.kernels import diversity_of_files, syntax_diversity, word_diversity

TABLE = r"""\begin{tabular}{llrr}
\toprule
&& \multicolumn{2}{c}{Correlation} \\
 Approach & Method & (16) & (12\\
\midrule
Baseline & \bleu &  {0.890} & 0.985 \\
\multirow{3}{*}{\pbox{1.9cm}{Paraphrase baselines (+5)}}
 & \beam  & \textbf{0.928} & {-0.16} \\
\multirow{1}{*}{Constraints}
& 4-gram & 0.\textbf{933} & 63.17  \\% && 1.00 & 2.00 \\
% & \hidden & 0.1 & 0.2 \\
Human && - & - \\
& \tiny WMT-19 best  & \tiny\textbf{0.20} & \tiny\textbf{0.22}*** \\
& & \tiny (\textsc{YiSi}) & \tiny \textsc{YiSi} \\
\bottomrule
\end{tabular}
\begin{tabular}{rr}
50\% & \textbf{4.43} \\
\end{tabular}
"""


def test_rows_of_a_latex_table(tmp_path):
    path = tmp_path / "table.tex"
    path.write_text(TABLE)
    plain = [(row.part, row.group, row.method, [cell.text for cell in row.cells]) for row in read_table(path)]
    assert plain == [
        (0, "Approach", "Method", ["16", "12"]),
        (0, "Baseline", "bleu", ["0.890", "0.985"]),
        (0, "Paraphrase baselines (+5)", "beam", ["0.928", "-0.16"]),
        (0, "Constraints", "4-gram", ["0.933", "63.17"]),
        (0, "Human", "", [None, None]),
        (0, "Human", "WMT-19 best", ["0.20", "0.22"]),
        (1, "50%", "", ["4.43"]),
    ]
    bold = [[cell.bold for cell in row.cells] for row in read_table(path)]
    assert bold == [[False] * 2, [False] * 2, [True, False], [True, False], [False] * 2, [True] * 2, [True]]
    assert read_table(path)[2].cells[0] == Printed("0.928", True)


def test_score_files(tmp_path):
    path = tmp_path / "scores.tsv"
    path.write_text("m\tde-en\tnews\ta\t2\t0.5\nm\tde-en\tnews\ta\t1\t0.25\n")
    np.testing.assert_array_equal(read_scores(path)["de-en"]["a"], [0.25, 0.5])
    path.write_text('bash made.sh "x y" 1\nm\tde-en\tnews\ta\t\t7\nm\tde-en\tnews\tb\t8.5\nm\tde-en\tnews\tc\t\n')
    assert {name: values.tolist() for name, values in read_scores(path)["de-en"].items()} == {"a": [7], "b": [8.5]}
    for text in ("m\tde-en\tnews\ta\t1\nm\tde-en\tnews\ta\t2\n", "m\tde-en\tnews\ta\t1\t7\nm\tde-en\tnews\ta\t3\t7\n"):
        path.write_text(text)
        with pytest.raises(InputError, match="the segments of a are not counted 1, 2, 3"):
            read_scores(path)
    path.write_text("")
    with pytest.raises(InputError, match="has no scores"):
        read_scores(path)


def test_names_of_score_files(tmp_path):
    names = [
        ("bleu", "baseline", 0, "syslevel", "sacreBLEU-syslevel.tsv"),
        ("meteor", "baseline", 0, "seglevel.500", "Meteor-seglevel.500.tsv"),
        ("bleu", "beam", 5, "syslevel", "beam/parbleu-beam.num=5-syslevel.tsv"),
        ("meteor", "human", 5, "syslevel.500", "human/parmeteor-human-syslevel.500.tsv"),
        ("bleu", "output-specific laser", 1, "syslevel", "mt-output-specific/parbleu-constrained-laser.syslevel.tsv"),
    ]
    for metric, method, extras, level, name in names:
        assert score_file(tmp_path, metric, method, extras, level) == tmp_path / "metric-scores" / name


def test_diversity_files(tmp_path):
    path = tmp_path / "beam.bow"
    path.write_text(
        "Done.deen-newstest2019 = 0.3\nDP bow averaged over all languages = 0.25\n"
        "\tdeen-newstest2019 = 0.3\tCalculated on 2 sentences\n"
    )
    assert read_diversity(path) == {"de-en": 0.3, "average": 0.25}
    path.write_text("stopped\n")
    with pytest.raises(InputError, match="has no line 'averaged over all languages'"):
        read_diversity(path)


def test_diversity_of_versions():
    # "a b" and "a c" share one word of two: 1/2; the same words twice: 0
    assert word_diversity([["a b", "x y"], ["a c", "x y"]]) == ("words", 0.25, 2, 0)
    one, other = "(S (NP x) (VP y))", "(S (VP y) (NP x))"
    assert syntax_diversity([[one, one, "(())"], [one, other, one]])[2:] == (3, 1)
    assert syntax_diversity([[one], [one]]).value == pytest.approx(0, abs=1e-12)  # a quotient of roots
    assert syntax_diversity([[one], [other]]).value > 0.1


def test_diversity_of_files_that_do_not_fit(tmp_path):
    for name, text in (("a.en", "x\ny\n"), ("b.en", "x\ny\n"), ("c.en", "x\n"), ("a.parse", "(S (A x))\n(S (A y))\n")):
        (tmp_path / name).write_text(text)
    a, b, c, parse = (tmp_path / name for name in ("a.en", "b.en", "c.en", "a.parse"))
    assert [row.kind for row in diversity_of_files([a, b], [parse, parse])] == [
        "words",
        "trees, words removed",
        "trees, words blank",
    ]
    with pytest.raises(InputError, match="1 files of parses for 2 of texts"):
        diversity_of_files([a, b], [parse])
    with pytest.raises(InputError, match=r"a.en has 2 lines but .*c.en has 1; line n of each"):
        diversity_of_files([a, c])
    with pytest.raises(InputError, match="1 version has nothing to differ from"):
        diversity_of_files([a])
    c.write_text("")
    with pytest.raises(InputError, match="the versions have no lines"):
        diversity_of_files([c, c])
