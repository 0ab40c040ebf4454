"""The pages in a real browser: judged by keyboard, resumed, shown as text whatever the texts hold, and mailed."""

from pathlib import Path

import pytest

from paragauge.tables.samples import Samples
from paragauge.web.annotate.offline import import_answers, write_offline
from paragauge.web.annotate.progress import progress
from paragauge.web.annotate.store import StudyStore

from .made import made_samples, made_study

HOSTILE = {
    "script": "<script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">",
    "quotes": "It's \"quoted\" & 'double' </script><!-- -->",
    "rtl": "שלום עולם, هذا نص عربي",
    "emoji": "I love 🦄 and 👩‍👩‍👧 and é",
    "override": "user\u202etxt.exe and \x1b[31mred",
    "long": " ".join(f"word{number % 613}" for number in range(1400)),
}


def enter(page, name: str, quiz: bool = True) -> None:
    page.fill("#name", name)
    page.keyboard.press("Enter")
    page.wait_for_selector("#begin")
    if quiz:
        for question, choice in enumerate((1, 0, 0)):
            page.locator(f"input[name=quiz-{question}]").nth(choice).check()
    page.keyboard.press("Enter")
    page.wait_for_selector("#save")


def press(page, *keys: str) -> None:
    """Keys, the last of which saves; waits for the next task."""
    before = page.locator("#count").inner_text()
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_function("before => document.getElementById('count').textContent !== before", arg=before)


def answers(path: Path) -> list[dict]:
    with StudyStore(path) as store:
        return [dict(row.answer) for row in store.judgments()]


def test_ratings_by_keyboard_are_saved_and_resumed(serve, opened, tmp_path):
    server = serve("--block", 10)
    page = opened(server.url)
    assert "token" not in page.url
    page.fill("#name", "anna")
    page.keyboard.press("Enter")
    page.wait_for_selector("#begin")
    page.keyboard.press("Enter")
    page.locator("#problem", has_text="Answer every question first.").wait_for()
    for question, choice in enumerate((0, 0, 0)):
        page.locator(f"input[name=quiz-{question}]").nth(choice).check()
    page.keyboard.press("Enter")
    page.locator(".why", has_text="One word can turn it round").wait_for()
    page.locator("input[name=quiz-0]").nth(1).check()
    page.keyboard.press("Enter")
    page.wait_for_selector("#save")
    assert page.locator("output").all_inner_texts() == ["–", "–"]  # no rating is proposed
    page.keyboard.press("Enter")
    page.locator("#problem", has_text="Rate every question first.").wait_for()
    press(page, "7", "5", "Enter", "1", "0", "0", "Enter")  # Enter goes to the next question, then saves
    press(page, "0", "Tab", "3", "ArrowRight", "Enter")
    press(page, "s")
    path = tmp_path / "pairs.annotations.db"
    assert answers(path) == [{"meaning": 75, "wording": 100}, {"meaning": 0, "wording": 4}, {"skip": True}]
    page.keyboard.press("b")
    page.keyboard.press("b")
    page.wait_for_function("() => document.querySelector('output').textContent === '0'")
    page.keyboard.press("5")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('output').textContent === '–'")
    assert answers(path)[1] == {"meaning": 5, "wording": 4}
    source = page.locator(".source p").inner_text()
    again = opened(server.url + "&rater=anna")
    again.keyboard.press("Enter")
    again.wait_for_selector("#save")
    assert again.locator("#count").inner_text() == "3 of 10 answered"
    assert again.locator(".source p").inner_text() == source
    assert server.stop()[1].strip().endswith("pairs.annotations.db, rerun to resume")
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.locator("#problem", has_text="Not saved: the server does not answer").wait_for()
    assert page.locator("output").all_inner_texts() == ["4", "2"]  # still there


