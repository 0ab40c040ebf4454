"""What a report says of usable candidates: first of all, per row, and at other thresholds."""

import re
import shutil

import numpy as np
import polars
import pytest

from paragauge.errors import InputError
from paragauge.reports.pack import read_packed
from paragauge.reports.runs import read_runs
from paragauge.reports.write import extract, write_report
from paragauge.runs.listing import verify_run
from paragauge.runs.record import FORMAT, as_manifest, as_record, file_sha256, read_record
from paragauge.verdict.findings import Outcome
from paragauge.verdict.tally import Reason
from paragauge.verdict.words import reasons


@pytest.fixture(scope="module")
def verdict_report(judged_run, tmp_path_factory):
    output = tmp_path_factory.mktemp("verdict") / "report.html"
    write_report(judged_run, output=output)
    return output


def test_the_verdict_leads(judged_run, verdict_report, tmp_path):
    kept = read_record(judged_run)["verdict"]
    text = verdict_report.read_text(encoding="utf-8")
    assert re.search(r'class="answer">([^<]*)<', text)[1] == kept["conclusion"]
    assert text.index('data-table="verdict"') < text.index('data-table="systems"') < text.index('id="map"')
    extract(verdict_report, tmp_path / "verdict.csv", "verdict")
    found = polars.read_csv(tmp_path / "verdict.csv")
    assert found["system"].to_list() == ["rewrite", "slip", "copy"]
    for row, one in zip(found.iter_rows(named=True), kept["systems"], strict=True):
        for name, shown in (("meaning", "meaning kept"), ("changed", "words changed"), ("usable", "usable")):
            assert [row[shown], row[f"{shown} low"], row[f"{shown} high"]] == list(one[name].values())
        assert row["why not"] == reasons({Outcome(name): Reason(**reason) for name, reason in one["why"].items()})
    assert found["why not"][1] == "15 meaning lost (15 number)"
    extract(verdict_report, tmp_path / "systems.csv", "systems")
    columns = polars.read_csv(tmp_path / "systems.csv").columns
    assert columns[:2] == ["system", "ned.free ↑"]  # the three are told of above


def test_a_metric_that_rates_copies_highest_is_told_of(judged, verdict_report, tmp_path):
    write_report(judged.make_run(tmp_path, beside="bleu.free"), output=tmp_path / "report.html")
    said = "By bleu.free, copy is first, but 20 of its 20 candidates are copies of their source, which metrics of"
    assert said in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "candidates are copies of their source, which" not in verdict_report.read_text(encoding="utf-8")


def test_shares_at_other_thresholds_are_those_that_the_run_counted(judged_run, verdict_report):
    found = read_runs([judged_run])
    kept = read_record(judged_run)["verdict"]["sensitivity"]
    rows = found.usable_rows
    for i, accept in enumerate(kept["accept"]):
        for j, changed in enumerate(kept["min_changed"]):
            counted = {system: counts[i][j] / 20 for system, counts in kept["usable"].items()}
            assert rows.shares(accept, changed) == counted
    header = read_packed(verdict_report).header
    assert (header["verdict"]["accept"], header["verdict"]["min_changed"]) == (0.8, 0.15)
    assert (header["map"]["across"], header["map"]["up"]) == ("meaning", "changed")


