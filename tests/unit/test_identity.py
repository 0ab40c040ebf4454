"""One worker and two give the same bytes, and a set that lies across the border of two parts is whole."""

import csv
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import numpy as np
import polars
import pytest

from paragauge import score
from paragauge.evaluate.plan import ROWS, plan
from paragauge.evaluate.score_file import score_file
from paragauge.files.table import open_table
from paragauge.metrics import parse

METRICS = ["bleu", "ned.free", "rouge1", "distinct", "selfbleu"]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five candidates of each source: no multiple of five is a multiple of a part's 8,192 rows in so short a file."""
    words = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "tree"]
    path = tmp_path_factory.mktemp("identity") / "table.csv"
    with path.open("w") as stream:
        stream.write("source,candidate,reference,system\n")
        for row in range(ROWS + 400):
            source = " ".join(words[(row // 5 * step) % 10] for step in (1, 3, 7))
            other = " ".join(words[(row * step + row // 11) % 10] for step in (1, 3, 9))
            stream.write(f"{source} {row // 5},{other} {row % 3},{source} {other},s\n")
    return path


def test_one_and_two_workers_give_the_same_bytes(table: Path, tmp_path: Path) -> None:
    found = []
    for workers in (1, 2):
        run = tmp_path / f"run{workers}"
        output = tmp_path / f"{workers}.csv"
        scored = score_file(table, metrics=METRICS, workers=workers, output=output, run=run)
        assert scored.summary.chunks > 2
        kept = [run / name for name in ("samples.parquet", "scores.parquet", "run.json")]
        found.append([repr(scored.summary.rows()), *(path.read_bytes() for path in (output, *kept))])
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "names", [["cosine.free"], pytest.param(["parascore", "cosine.free"], marks=pytest.mark.thorough)]
)
def test_one_and_two_workers_agree_on_neural_scores(
    table: Path, small_models: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    """To 1e-6: float32 sums of a batch of another size, or by another number of threads, end a little differently."""
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "cache"))
    encoder = small_models.make_encoder(tmp_path / "encoder")
    metrics, found = [f"{name}:encoder={encoder}" for name in names], []
    for workers in (1, 2):
        output = tmp_path / f"{workers}.parquet"
        scored = score_file(table, metrics=metrics, workers=workers, output=output, cache=False)
        assert scored.summary.chunks > 1
        means = [value for row in scored.summary.rows() for value in (row.mean, row.low, row.high)]
        found.append(np.array([*polars.read_parquet(output)["score"], *means], dtype=np.float64))
    assert np.abs(found[0] - found[1]).max() <= 1e-6


def test_a_set_across_the_border_of_parts_is_whole(table: Path, tmp_path: Path) -> None:
    chosen = [parse(name) for name in METRICS]
    parts = list(plan(open_table(table), chosen).parts())
    assert len(parts) > 2
    for before, after in pairwise(parts):
        assert before.samples.sources[-1] != after.samples.sources[0]
        assert after.first_row == before.first_row + len(before.samples)
    assert ROWS % 5  # so that a border of plain parts would have cut a set
    score_file(table, metrics=["distinct", "selfbleu"], workers=2, output=tmp_path / "scores.parquet")
    written = polars.read_parquet(tmp_path / "scores.parquet")
    border = range(ROWS - ROWS % 5, ROWS - ROWS % 5 + 5)
    with table.open() as stream:
        rows = [row for number, row in enumerate(csv.DictReader(stream)) if number in border]
    alone = score([row["source"] for row in rows], [row["candidate"] for row in rows], metrics=["distinct", "selfbleu"])
    for name in ("distinct", "selfbleu"):
        of_metric = written.filter(polars.col("metric") == name)["score"].to_list()
        assert of_metric[border.start : border.stop] == alone[name].tolist()