@pytest.mark.parametrize(
    ("task", "keys", "expected"),
    [
        ("best-worst", ["3", "1"], {"best": 2, "worst": 0}),
        pytest.param("pairwise", ["2"], {"better": 1}, marks=pytest.mark.thorough),
        pytest.param("pairwise", ["0"], {"better": None}, marks=pytest.mark.thorough),
    ],
)
def test_comparisons_by_keyboard_and_their_progress(serve, opened, tmp_path, task, keys, expected):
    server = serve("--task", task, "--no-comprehension", "--checks", 0, "--block", 10)
    page = opened(server.url)
    enter(page, "<b>anna</b>", quiz=False)
    press(page, *keys, "Enter")
    assert answers(tmp_path / "pairs.annotations.db") == [expected]
    page.keyboard.press("b")
    chosen = page.locator("button[aria-pressed=true]")
    assert chosen.count() == len(keys)
    shown = opened(server.progress)
    shown.wait_for_selector("table")
    assert shown.locator("tbody th").inner_text() == "<b>anna</b>"
    assert "Krippendorff’s alpha" in shown.locator(".figures").inner_text()
    stranger = opened(server.progress.partition("&")[0])
    stranger.locator("#problem", has_text="for the owner of the study").wait_for()


def test_texts_are_shown_as_text(serve, opened):
    names = list(HOSTILE)
    samples = Samples.of(list(HOSTILE.values()), [f"{text} !" for text in HOSTILE.values()], None, None, names)
    server = serve("--no-comprehension", "--checks", 0, "--block", 10, "--title", "<script>x</script>", samples=samples)
    page = opened(server.url)
    assert page.locator("h1").inner_text() == "<script>x</script>"
    enter(page, "anna", quiz=False)
    found = set()
    for place in range(len(HOSTILE)):
        source, candidate = page.locator(".text p").all_inner_texts()
        assert candidate == f"{source} !"
        found.add(source)
        if source == HOSTILE["rtl"]:
            assert page.locator(".source p").evaluate("one => getComputedStyle(one).direction") == "rtl"
        if place < len(HOSTILE) - 1:
            press(page, "s")
    expected = set(HOSTILE.values()) - {HOSTILE["override"]} | {r"user\u202etxt.exe and \u001b[31mred"}
    assert found == expected
    assert page.locator("main img, main script").count() == 0
    assert page.title() == "<script>x</script>"


def test_a_mailed_page_needs_no_network_and_its_answers_come_back(opened, tmp_path):
    store = made_study(tmp_path / "study.db", made_samples(4, "AB"), block=6, checks=0.3)
    number = write_offline(store, tmp_path / "anna.html")
    assert number == 6
    page = opened((tmp_path / "anna.html").as_uri(), offline=True, accept_downloads=True)
    page.wait_for_selector("#begin")
    for question, choice in enumerate((1, 0, 0)):
        page.locator(f"input[name=quiz-{question}]").nth(choice).check()
    page.keyboard.press("Enter")
    page.wait_for_selector("#save")
    press(page, "8", "Enter", "1", "Enter")
    page.reload()  # what was answered is kept in the browser
    page.wait_for_selector("#save")
    assert page.locator("#count").inner_text() == "1 of 6 answered"
    for _ in range(number - 1):
        press(page, "9", "Enter", "2", "Enter")
    page.wait_for_selector("text=Nothing is left to judge")
    with page.expect_download() as loading:
        page.keyboard.press("Enter")
    loading.value.save_as(tmp_path / "anna.json")
    assert loading.value.suggested_filename == "anna.json"
    assert import_answers(store, tmp_path / "anna.json") == ("anna", 6, 0)
    assert import_answers(store, tmp_path / "anna.json") == ("anna", 0, 6)
    (anna,) = progress(store).raters
    assert (anna.judged, anna.understood) == (6, True)
    assert next(dict(row.answer) for row in store.judgments()) == {"meaning": 8, "wording": 1}


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(serve, opened, axe, scheme):
    server = serve("--block", 10)
    page = opened(server.url, bypass_csp=True, color_scheme=scheme)

    def check(one) -> None:
        one.add_script_tag(path=axe)
        found = one.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [
            f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found["violations"]
        ] == []

    check(page)
    enter(page, "anna")
    check(page)
    press(page, "7", "Enter", "5", "Enter")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1100
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    shown = opened(server.progress, bypass_csp=True, color_scheme=scheme)
    shown.wait_for_selector("table")
    check(shown)
