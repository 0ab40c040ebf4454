"""The report in a real browser, opened from disk with the network cut."""

import sys
from pathlib import Path

import pytest

from .conftest import HOSTILE


def drag(page, left: float, top: float, right: float, bottom: float) -> None:
    """Select a part of the map, given in shares of its width and height."""
    frame = page.locator("#map-marks")
    frame.scroll_into_view_if_needed()
    box = frame.bounding_box()
    page.mouse.move(box["x"] + left * box["width"], box["y"] + top * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + right * box["width"], box["y"] + bottom * box["height"], steps=3)
    page.mouse.up()


def count(page) -> int:
    text = page.locator("#rows-count").inner_text()
    return int(text.removeprefix("All ").split()[0].replace(",", ""))


def test_texts_are_shown_as_text(opened, report):
    page = opened(report)
    assert page.title() == "Paraphrases: pairs"
    assert page.locator("#rows img, #rows script, #pair img, main img").count() == 0
    for place, (name, text) in enumerate(HOSTILE.items()):
        page.evaluate(f"location.hash = '#row={place + 1}'")
        page.wait_for_selector(f"#pair[open] >> text=sample {place}")
        shown = page.locator("#pair dd").first.inner_text()
        if name == "override":
            assert shown == r"user\u202etxt.exe and \u001b[31mred"
        else:
            assert shown == text
    assert len(HOSTILE["long"]) > 10_000


def test_right_to_left_text_runs_from_the_right(opened, report):
    page = opened(report, f"#row={[*HOSTILE].index('rtl') + 1}")
    assert page.locator("#pair dd").first.evaluate("cell => getComputedStyle(cell).direction") == "rtl"


def test_brush_selects_rows_and_the_address_keeps_it(opened, report):
    page = opened(report, "#x=pinc&y=ned.free")
    whole = count(page)
    assert whole == 58
    drag(page, 0.02, 0.5, 0.12, 0.98)  # the corner of the copies
    some = count(page)
    assert 0 < some < whole
    assert "box=" in page.url
    again = opened(report, "#" + page.url.partition("#")[2])
    assert count(again) == some
    assert again.locator("#box-left").input_value() != ""
    again.locator("#map-clear").click()
    assert count(again) == whole
    assert "box=" not in again.url


def test_numbers_select_as_the_mouse_does(opened, report):
    page = opened(report)
    axis = page.locator("#map-y").input_value()
    page.locator("#box-bottom").fill("0.0001")
    page.locator("#box-bottom").press("Enter")
    scores = page.evaluate("document.documentElement.dataset.ready") and count(page)
    assert axis == "ned.free"
    assert 0 < scores < 58  # copies have no distance at all


def test_hover_shows_the_texts(opened, report):
    page = opened(report, "#x=pinc&y=ned.free")
    frame = page.locator("#map-marks")
    frame.scroll_into_view_if_needed()
    box = frame.bounding_box()
    # copies lie where both are 0: the corner at the bottom left
    page.mouse.move(box["x"] + 60, box["y"] + box["height"] - 44)
    tip = page.locator("#map-tip")
    tip.wait_for(state="visible")
    assert tip.locator("strong").inner_text() == "copy"


def test_everything_works_by_keyboard(opened, report):
    page = opened(report)
    page.locator("#map-marks").focus()
    for _ in range(4):
        page.keyboard.press("Shift+ArrowUp")
        page.keyboard.press("Shift+ArrowRight")
    assert "box=" in page.url
    page.keyboard.press("Escape")
    assert "box=" not in page.url
    page.locator("#rows").focus()
    for key in ("ArrowDown", "ArrowDown", "PageDown", "Home", "ArrowDown"):
        page.keyboard.press(key)
    assert page.locator(".row.current").get_attribute("id") == "row-1"
    page.keyboard.press("Enter")
    assert page.locator("#pair").get_attribute("open") is not None
    assert "row=2" in page.url
    page.keyboard.press("Escape")
    assert page.locator("#pair").get_attribute("open") is None
    page.wait_for_url(lambda address: "row=" not in address)  # a moment after the dialog is gone


def test_the_table_sorts_filters_and_keeps_few_rows_in_the_document(opened, report):
    page = opened(report)
    page.locator("#rows-head button", has_text="ned.free").click()
    first = page.locator("#row-0 .number").nth(1).inner_text()
    assert float(first) == max(
        float(text.replace("−", "-"))
        for text in page.locator(".row .number:nth-child(6)").all_inner_texts()
        if text != "–"
    )
    assert page.locator(".row").count() < 30
    page.locator("#rows-search").fill("NUMBER 7 ")
    # not wait_for_function, which evaluates a string in the page, and that its policy forbids
    page.locator("#rows-count", has_text="2 of").wait_for()
    page.locator("#map-clear").click()
    page.locator("[data-reason]", has_text="the candidate is empty").click()
    assert count(page) == 1
    assert page.locator("#row-0").inner_text().splitlines()[0] == "28"


def test_hidden_systems_leave_the_table(opened, report):
    page = opened(report)
    page.locator("#map-systems label", has_text="copy").click()
    assert count(page) == 29
    assert "hide=copy" in page.url


def test_tables_copy_in_three_formats(opened, report):
    page = opened(report)
    sheet = page.locator('[data-table="systems"]')
    for format, beginning in (("CSV", "system,"), ("LaTeX", r"\begin{tabular}"), ("Markdown", "| system |")):
        sheet.get_by_role("button", name=format).click()
        assert sheet.locator("textarea").input_value().startswith(beginning)
    assert "&lt;b&gt;other" in sheet.locator("textarea").input_value()


