"""How long a report of many pairs takes: to write, to open in Chromium, and to brush. Needs playwright and chromium.

python bench/report.py --rows 100000
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars

from paragauge.report.write import write_report
from paragauge.scorefile import score_file

SYSTEMS = 4


def make_run(folder: Path, rows: int) -> Path:
    """A run of `rows` pairs of four systems, with sentences of 8 to 24 words."""
    random = np.random.default_rng(0)
    words = np.array([f"{first}{last}" for first in ("ba", "ke", "mi", "so", "tu") for last in range(400)])
    sources, candidates, systems = [], [], []
    for place in range(rows // SYSTEMS):
        text = words[random.integers(len(words), size=random.integers(8, 25))]
        for system in range(SYSTEMS):
            changed = random.random(len(text)) < random.beta(1 + system, 3)
            sources.append(" ".join(text))
            candidates.append(" ".join(np.where(changed, words[random.integers(len(words), size=len(text))], text)))
            systems.append(f"system {system + 1}")
        if place % 1000 == 0:
            candidates[-1] = ""
    ids = [row // SYSTEMS for row in range(len(sources))]
    table = polars.DataFrame({"id": ids, "source": sources, "candidate": candidates, "system": systems})
    table.write_parquet(folder / "pairs.parquet")
    score_file(folder / "pairs.parquet", metrics=["chrf.free", "ned.free", "pinc"], run=folder / "pairs")
    return folder / "pairs"


def timed(browser: Any, report: Path) -> dict[str, float]:
    """Seconds until the page is ready, and from the end of a brush to the frame that shows the new table."""
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
    page.evaluate(
        "window.brushed = new Promise(done => document.getElementById('map-marks').addEventListener('pointerup', "
        "() => { const start = performance.now(); requestAnimationFrame(() => setTimeout(() => "
        "done(performance.now() - start))); }, {capture: true, once: true})); 0"
    )
    page.mouse.up()
    brushed = float(page.evaluate("window.brushed")) / 1000
    selected = float(page.locator("#rows-count").inner_text().split()[0].replace(",", ""))
    context.close()
    return {"open": ready, "brush": brushed, "selected": selected}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, help="keep run and report in this folder")
    parser.add_argument("--chromium", default=shutil.which("chromium") or "chromium")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        run = folder / "pairs" if (folder / "pairs").exists() else make_run(folder, given.rows)
        start = time.perf_counter()
        write_report(run, output=folder / "report.html", overwrite=True)
        print(f"{given.rows:,} pairs: written in {time.perf_counter() - start:.1f} s, "
              f"{(folder / 'report.html').stat().st_size / 1e6:.1f} MB")  # fmt: skip
        from playwright.sync_api import sync_playwright

        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=given.chromium, args=["--no-sandbox", "--disable-gpu"])
            for _ in range(3):
                found = timed(browser, folder / "report.html")
                print(f"  opened in {found['open']:.2f} s, brushed in {found['brush']:.2f} s", found["selected"])
            browser.close()


if __name__ == "__main__":
    main()
