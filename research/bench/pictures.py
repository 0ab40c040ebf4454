"""Takes the pictures of the report and of the server's page in docs/images again. Needs chromium and playwright.

python bench/pictures.py                  # docs/images/report.png and serve.png
python bench/pictures.py --folder /tmp    # elsewhere, to look at them first
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "paragauge"]


def take_report(browser: Any, folder: Path, picture: Path) -> None:
    """What `make demo` writes: the answer, the tables and the whole map."""
    report = folder / "report.html"
    command = [*PROGRAM, "score", str(ROOT / "examples" / "pairs.csv"), "--report", str(report), "-q"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    page = browser.new_page(viewport={"width": 1100, "height": 1000})
    page.goto(report.as_uri())
    page.wait_for_selector("html[data-ready]")
    map_ends = page.locator("#map-frame").bounding_box()
    height = map_ends["y"] + map_ends["height"] + 16
    page.screenshot(path=picture, full_page=True, clip={"x": 0, "y": 0, "width": 1100, "height": height})


def take_page(browser: Any, folder: Path, picture: Path) -> None:
    """The example of the server's page, and why its third candidate is not usable."""
    command = [*PROGRAM, "serve", "--port", "0", "--runs", str(folder / "runs")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            page = browser.new_page(viewport={"width": 1120, "height": 1000})
            page.set_default_timeout(120_000)
            page.goto(server.stdout.readline().strip())
            page.wait_for_selector("html[data-ready]")
            page.click("#example")
            page.wait_for_selector('html[data-scored="4"]')
            page.locator("#table .pick").nth(2).click()
            page.mouse.move(0, 0)
            ends = page.locator("#why").bounding_box()
            height = ends["y"] + page.evaluate("scrollY") + ends["height"] + 16
            page.evaluate("document.activeElement.blur()")
            page.screenshot(path=picture, full_page=True, clip={"x": 0, "y": 0, "width": 1120, "height": height})
        finally:
            server.send_signal(signal.SIGINT)


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, default=ROOT / "docs" / "images")
    chosen = parser.parse_args().folder
    found = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    path = os.environ.get("PARAGAUGE_CHROMIUM") or next(filter(None, found), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        take_report(browser, Path(folder), chosen / "report.png")
        take_page(browser, Path(folder), chosen / "serve.png")
        browser.close()


if __name__ == "__main__":
    main()
