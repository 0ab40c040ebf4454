"""The pages of the server in a real browser."""

import json

import pytest

from .server import write_pairs

WHY = "meaning lost (number): “2500” → “3500”"
HOSTILE = "<img src=x onerror=\"document.title='broken'\"> & <script>document.title='broken'</script>"


def type_texts(page, source: str, *candidates: str) -> None:
    page.fill("#source", source)
    page.fill("#candidates", "\n".join(candidates))
    page.wait_for_selector(f'html[data-scored="{len(candidates)}"]')
    page.wait_for_selector("#table:not(.old)")


def test_scores_appear_while_typing_and_are_explained(opened):
    page = opened()
    assert "token" not in page.url
    type_texts(page, "how old are you", "what is your age", "how old are you")
    assert page.locator("#table tbody tr").count() == 2
    page.locator("#table .pick").nth(1).click()
    assert page.locator("#why-title").inner_text() == "Why: candidate 2"
    assert "at least 0.35 is needed" in page.locator("#needed").inner_text()
    assert page.locator("#curve circle").count() == 2
    assert "d = 0.000, DS = −1.000" in page.locator("#curve").inner_text()
    token = page.locator("#token-b-0")
    token.focus()
    assert page.locator("#token-a-0").get_attribute("class").endswith("matched")
    assert "cosine 1.000" in page.locator("#match").inner_text()
    page.reload()
    page.wait_for_selector('html[data-scored="2"]')  # what was typed outlasts it


def judged_answer(meaning: float, least: float) -> dict:
    """As the server answers where `usable` is among its metrics; the one of these tests has no weights for it."""
    scale = {"question": "overall", "needs": "source", "low": 0, "high": 1, "higher_is_better": True, "signature": ""}
    names = ("meaning", "changed", "usable", "ned.free")
    numbers = [dict(zip(names, values, strict=True)) for values in ((meaning, 0.1, 0.0, 0.05), (0.9, 0.4, 1.0, 0.5))]
    lacks, advice = max(0.0, least - meaning), "correct what was found"
    met = meaning >= least
    needed = [
        {"metric": "meaning", "value": meaning, "least": least, "met": met, "lacks": lacks,
         "advice": None if met else advice},
        {"metric": "rules", "value": None, "least": None, "met": False, "lacks": None, "advice": advice},
    ]  # fmt: skip
    lost = [{"rule": "number", "kind": "number", "source": [8, 12], "candidate": [10, 14]}]
    return {
        "metrics": [{"name": name, "title": name, **scale} for name in names],
        "rows": [
            {
                "scores": {name: {"score": value, "reason": None, "note": None} for name, value in own.items()},
                "verdict": {"usable": own["usable"] == 1, "meaning": own["meaning"], "changed": own["changed"],
                            "outcome": "usable" if place else "meaning lost", "findings": [] if place else lost,
                            "why": None if place else WHY},
                "explanation": {"diversity": None, "alignment": None, "needed": [] if place else needed,
                                "lost": [] if place else lost},
            }
            for place, own in enumerate(numbers)
        ],
        "warnings": [],
    }  # fmt: skip


def test_the_verdict_and_what_it_would_take_are_shown(opened):
    answer = judged_answer(0.5, 0.8)
    page = opened()
    page.route("**/api/score", lambda route: route.fulfill(json=answer))
    type_texts(page, "We paid 2500 euros.", "🦄 We paid 3500 euros.", "2500 euros were paid.")
    assert page.locator("#table thead th").all_inner_texts() == [
        "candidate", "usable ↑", "meaning ↑", "changed ↑", "ned.free ↑"
    ]  # fmt: skip
    assert page.locator("#table tbody tr").nth(0).locator("td").nth(1).inner_text().split("\n") == [
        "not usable", "meaning lost (number)"
    ]  # fmt: skip
    assert WHY in page.locator("#verdict").inner_text()
    assert page.locator("#verdict mark").all_inner_texts() == ["2500", "3500"]
    assert page.locator("#needed-title").inner_text() == "What it would take to be usable"
    assert "meaning is 0.500; at least 0.8 is needed, 0.300 more" in page.locator("#needed").inner_text()
    page.locator("#table .pick").nth(1).click()
    assert page.locator("#verdict").inner_text().strip() == "usable"
    assert page.locator("#verdict mark").count() == 0