def test_selected_pairs_download_as_csv(opened, report):
    import csv

    page = opened(report, "#q=quoted")
    with page.expect_download() as started:
        page.locator("#rows-export").click()
    with Path(started.value.path()).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["source"] for row in rows} == {HOSTILE["quotes"]}
    assert len(rows) == 2


def test_words_are_marked_as_python_marks_them(opened, report):
    from paragauge.text.diff import word_differences

    page = opened(report, "#row=40")
    found = page.locator("#pair-changes").evaluate(
        "cell => [...cell.childNodes].map(node => [node.nodeName, node.textContent])"
    )
    source, candidate = (page.locator("#pair dd").nth(place).inner_text() for place in (0, 1))
    marks = [(name, text) for name, text in found if name in ("INS", "DEL")]
    names = {"added": "INS", "removed": "DEL"}
    expected = [(names[kind], text.strip()) for kind, text in word_differences(source, candidate) if kind != "same"]
    assert [(name, text.strip()) for name, text in marks] == expected
    assert expected


def check_accessibility(page, axe: Path, *schemes_and_rows: tuple[str, int | None]) -> None:
    page.add_script_tag(path=axe)
    for scheme, row in schemes_and_rows:
        page.emulate_media(color_scheme=scheme)
        if row is not None:
            page.evaluate(f"location.hash = '#row={row}'")
            page.wait_for_selector("#pair[open]")
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        told = [f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found["violations"]]
        assert told == [], scheme


def test_accessibility(opened, report, axe):
    check_accessibility(opened(report, bypass_csp=True), axe, ("light", None), ("dark", 30))


@pytest.mark.thorough
def test_accessibility_the_other_way(opened, report, axe):
    check_accessibility(opened(report, bypass_csp=True), axe, ("dark", None), ("light", 30))


def test_no_line_is_wider_than_a_phone(opened, report):
    page = opened(report, viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # no short word of a table is cut in two
    heights = page.locator("tbody .short").evaluate_all(
        """all => all.map(one => { const range = document.createRange(); range.selectNodeContents(one);
            return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size; })"""
    )
    assert set(heights) <= {0, 1}
    assert 1 in heights


def test_it_prints(opened, report):
    page = opened(report)
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert not page.locator("#rows").is_visible()
    assert page.locator('[data-table="systems"] table').is_visible()
    assert page.locator("#map-points").is_visible()
    assert page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("summary", has_text="As numbers").first.is_visible()  # what is folded stays off paper
    assert page.locator(".wide").evaluate_all("all => all.every(one => one.scrollWidth <= innerWidth)")


def test_the_map_is_printed_in_black_whatever_the_screen_has(opened, report):
    page = opened(report, "#x=pinc&y=ned.free", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    black = """canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.reduce(
        (count, value, at, all) => count +
            (at % 4 === 3 && value > 200 && all[at - 1] + all[at - 2] + all[at - 3] < 30), 0)"""
    assert page.locator("#map-points").evaluate(black) > 100  # axes and names; on a dark screen they are white


def test_without_scripts_the_tables_are_there(browser, report):
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(report.as_uri())
    assert (
        "need JavaScript" in page.locator("noscript").first.inner_text() or page.locator("text=need JavaScript").count()
    )
    assert page.locator('[data-table="systems"] td').count() > 5
    context.close()


@pytest.mark.usefixtures("encoder")
def test_tokens_that_were_matched_are_shown(opened, tmp_path):
    from paragauge.evaluate.score_file import score_file
    from paragauge.reports.write import write_report

    (tmp_path / "pairs.csv").write_text(
        "source,candidate\nThe cat 🦄 sleeps here.,The 🦄 dog sleeps there.\n", encoding="utf-8"
    )
    score_file(tmp_path / "pairs.csv", metrics=["bertscore.free", "ned.free"], run=tmp_path / "run")
    write_report(tmp_path / "run", output=tmp_path / "report.html", align=True)
    page = opened(tmp_path / "report.html", "#row=1")
    words = page.locator(".tokens").nth(1).locator("button").all_inner_texts()
    assert words == ["The", "🦄", "dog", "sleeps", "there", "."]
    page.locator(".tokens").nth(1).locator("button", has_text="sleeps").focus()
    assert page.locator("#match").inner_text().startswith("sleeps → sleeps, cosine 0.")


@pytest.mark.thorough
def test_a_hundred_thousand_pairs_open_and_brush_in_a_second(browser, tmp_path):
    """Five seconds for each: a limit for a busy machine; research/bench/report.py measures."""
    import importlib.util

    place = Path(__file__).parents[2] / "research" / "bench" / "report.py"
    spec = importlib.util.spec_from_file_location("bench_report", place)
    bench = importlib.util.module_from_spec(spec)
    sys.modules["bench_report"] = bench  # where its dataclasses look up their annotations
    spec.loader.exec_module(bench)
    from paragauge.reports.write import write_report

    run = bench.make_run(tmp_path, 100_000)
    write_report(run, output=tmp_path / "report.html")
    found = bench.timed(browser, tmp_path / "report.html")
    assert 0 < found["selected"] < 100_000
    assert found["open"] < 5
    assert found["brush"] < 5
    assert found["threshold"] < 5
