"""Reports as files: what they hold, what is refused, and the data taken out again."""

import re
import sys
from pathlib import Path

import polars
import pytest

from paragauge.errors import InputError
from paragauge.evaluate.score_file import score_file
from paragauge.reports import charts, page
from paragauge.reports.document import Measured, Pair, PValue, Section, Table, Text, marked
from paragauge.reports.pack import read_packed
from paragauge.reports.runs import read_runs
from paragauge.reports.write import extract, write_report
from paragauge.stats.interval import Estimate

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_policy_allows_this_page_and_nothing_else(report):
    text = report.read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "http:" not in text.replace("http://www.w3.org/", "")
    assert "https:" not in text
    assert text.count("<script>") == 1  # no text of the data has become one


def test_the_same_runs_give_the_same_file(run, tmp_path):
    for name in ("one.html", "two.html"):
        write_report(run, output=tmp_path / name)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()


def test_scores_and_texts_come_out_as_they_went_in(run, report, tmp_path):
    extract(report, tmp_path / "scores.parquet")
    expected = polars.read_parquet(run / "scores.parquet").drop("counts")
    assert polars.read_parquet(tmp_path / "scores.parquet").equals(expected, null_equal=True)
    extract(report, tmp_path / "samples.parquet", "samples")
    samples = polars.read_parquet(run / "samples.parquet").rename({"sample": "id"})
    found = polars.read_parquet(tmp_path / "samples.parquet")
    assert found.equals(samples.select(found.columns), null_equal=True)


def test_a_table_that_is_shown_can_be_taken_out(report, tmp_path):
    extract(report, tmp_path / "systems.csv", "systems")
    found = polars.read_csv(tmp_path / "systems.csv")
    assert set(found["system"]) == {"copy", "<b>other</b>"}
    assert {"ned.free ↑", "ned.free ↑ low", "ned.free ↑ high"} <= set(found.columns)
    with pytest.raises(InputError, match="no table of the report is named 'system'; did you mean 'systems'"):
        extract(report, tmp_path / "other.csv", "system")


def test_what_is_no_report_is_refused(run, tmp_path):
    (tmp_path / "page.html").write_text("<p>hello</p>")
    with pytest.raises(InputError, match="is not a report of paragauge"):
        extract(tmp_path / "page.html", tmp_path / "scores.csv")
    with pytest.raises(InputError, match="is not a run folder"):
        write_report(tmp_path / "nowhere", output=tmp_path / "new.html")
    with pytest.raises(InputError, match=r"known: \.html, \.htm"):
        write_report(run, output=tmp_path / "report.pdf")
    (tmp_path / "there.html").write_text("mine")
    with pytest.raises(InputError, match="already exists"):
        write_report(run, output=tmp_path / "there.html")
    assert (tmp_path / "there.html").read_text() == "mine"


def test_damaged_data_are_told_of(report, tmp_path):
    text = report.read_text(encoding="utf-8")
    start = text.index('id="data-scores">') + len('id="data-scores">')
    (tmp_path / "cut.html").write_text(text[:start] + "AAAA" + text[start + 400 :], encoding="utf-8")
    with pytest.raises(InputError, match=r"the data in .* are damaged"):
        extract(tmp_path / "cut.html", tmp_path / "scores.csv")


def test_several_runs_are_one_report(run, tmp_path):
    write_report(run, run, output=tmp_path / "both.html")
    extract(tmp_path / "both.html", tmp_path / "scores.parquet")
    found = polars.read_parquet(tmp_path / "scores.parquet")
    assert found["system"].unique().sort().to_list() == [
        "pairs (1): <b>other</b>",
        "pairs (1): copy",
        "pairs (2): <b>other</b>",
        "pairs (2): copy",
    ]


def test_without_the_extra_the_tables_say_it_all(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)  # as where it is not installed
    write_report(run, output=tmp_path / "plain.html")
    text = (tmp_path / "plain.html").read_text(encoding="utf-8")
    assert "pip install &#x27;paragauge[charts]&#x27;" in text
    assert "<svg" not in text
    assert "Percentiles of the scores" in text


def test_a_run_with_one_metric_and_one_system(tmp_path):
    from paragauge.evaluate.score_file import score_file

    polars.DataFrame({"source": ["a b", "c d"], "candidate": ["a c", "d c"]}).write_csv(tmp_path / "pairs.csv")
    score_file(tmp_path / "pairs.csv", metrics=["ned.free"], run=tmp_path / "run")
    write_report(tmp_path / "run", output=tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "candidate scores 0.333" in text or "candidate scores" in text
    assert "Differences between systems" not in text


def test_the_sentence_warns_of_a_leader_that_copies(tmp_path):
    from paragauge.evaluate.score_file import score_file

    score_file(EXAMPLES / "pairs.csv", metrics=["chrf.free", "ned.free"], run=tmp_path / "run")
    write_report(tmp_path / "run", output=tmp_path / "report.html")
    found = re.search(r'class="answer">([^<]*)<', (tmp_path / "report.html").read_text(encoding="utf-8"))[1]
    assert found.startswith("By chrf.free, copy is first with 100.0")
    assert found.endswith("But 14 of its 14 candidates are copies of their source.")


def test_axes_prefer_meaning_and_changed_where_they_are(run):
    found = read_runs([run])
    assert found.axes() == (None, "ned.free")
    assert found.digits("chrf.free") == 1


def test_the_two_axes_of_the_map_are_two_metrics(tmp_path):
    """Whatever there is: a distance of words is never drawn against itself, nor called meaning."""
    table = polars.DataFrame({"source": ["a b c", "d e"], "candidate": ["a c", "d f"]})
    table.write_csv(tmp_path / "pairs.csv")
    score_file(tmp_path / "pairs.csv", metrics=["ned.free", "chrf.free"], run=tmp_path / "run")
    write_report(tmp_path / "run", output=tmp_path / "report.html")
    found = read_packed(tmp_path / "report.html").header["map"]
    assert (found["across"], found["up"]) == ("chrf.free", "ned.free")
    assert found["titles"] == {"ned.free": "words changed"}


def test_a_small_p_value_is_not_shown_as_0_and_keeps_its_digits():
    table = Table("t", "c", ["metric", "p"], [["a", PValue(3e-7)], ["b", PValue(0.04)], ["c", PValue(float("nan"))]])
    assert re.findall(r'<td class="number"[^>]*>([^<]*)<', table.html()) == ["&lt; 0.001", "0.040", "–"]
    assert table.plain()["rows"] == [["a", 3e-7], ["b", 0.04], ["c", None]]


def test_markup_is_text_everywhere():
    bad = '<script>alert("x")</script>\u202e'
    parts = [
        Text([bad]),
        Text([bad, bad], "warning"),
        Table("t", bad, [bad], [[bad], [Measured(Estimate(0.5))]]),
        Pair(0, bad, bad, f"{bad} too", bad),
    ]
    text = Section("s", bad, parts).html()
    assert "<script" not in text
    assert "\u202e" not in text
    assert marked("<b>", "<i>") == "&lt;<del>b</del><ins>i</ins>&gt;"


def test_every_script_and_part_of_the_page_is_used():
    folder = Path(page.__file__).parent / "page"
    used = {*page.SCRIPTS, "page.html", "map.html", "style.css"}
    assert {file.name for file in folder.iterdir()} == used


def test_colours_of_charts_are_those_of_the_map():
    style = page.part("style.css")
    assert re.findall(r"--s\d: (#\w+);", style)[: len(charts.COLOURS)] == list(charts.COLOURS)
