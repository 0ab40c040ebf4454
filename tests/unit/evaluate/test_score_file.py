"""Whole files scored: an output folder has a file of each part and the summary, here or at a URI."""

import json
from pathlib import Path

import polars
import pytest

from paragauge.errors import InputError
from paragauge.evaluate.plan import ROWS
from paragauge.evaluate.score_file import score_file
from paragauge.files import remote
from paragauge.files.remote import Remote
from paragauge.files.table import open_table

METRICS = ["rouge1", "ned.free"]


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three parquet files; the border of the first two parts lies in the second, of the last two in the third."""
    folder = tmp_path_factory.mktemp("shards")
    rows = [
        {"source": f"a b {row}", "candidate": f"a c {row % 7}", "reference": f"a {row % 5}"} for row in range(2 * ROWS)
    ]
    for number, (first, last) in enumerate([(0, 100), (100, ROWS + 3), (ROWS + 3, 2 * ROWS + 50)]):
        polars.DataFrame(rows[first:last]).write_parquet(folder / f"{number}.parquet")
    polars.DataFrame(rows).write_csv(folder.with_suffix(".csv"))
    return folder


def parts(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.parquet"))


def test_a_folder_has_a_file_of_each_part_and_the_summary(shards: Path, tmp_path: Path) -> None:
    output = tmp_path / "scored"
    found = score_file(f"{shards}/*.parquet", metrics=METRICS, workers=1, output=f"{output}/")
    assert {file.name for file in output.iterdir()} == {"000000.parquet", "000001.parquet", "summary.json"}
    summary = json.loads((output / "summary.json").read_text())
    fingerprint = open_table(shards).fingerprint()
    assert (summary["parts"], summary["rows"], summary["input"]) == (2, 2 * ROWS, fingerprint)
    assert summary["signatures"] == found.signatures
    assert summary["summary"] == [row._asdict() for row in found.summary.rows()]
    for file in parts(output):
        about = polars.read_parquet_metadata(file)
        assert json.loads(about["signatures"]) == found.signatures
        assert about["input"] == fingerprint
    score_file(shards, metrics=METRICS, workers=1, output=tmp_path / "whole.parquet")
    whole = polars.read_parquet(tmp_path / "whole.parquet")
    assert polars.concat(map(polars.read_parquet, parts(output))).equals(whole)
    with pytest.raises(InputError, match="is not empty"):
        score_file(shards, metrics=METRICS, output=f"{output}/")


def test_workers_that_read_give_the_bytes_of_one_reader(shards: Path, tmp_path: Path) -> None:
    """The same rows as csv, which the driver reads, and as parquet files, which the workers read."""
    outputs = []
    for table, workers in ((shards.with_suffix(".csv"), 1), (shards, 1), (shards, 2)):
        output = tmp_path / f"{len(outputs)}.csv"
        found = score_file(table, metrics=METRICS, workers=workers, output=output)
        outputs.append((output.read_bytes(), repr(found.summary.rows())))
    assert outputs[0] == outputs[1] == outputs[2]


def test_a_part_that_cannot_be_read_is_named_with_its_rows(shards: Path, tmp_path: Path) -> None:
    rows = polars.read_parquet(shards).with_columns(references=polars.concat_list("reference")).drop("reference")
    odd = rows.with_columns(references=polars.col("references").cast(polars.List(polars.Binary)))
    rows[:ROWS].write_parquet(tmp_path / "0.parquet")
    odd[ROWS:].write_parquet(tmp_path / "1.parquet")
    with pytest.raises(Exception, match=r"row(s)? 8,?193"):
        score_file(tmp_path, metrics=METRICS, workers=1)


def test_a_folder_at_a_uri(shards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(remote, "_reached", {})
    files = Remote("mock:///")._files
    score_file(shards, metrics=METRICS, workers=1, output=f"{tmp_path}/scored/")
    score_file(shards, metrics=METRICS, workers=1, output="mock:///deep/scored/")
    for file in sorted((tmp_path / "scored").iterdir()):
        with files.open_input_file(f"deep/scored/{file.name}") as stream:
            assert stream.read() == file.read_bytes()
    with pytest.raises(InputError, match="is not empty"):
        score_file(shards, metrics=METRICS, output="mock:///deep/scored/")
    with pytest.raises(InputError, match=r"mock:///deep/scored/000000.parquet/: it is a file"):
        score_file(shards, metrics=METRICS, output="mock:///deep/scored/000000.parquet/")
    with pytest.raises(InputError, match=r"the input mock:///deep/scored/summary.json is in it"):
        score_file(shards, metrics=METRICS, output="mock:///deep/scored/", inputs=["mock:///deep/scored/summary.json"])
