"""How long a report of many pairs with a verdict takes: to write, open in Chromium, brush, and move a threshold.

Needs playwright and chromium, and no weights: meaning is made up of the words that a candidate keeps.

python bench/report.py --rows 100000
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import polars

from paragauge.compute.workspace import Workspace
from paragauge.evaluate.score_file import score_file
from paragauge.metric import Floats, Metric, Need
from paragauge.metrics import parse
from paragauge.metrics.overall.usable import Usable
from paragauge.reports.write import write_report
from paragauge.tables.samples import Samples

SYSTEMS = 4


@dataclass(frozen=True, kw_only=True)
class Kept(Metric):
    """In the place of `meaning`: the share of words kept, and something of the text's own; NaN of an empty one."""

    name: ClassVar[str] = "meaning"
    title: ClassVar[str] = "Meaning"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    citation: ClassVar[str] = "none"
    needs: ClassVar[Need] = "source"
    calibrated: ClassVar[bool] = True

    def rate(self, samples: Samples, work: Workspace) -> Floats:  # noqa: ARG002
        return np.array(list(map(_kept, samples.sources, samples.candidates)))


def _kept(source: str, candidate: str) -> float:
    words, others = set(source.split()), set(candidate.split())
    if not others:
        return np.nan
    own = zlib.crc32(candidate.encode()) / 2**32
    return 1.0 if source == candidate else 0.6 * len(words & others) / len(words) + 0.4 * own


@dataclass(frozen=True, kw_only=True)
class Judging(Usable):
    """`usable` as it is, of that."""

    @property
    def meaning(self) -> Kept:  # type: ignore[override]
        return Kept()


def make_run(folder: Path, rows: int) -> Path:
    """A run of `rows` pairs of four systems, with a verdict; sentences of 8 to 24 words, one of them a number."""
    random = np.random.default_rng(0)
    syllables = [first + last for first in "bkmstdlnrf" for last in "aeiou"]
    words = np.array([one + two for one in syllables for two in syllables[:40]])
    sources, candidates, systems = [], [], []
    for place in range(rows // SYSTEMS):
        text = words[random.integers(len(words), size=random.integers(7, 24))]
        for system in range(SYSTEMS):
            changed = random.random(len(text)) < random.beta(1 + system, 3)
            sources.append(" ".join([*text, str(place)]))
            told = place + (random.random() < 0.1)
            own = np.where(changed, words[random.integers(len(words), size=len(text))], text)
            candidates.append(" ".join([*own, str(told)]))
            systems.append(f"system {system + 1}")
        if place % 1000 == 0:
            candidates[-1] = ""
    ids = [row // SYSTEMS for row in range(len(sources))]
    table = polars.DataFrame({"id": ids, "source": sources, "candidate": candidates, "system": systems})
    table.write_parquet(folder / "pairs.parquet")
    metrics = [Kept(), parse("changed"), Judging(), *map(parse, ("chrf.free", "ned.free", "pinc"))]
    score_file(folder / "pairs.parquet", metrics=metrics, run=folder / "pairs")
    return folder / "pairs"


# from an event of an element to the frame that shows what it did
_UNTIL_SHOWN = """([id, event]) => { window.shown = new Promise(done =>
document.getElementById(id).addEventListener(event, () => { const start = performance.now();
requestAnimationFrame(() => setTimeout(() => done(performance.now() - start))); }, {capture: true, once: true})); }"""


def timed(browser: Any, report: Path) -> dict[str, float]:
    """Seconds until the page is ready, and from the end of a brush, or a new threshold, to the frame that shows it."""
    context = browser.new_context(offline=True, viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.goto(report.as_uri(), wait_until="commit", timeout=120_000)
    page.wait_for_selector("html[data-ready]", timeout=120_000)
    ready = float(page.evaluate("Number(document.documentElement.dataset.ready)")) / 1000
    frame = page.locator("#map-marks")
    frame.scroll_into_view_if_needed()
    box = frame.bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 700, box["y"] + 300, steps=4)
    page.evaluate(_UNTIL_SHOWN, ["map-marks", "pointerup"])
    page.mouse.up()
    brushed = float(page.evaluate("window.shown")) / 1000
    selected = float(page.locator("#rows-count").inner_text().split()[0].replace(",", ""))
    page.evaluate(_UNTIL_SHOWN, ["limit-meaning", "input"])
    page.locator("#limit-meaning").fill("0.7")
    moved = float(page.evaluate("window.shown")) / 1000
    context.close()
    return {"open": ready, "brush": brushed, "threshold": moved, "selected": selected}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="keep run and report in this folder")
    parser.add_argument("--chromium", default=shutil.which("chromium") or "chromium")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        run = folder / "pairs" if (folder / "pairs").exists() else make_run(folder, given.rows)
        start = time.process_time()
        write_report(run, output=folder / "report.html", overwrite=True)
        print(f"{given.rows:,} pairs: written in {time.process_time() - start:.1f} s of processor time, "
              f"{(folder / 'report.html').stat().st_size / 1e6:.1f} MB")  # fmt: skip
        from playwright.sync_api import sync_playwright

        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=given.chromium, args=["--no-sandbox", "--disable-gpu"])
            found = [timed(browser, folder / "report.html") for _ in range(given.times)]
            browser.close()
        print(f"seconds, best and worst of {given.times} ({found[0]['selected']:,.0f} pairs selected):")
        for name in ("open", "brush", "threshold"):
            own = [one[name] for one in found]
            print(f"  {name:10} {min(own):.2f} {max(own):.2f}")


if __name__ == "__main__":
    main()
