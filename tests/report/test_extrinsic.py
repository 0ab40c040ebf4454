"""The report of an extrinsic evaluation: its tables and charts, and names that are markup."""

import math
from pathlib import Path

import polars
import pytest

from paragauge.errors import InputError
from paragauge.extrinsic.association import Association
from paragauge.extrinsic.prediction import Prediction
from paragauge.extrinsic.results import Associated, Curve, Evaluation, TaskOutcome, finish, open_store
from paragauge.reports.studies.extrinsic import write_extrinsic_report
from paragauge.reports.write import extract, write_report

NAME = "<img src=x onerror=\"document.title='broken'\">"


@pytest.fixture
def found() -> Evaluation:
    rows = []
    for mode in ("replace", "augment"):
        for share in (0.1, 1.0) if mode == "augment" else (1.0,):
            for place, name in enumerate(("original", NAME)):
                gain = (math.nan,) * 5 if not place else (-0.1, -0.2, 0.0, 4e-7, 0.08)
                tests = () if not place else (0.05, 0.02)
                rows.append(
                    TaskOutcome(
                        "cr", mode, name, share, "gru", 2, 100, 0.8 - place / 10, 0.7, 0.9, 0.01, *gain, tests, ""
                    )
                )
    numbers = dict.fromkeys(Association._fields[1:-2], 0.25)
    association = Association(metric="weem4pg", texts=100, reason="", **numbers)
    undefined = Prediction("weem4pg", "replace", *[math.nan] * 5, 1, 1, "1 paraphraser; expected 3 or more")
    return Evaluation(
        rows,
        [Associated("cr", NAME, "gru", association)],
        [undefined],
        [Curve("cr", NAME, "gru", 0, (0.7, 0.4, 0.1))],
        {"cr": {NAME: {"weem4pg": 0.2}}},
        ["cr: no paraphraser is shown to be able to replace the originals"],
        ["a note"],
        {"gru": "gru|epochs:3"},
        {"gru": 3.0, "tfidf": math.nan},
    )


def test_the_page_opens_and_shows_names_as_text(found, opened, tmp_path):
    write_extrinsic_report(found, output=tmp_path / "page.html")
    page = opened(tmp_path / "page.html")
    assert page.title() == "Do paraphrases help: cr"
    assert NAME in page.inner_text("#task-1")
    assert "p ≤ 0.05" in page.inner_text("#task-1")
    sheet = page.locator('[data-table="cr replace"]')
    for format, written in (
        ("CSV", ",4e-7,0.08,"),
        ("LaTeX", r"& \textless{} 0.001 & 0.080 &"),
        ("Markdown", "| &lt; 0.001 |"),
    ):
        sheet.get_by_role("button", name=format).click()
        assert written in sheet.locator("textarea").input_value()


def test_tables_and_charts(found, tmp_path: Path):
    pytest.importorskip("vl_convert", reason="needs the extra charts")
    file = tmp_path / "page.html"
    write_extrinsic_report(found, output=file)
    text = file.read_text(encoding="utf-8")
    assert text.count('<figure class="chart') == 2  # learning curves, losses
    assert "<img src=x" not in text
    for name, rows in (("cr replace", 2), ("cr augment", 4), ("cr scores", 1), ("intrinsic", 1), ("losses", 1)):
        extract(file, tmp_path / "table.csv", name, overwrite=True)
        assert polars.read_csv(tmp_path / "table.csv").height == rows
    extract(file, tmp_path / "table.csv", "cr scores", overwrite=True)
    assert "0.250 (0.250 to 0.250)" in (tmp_path / "table.csv").read_text()  # r with its interval


def test_a_run_folder_gives_the_same_page(found, tmp_path: Path):
    run = open_store(tmp_path / "run", {"cr": "any"})
    finish(run, found.record(), {}, 6)
    run.release()
    write_report(tmp_path / "run", output=tmp_path / "one.html")
    write_extrinsic_report(found, output=tmp_path / "two.html")
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    with pytest.raises(InputError, match="reported by itself; expected one run folder"):
        write_report(tmp_path / "run", tmp_path / "run", output=tmp_path / "three.html")
