"""Reports of studies in a browser: which metric to trust, and whether additional references help."""

from pathlib import Path

import numpy as np
import polars
import pytest

from paragauge.files.ratings import read_ratings
from paragauge.meta.analysis import Request
from paragauge.meta.leaderboard import leaderboard
from paragauge.meta.scored import score_ratings
from paragauge.reports.studies.meta import write_meta_report

from .test_page import check_accessibility

pytest.importorskip("vl_convert", reason="needs the extra charts")


@pytest.fixture(scope="module")
def meta_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of 40 sources with three candidates each and two raters, so that there is a ceiling."""
    folder = tmp_path_factory.mktemp("meta")
    random = np.random.default_rng(0)
    words = ["the", "cat", "dog", "sat", "ran", "under", "tree", "now", "then", "river"]
    rows = []
    for place in range(40):
        source = [*random.choice(words, 7), str(place)]
        for share in (0.1, 0.4, 0.8):
            text = [str(random.choice(words)) if random.random() < share else word for word in source]
            similar = float(random.random())  # so that meaning differs where wording does not, and the other way
            for rater in ("anna", "ben"):
                human = 100 * (1 - share) + random.normal(0, 15)
                texts = {"source": " ".join(source), "candidate": " ".join(text)}
                rows.append({"id": f"{place} {share}"} | texts | {"rater": rater, "human": human, "sim": similar})
    polars.DataFrame(rows).write_csv(folder / "rated.csv")
    return write_report_of(folder / "rated.csv", ["chrf.free", "ned.free", "pinc"], "paragauge meta '<b>rated</b>.csv'")


def write_report_of(table: Path, metrics: list[str], command: str) -> Path:
    """What `paragauge meta TABLE --score sim --similarity sim --report meta.html` does, with few resamples."""
    request = Request(metrics, "pearson", "sim", 200, 0, None, "auto", None)
    scored = score_ratings(read_ratings(table, scores=["sim"]), metrics)
    found = leaderboard(scored, "pearson", "pooled", "bootstrap", 200, 0)
    write_meta_report(found, scored, request, output=table.with_name("meta.html"), command=command)
    return table.with_name("meta.html")


def test_the_ceiling_the_analyses_and_the_command_are_in_it(opened, meta_report):
    page = opened(meta_report)
    titles = page.locator("h2").all_inner_texts()
    assert titles[:2] == ["Answer", "Metrics by agreement"]
    assert {"By distance", "What metrics see: meaning and wording", "When candidates are copies"} <= set(titles)
    assert page.locator("figure.chart").count() == 4
    assert page.locator("#standings svg text", has_text="ceiling 0.").count() == 1
    assert page.locator("#about code").first.inner_text() == "paragauge meta '<b>rated</b>.csv'"
    assert page.locator("#about b").count() == 0
    sheet = page.locator('[data-table="standings"]')
    sheet.get_by_role("button", name="LaTeX").click()
    assert sheet.locator("textarea").input_value().startswith(r"\begin{tabular}{lr")


def test_what_cannot_be_drawn_is_told(tmp_path):
    """Of a few pairs meaning and wording cannot be told apart: the table stays, without its chart."""
    polars.DataFrame(
        {"source": ["a b", "c d", "e f"], "candidate": ["a c", "c d", "g"], "human": [1.0, 2.0, 0.0], "sim": [1, 2, 3]}
    ).write_csv(tmp_path / "rated.csv")
    write_report_of(tmp_path / "rated.csv", ["chrf.free", "ned.free"], "")
    text = (tmp_path / "meta.html").read_text(encoding="utf-8")
    assert "there are no metrics that are defined on all pairs to draw" in text
    assert 'data-table="ability"' in text


def test_on_a_phone_and_for_everyone(opened, meta_report, axe):
    page = opened(meta_report, bypass_csp=True, viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    check_accessibility(page, axe, ("light", None), ("dark", None))
    page.emulate_media(color_scheme="dark")
    # the edge around a label is of the page's colour, so that the label can be read
    assert set(
        page.locator("svg text[stroke]").evaluate_all("all => all.map(one => getComputedStyle(one).stroke)")
    ) == {page.evaluate("getComputedStyle(document.body).backgroundColor")}