def test_other_thresholds_are_those_of_the_run(judged, tmp_path):
    run = judged.make_run(tmp_path, accept=0.6, min_changed=0.2)
    write_report(run, output=tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "slip has the most usable candidates, 100%" in text  # numbers may differ by 300 euros
    assert "Usable: meaning at least 0.6, words changed at least 0.2." in text
    header = read_packed(tmp_path / "report.html").header
    assert header["verdict"]["usable"] == "usable:accept=0.6,min_changed=0.2,strict=no"


def test_reasons_are_pressed_thresholds_moved_and_lost_words_marked(opened, verdict_report):
    page = opened(verdict_report)
    shares = page.locator("#limits-shares")
    assert shares.inner_text() == "usable: rewrite 90%, slip 25%, copy 0%"
    page.locator('[data-why="meaning lost: number"]').click()
    assert page.locator("#rows-count").inner_text() == "15 of 60 pairs"
    assert page.locator("#rows-why").input_value() == "meaning lost: number"
    assert "why=meaning+lost" in page.url
    first = page.locator("#row-0 > div").all_inner_texts()
    assert first[:2] == ["5", "slip"]
    assert first[4] == "meaning lost (number): “205” → “505”"
    page.locator("#row-0").click()
    assert page.locator("#pair-verdict .badge").inner_text() == "not usable"
    assert "meaning is 0.600; 0.8 is needed" in page.locator("#pair-verdict").inner_text()
    assert page.locator("#pair mark").all_inner_texts() == ["205", "505"]
    page.locator("#pair-close").click()
    page.locator("#map-clear").click()
    page.locator("#rows-why").select_option("usable")
    assert page.locator("#rows-count").inner_text() == "23 of 60 pairs"
    page.locator("#limit-meaning").fill("0.5")
    page.locator("#limits-shares", has_text="slip 100%").wait_for()
    assert shares.inner_text() == "usable: slip 100%, rewrite 90%, copy 0%"
    assert "limits=0.5%2C0.15" in page.url
    again = opened(verdict_report, "#limits=0,0", viewport={"width": 390, "height": 844})
    # what is empty or garbled is not usable at any threshold
    assert again.locator("#limits-shares").inner_text() == "usable: slip 100%, copy 100%, rewrite 90%"
    again.locator("#limits-reset").click()
    assert again.locator("#limits-shares").inner_text() == "usable: rewrite 90%, slip 25%, copy 0%"
    assert again.evaluate("document.documentElement.scrollWidth") <= 390
    assert again.locator('[data-table="verdict"] .why').first.bounding_box()["height"] < 120


def test_what_a_rule_sees_lost_is_usable_at_no_threshold(judged, opened, tmp_path):
    write_report(judged.make_run(tmp_path, strict=True), output=tmp_path / "report.html")
    assert "no number, name, negation or the like lost" in (tmp_path / "report.html").read_text(encoding="utf-8")
    page = opened(tmp_path / "report.html", "#limits=0,0")
    # five of the twenty slips are rewrites
    assert page.locator("#limits-shares").inner_text() == "usable: copy 100%, rewrite 90%, slip 25%"


@pytest.mark.thorough
def test_accessibility_with_a_verdict(opened, verdict_report, axe):
    page = opened(verdict_report, color_scheme="dark", bypass_csp=True)
    page.add_script_tag(path=axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found["violations"]] == []


def test_a_run_without_a_verdict_shows_none(opened, report):
    page = opened(report, "#why=usable&limits=0,0")
    assert not page.locator("#limits").is_visible()
    assert not page.locator("#rows-why").is_visible()
    assert page.locator("#rows-head button").all_inner_texts()[:5] == [
        "sample", "system", "source", "candidate", "chrf.free"
    ]  # fmt: skip
    assert page.locator("#rows-count").inner_text() == "All 58 pairs"


def test_the_verdict_is_shown_where_it_is_asked_for(judged_run, tmp_path):
    write_report(judged_run, output=tmp_path / "asked.html", metrics=["usable:accept=0.8,strict=no"], baseline="copy")
    text = (tmp_path / "asked.html").read_text(encoding="utf-8")
    assert "By usable:accept=0.8,strict=no, compared with copy: rewrite is significantly better (" in text
    assert 'data-table="systems"' not in text  # no other metric was asked for
    assert read_packed(tmp_path / "asked.html").header["map"]["across"] == "meaning"
    write_report(judged_run, output=tmp_path / "other.html", metrics=["ned.free"])
    header = read_packed(tmp_path / "other.html").header
    assert "verdict" not in header
    assert (header["map"]["across"], header["map"]["up"]) == ("meaning", "ned.free")
    with pytest.raises(InputError, match=r"no metric 'ned\.fre' in the runs; did you mean 'ned\.free'"):
        write_report(judged_run, output=tmp_path / "wrong.html", metrics=["ned.fre"])


def test_a_run_of_the_first_format_gives_the_same_report(judged_run, verdict_report, tmp_path):
    """It had the verdict in a file of its own, and no outcomes; a run of a format to come is refused."""
    run = tmp_path / judged_run.name
    shutil.copytree(judged_run, run)
    record = read_record(run)
    files = [*record["files"], "verdict.json"]
    (run / "verdict.json").write_bytes(as_record(record.pop("verdict")))
    scores = polars.read_parquet(run / "scores.parquet").drop("outcome", "findings")
    scores.write_parquet(run / "scores.parquet")
    del record["format"]
    write(run, record | {"files": files})
    write_report(run, output=tmp_path / "report.html")
    found, expected = (read_packed(path) for path in (tmp_path / "report.html", verdict_report))
    assert found.header == expected.header
    assert (found.scores == expected.scores)[~np.isnan(expected.scores)].all()
    assert verify_run(run) == []
    write(run, record | {"files": files, "format": FORMAT + 1})
    with pytest.raises(InputError, match=f"format {FORMAT + 1} of a newer version; known: up to {FORMAT}"):
        write_report(run, output=tmp_path / "newer.html")


def write(run, record):
    (run / "run.json").write_bytes(as_record(record))
    sums = {name: file_sha256(run / name) for name in [*record["files"], "run.json"]}
    (run / "manifest.json").write_bytes(as_manifest(sums))


def test_a_report_reads_the_verdict_of_the_run(judged_run, tmp_path):
    """It does not compute it again: what the record says is what is shown."""
    run = tmp_path / "run"
    shutil.copytree(judged_run, run)
    record = read_record(run)
    record["verdict"]["systems"][0]["why"]["empty"]["rows"] = 41
    write(run, record)
    write_report(run, output=tmp_path / "report.html")
    assert "41 empty" in (tmp_path / "report.html").read_text(encoding="utf-8")
    del record["verdict"]["metrics"]
    write(run, record)
    with pytest.raises(InputError, match="run: the verdict in its record is not what a run has there"):
        write_report(run, output=tmp_path / "damaged.html")