def test_a_loss_that_a_rule_found_is_not_shown_as_a_lack_of_meaning(opened):
    page = opened()
    page.route("**/api/score", lambda route: route.fulfill(json=judged_answer(0.9, 0.8)))
    type_texts(page, "We paid 2500 euros.", "🦄 We paid 3500 euros.", "2500 euros were paid.")
    met = page.locator("#needed .met").all_inner_texts()
    assert [" ".join(text.split()) for text in met] == ["✓ meaning is 0.900; at least 0.8 is needed"]
    (unmet,) = page.locator("#needed .unmet").all_inner_texts()
    assert " ".join(unmet.split()) == "✗ a loss of meaning was found To do: correct what was found."


def test_candidates_of_a_paraphraser_are_added(opened):
    page = opened()
    type_texts(page, "the cat in the house", "a house with a cat")
    page.fill("#count", "1")
    page.click("#suggest")
    page.wait_for_selector('html[data-scored="2"]')
    assert page.input_value("#candidates").splitlines() == ["a house with a cat", "the dog in the hut"]


def test_a_request_that_is_overtaken_is_given_up(opened):
    page = opened()
    asked, gone = [], []
    page.on("request", lambda one: asked.append(one) if one.url.endswith("/api/score") else None)
    page.on("requestfailed", lambda one: gone.append(one) if one.url.endswith("/api/score") else None)
    page.route("**/api/score", lambda route: route.fallback() if len(asked) > 1 else None)  # the first never ends
    page.fill("#source", "one two")
    with page.expect_request("**/api/score"):
        page.fill("#candidates", "one")
    with page.expect_event("requestfailed", lambda one: one.url.endswith("/api/score")):
        page.fill("#candidates", "one two three")
    page.wait_for_selector('html[data-scored="1"]')
    assert [json.loads(one.post_data)["rows"][0]["candidate"] for one in asked] == ["one", "one two three"]
    assert gone == asked[:1]


def test_texts_are_shown_as_text_and_errors_as_sentences(opened):
    page = opened()
    type_texts(page, "how old", HOSTILE)
    assert HOSTILE in page.locator("#table .pick").inner_text()
    assert page.locator("main img, main script").count() == 0
    assert "broken" not in page.title()
    # the browser writes every answer with an error to its console, which `opened` would take for a fault of the page
    answer = """'{"detail": "too <b>long</b>"}', {status: 413, headers: {"content-type": "application/json"}}"""
    page.evaluate(f"window.fetch = async () => new Response({answer})")
    page.fill("#source", "other")
    page.wait_for_selector("#problem:not([hidden])")
    assert page.locator("#problem").inner_text() == "too <b>long</b>"


@pytest.mark.thorough  # test_serve.py has a file, its progress and its report without a browser
def test_a_file_is_dropped_and_its_report_opened(opened, tmp_path):
    page = opened()
    page.click("#more > summary")
    for box in page.locator('#metrics input[value*="encoder"]').all():
        box.uncheck()
    assert page.is_checked('#metrics input[value="ned.free"]')
    page.check('#metrics input[value="chrf.free"]')
    content = write_pairs(tmp_path / "dropped.csv", 8).read_text()
    transfer = page.evaluate_handle(
        "text => { const moved = new DataTransfer(); moved.items.add(new File([text], 'dropped.csv')); return moved; }",
        content,
    )
    page.dispatch_event("#drop", "drop", {"dataTransfer": transfer})
    page.wait_for_selector('#jobs li[data-status="done"]')
    with page.expect_popup() as popup:
        page.click("#jobs a")
    report = popup.value
    report.wait_for_selector("html[data-ready]")
    assert report.title() == "Paraphrases: dropped"


def test_runs_are_listed_and_their_summaries_shown(opened):
    page = opened()
    page.click('nav a[href="/runs"]')
    page.wait_for_selector("html[data-ready]")
    page.click('#runs-table a[href="#first"]')
    page.wait_for_selector("#run:not([hidden])")
    assert page.locator("#summary tbody tr").count() == 4  # two metrics of two systems


def test_the_description_is_shown_at_phone_width_without_scrolling_sideways(opened):
    page = opened("/api", viewport={"width": 360, "height": 740})
    assert page.locator(".operation").count() >= 12
    for path in ("/api", "/", "/runs"):
        if path != "/api":
            page.goto(page.url.rpartition("/")[0] + path)
            page.wait_for_selector("html[data-ready]")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.thorough)])
def test_accessibility(opened, axe, scheme):
    page = opened(color_scheme=scheme, bypass_csp=True)
    for path in ("/", "/runs", "/api"):
        page.goto(page.url.rpartition("/")[0] + path)
        page.wait_for_selector("html[data-ready]")
        if path == "/":
            type_texts(page, "how old are you", "what is your age", "how old are you")
            page.click("#more > summary")
        elif path == "/api":
            page.click(".operation >> nth=0")
        page.add_script_tag(path=axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [
            f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found["violations"]
        ] == []
