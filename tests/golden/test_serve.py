"""Every answer of `paragauge serve` to these requests is what is recorded."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paragauge.evaluate.score_file import score_file

from ..web.server import Server, serving
from .recording import check

pytest.importorskip("paragauge_research", reason="the lists that are recorded have what the research project adds")

SOURCE = "We paid 2500 euros for the old house."
ROWS = [
    {"source": SOURCE, "candidate": candidate, "references": ["For 2500 euros we got the old house."]}
    for candidate in ("We paid 3500 euros for the old house.", "The old house cost us 2500 euros.", SOURCE, "")
]
FREE = [{key: row[key] for key in ("source", "candidate")} for row in ROWS]
REQUESTS: dict[str, tuple[str, Any]] = {
    "score": ("/api/score", {"rows": ROWS}),
    "explain": ("/api/score", {"rows": FREE, "explain": True}),
    "metrics": ("/api/score", {"rows": ROWS, "metrics": ["bleu", "ned.free", "changed"]}),
    "unknown-metric": ("/api/score", {"rows": FREE, "metrics": ["chfr"]}),
    "no-references": ("/api/score", {"rows": FREE, "metrics": ["bleu"]}),
    "no-rows": ("/api/score", {}),
    "not-json": ("/api/score", b"{"),
    "list": ("/api/metrics", None),
    "limits": ("/api/limits", None),
    "paraphrasers": ("/api/paraphrasers", None),
    "paraphrase": ("/api/paraphrase", {"source": "The cat chased the dog.", "method": "beam", "n": 2}),
    "unknown-method": ("/api/paraphrase", {"source": SOURCE, "method": "baem"}),
    "runs": ("/api/runs", None),
    "run": ("/api/runs/first", None),
    "unknown-run": ("/api/runs/second", None),
    "unknown-job": ("/api/jobs/none", None),
    "unknown-page": ("/nowhere", None),
    "health": ("/healthz", None),
    "description": ("/api", None),
}  # fmt: skip


@pytest.fixture(scope="module")
def server(encoder: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:  # noqa: ARG001
    """The server as it is without any option about metrics, with one run to show."""
    folder = tmp_path_factory.mktemp("served")
    examples = Path(__file__).parents[2] / "examples" / "pairs.csv"
    score_file(examples, metrics=["ned.free", "bleu"], run=folder / "first")
    with serving("--runs", folder, environment={"PARAGAUGE_OFFLINE": "1"}) as started:
        yield started


@pytest.mark.parametrize("name", REQUESTS)
def test_answer(name: str, server: Server) -> None:
    path, content = REQUESTS[name]
    answer = server.ask(path, content)
    kind = answer.headers["content-type"]
    text = json.dumps(answer.json, indent=1, ensure_ascii=False) if "json" in kind else answer.body.decode()
    text = re.sub(r"\[[-\d.,\s]+\]", lambda found: re.sub(r"\s+", " ", found.group()), text)
    asked = content if content is None or isinstance(content, bytes) else json.dumps(content)
    check(f"serve-{name}", f"{path} {asked}\n{answer.status} {kind}\n{text}\n", {}, network=True)
