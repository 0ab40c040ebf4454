"""Whatever a table or a parse holds: it is read, or refused in a sentence; and every light metric scores every text."""

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import paragauge as pg
from paragauge.metrics import variants
from paragauge.tables.samples import Samples

from ..cli.program import run_file

PROGRAM = Path(__file__).with_name("tables.py")
KINDS = ("csv", "csv.gz", "tsv", "jsonl", "json", "parquet", "xlsx", "parses", "parses.jsonl")
COUNT = 40  # here; thousands were run once: `python tests/fuzz/tables.py csv 2000 0 FOLDER`
SEEDED = settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
ROWS = st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=6)
LIGHT = [metric for metric in variants() if metric.loads == "nothing" and metric.light]


@pytest.mark.parametrize("kind", KINDS)
def test_damage_at_random_is_read_or_refused(kind: str, tmp_path: Path) -> None:
    if kind == "xlsx":
        pytest.importorskip("openpyxl", reason="xlsx needs openpyxl")
    if kind.startswith("parses"):
        pytest.importorskip("paragauge_research", reason="needs paragauge-research: pip install ./research")
    result = run_file(PROGRAM, kind, COUNT, 0, tmp_path)
    assert result.returncode == 0, f"{result.returncode} at {(tmp_path / 'now').read_text()}: {result.stderr[-2000:]}"
    refused, read = map(int, result.stdout.split())
    assert refused + read == COUNT


@pytest.mark.parametrize("metric", LIGHT, ids=[metric.spec for metric in LIGHT])
@settings(SEEDED, max_examples=15)
@given(rows=ROWS)
def test_every_text_has_a_score_or_a_reason(metric: Any, rows: list[tuple[str, str, str]]) -> None:
    columns = list(zip(*rows, strict=True))
    samples = Samples.of(
        ["source", *columns[0]], ["candidate", *columns[1]], [["one"], *([text] for text in columns[2])]
    )
    found = pg.score(samples, metrics=[metric])
    scores = found[metric.spec]
    assert scores.shape == (len(rows) + 1,)
    assert not any(math.isinf(score) for score in scores)
    undefined = [row for row, score in enumerate(scores) if math.isnan(score)]
    assert undefined == sorted(found.columns[metric.spec].reasons)


@settings(SEEDED, max_examples=60)
@given(
    texts=st.lists(st.none() | st.text(max_size=4) | st.sampled_from(["\ud800", "a\udc00", "plain"]), max_size=6),
    groups=st.lists(
        st.none() | st.lists(st.none() | st.sampled_from(["", " ", "a", "\ud83d"]), max_size=3), max_size=6
    ),
)
def test_a_column_is_cleaned_as_its_texts_are(texts: list[str | None], groups: list[list[str | None] | None]) -> None:
    size = min(len(texts), len(groups))
    texts, groups = texts[:size], groups[:size]
    whole = Samples.of(texts, texts, groups)
    for row in range(size):
        alone = Samples.of(texts[row : row + 1], texts[row : row + 1], groups[row : row + 1])
        assert (whole.sources[row], whole.candidates[row]) == (alone.sources[0], alone.candidates[0])
        assert whole.references[row] == alone.references[0]
        assert (row in whole.missing) == bool(alone.missing)
    assert whole.repaired == sum(
        Samples.of(texts[row : row + 1], texts[row : row + 1], groups[row : row + 1]).repaired for row in range(size)
    )
