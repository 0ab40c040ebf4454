"""Reports to open in a browser."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars
import pytest

from paragauge.evaluate.score_file import score_file
from paragauge.reports.write import write_report

HOSTILE = {
    "script": "<script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">",
    "quotes": "It's \"quoted\" & 'double' </script><!-- -->",
    "rtl": "שלום עולם, هذا نص عربي",
    "emoji": "I love 🦄 and 👩‍👩‍👧 and é",
    "override": "user\u202etxt.exe and \x1b[31mred",
    "long": " ".join(f"word{number % 613}" for number in range(1400)),
    "chinese": "我爱你，你好吗？",
}


@pytest.fixture
def opened(pages: Any) -> Iterator[Callable[..., Any]]:
    """Opens a report with the network cut; an error in the page, or a request, fails the test."""

    def open_(report: Path, hash: str = "", **options: Any) -> Any:
        given = {"offline": True, "viewport": {"width": 1200, "height": 900}} | options
        return pages.open(report.as_uri() + hash, "file:", **given)

    yield open_
    assert pages.release() == []


def pairs() -> polars.DataFrame:
    """Two systems on hostile and plain sources; one candidate is empty, one missing."""
    sources = [*HOSTILE.values(), *(f"the number {place} is here, is it not" for place in range(20)), "gone", "empty"]
    copies = list(sources)
    others: list[str | None] = [f"{source} or so" for source in sources]
    others[-2:] = [None, ""]
    both = {"id": [*range(len(sources))] * 2, "source": sources * 2, "candidate": [*copies, *others]}
    return polars.DataFrame(both | {"system": ["copy"] * len(sources) + ["<b>other</b>"] * len(sources)})


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of these pairs by metrics that need no model."""
    folder = tmp_path_factory.mktemp("report")
    pairs().write_parquet(folder / "pairs.parquet")
    score_file(
        folder / "pairs.parquet", metrics=["chrf.free", "ned.free", "pinc", "bleu.free"], run=folder / "pairs",
        command="paragauge score 'my pairs.csv'",
    )  # fmt: skip
    return folder / "pairs"


@pytest.fixture(scope="session")
def report(run: Path) -> Path:
    """Its report."""
    output = run.parent / "report.html"
    write_report(run, output=output)
    return output
