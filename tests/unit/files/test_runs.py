"""Run folders: what is refused, and that an interrupted run ends with the bytes of an undisturbed one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import polars
import pytest

from paragauge.compute.workspace import Workspace
from paragauge.errors import InputError
from paragauge.evaluate import evaluate_input, form_of
from paragauge.files.runs import Run, read_record
from paragauge.metrics import parse
from paragauge.tables.samples import Samples
from paragauge.tables.summary import Summary

METRICS = [parse(spec) for spec in ("bleu", "chrf++", "ter", "ned.free", "rouge2", "rougeL.free")]
IDENTITY = {"input": {"sha256": "abc", "rows": 17}, "metrics": {metric.spec: metric.signature() for metric in METRICS}}
RECORD = {"summary": [1, 2, float("nan")]}


def chunks(size: int = 4) -> list[Samples]:
    """17 rows of two systems, some without references, some without words."""
    words = ["the", "cat", "sat", "on", "a", "mat", "我", "爱", "猫", "…", ""]
    texts = [" ".join(words[(row * step + step) % 11] for step in range(row % 6)) for row in range(60)]
    rows = Samples.of(
        texts[:17],
        texts[17:34],
        [texts[34 + row : 34 + row + row % 3] for row in range(17)],
        systems=["a" if row % 2 else "b" for row in range(17)],
    )
    return [rows.rows(range(start, min(start + size, 17))) for start in range(0, 17, size)]


def finish(folder: Path, table: list[Samples]) -> Summary:
    run = Run(folder, IDENTITY)
    summary = evaluate_input(table, METRICS, Workspace(), run)
    run.finish(summary.chunks, RECORD, {"seconds": 1.5})
    return summary


def content(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in ("samples.parquet", "scores.parquet", "run.json")}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "whole"
    finish(folder, chunks())
    return folder


class InterruptedRunError(Exception):
    """The power went."""


class Until:
    """Chunks that are read once for what systems have in common, and the second time only up to some chunk."""

    def __init__(self, table: list[Samples], stop: int) -> None:
        self.table, self.stop, self.passes = table, stop, 0

    def __iter__(self) -> Iterator[Samples]:
        self.passes += 1
        yield from self.table if self.passes == 1 else self.table[: self.stop]
        if self.passes > 1:
            raise InterruptedRunError


def interrupt(folder: Path, stop: int) -> None:
    """A run that ends after some chunks; its lock goes with its process, which here is this one."""
    run = Run(folder, IDENTITY)
    with pytest.raises(InterruptedRunError):
        evaluate_input(Until(chunks(), stop), METRICS, Workspace(), run)
    os.close(run._lock)


def test_what_is_in_a_run(undisturbed):
    assert {file.name for file in undisturbed.iterdir()} == {
        "samples.parquet",
        "scores.parquet",
        "run.json",
        "timings.json",
    }
    samples = polars.read_parquet(undisturbed / "samples.parquet")
    assert samples.columns == ["sample", "system", "source", "candidate", "references"]
    rows = [row for chunk in chunks() for row in zip(chunk.candidates, chunk.references, strict=True)]
    assert list(zip(samples["candidate"], map(tuple, samples["references"].to_list()), strict=True)) == rows
    scores = polars.read_parquet(undisturbed / "scores.parquet")
    assert len(scores) == 17 * len(METRICS)
    record = read_record(undisturbed)
    assert record["status"] == "complete"
    assert record["summary"] == [1, 2, None]
    assert record["input"] == IDENTITY["input"]
    assert json.loads((undisturbed / "timings.json").read_text()) == {"seconds": 1.5}


@pytest.mark.parametrize("stop", range(6))
def test_a_resumed_run_has_the_same_bytes(tmp_path, undisturbed, stop):
    folder = tmp_path / "run"
    interrupt(folder, stop)
    assert read_record(folder)["status"] == "running"
    finish(folder, chunks())
    assert content(folder) == content(undisturbed)
    assert not (folder / "parts").exists()


def test_a_run_resumed_again_and_again(tmp_path, undisturbed):
    folder = tmp_path / "run"
    for stop in (1, 1, 3, 5):
        interrupt(folder, stop)
    finish(folder, chunks())
    assert content(folder) == content(undisturbed)


def test_finished_chunks_are_not_computed_again(tmp_path):
    interrupt(tmp_path / "run", 3)
    run = Run(tmp_path / "run", IDENTITY)
    forms = {metric.spec: form_of(metric) for metric in METRICS}
    found = [run.load(number, chunk, forms) is not None for number, chunk in enumerate(chunks())]
    assert found == [True, True, True, False, False]
    os.close(run._lock)


def test_half_written_leftovers_do_no_harm(tmp_path, undisturbed):
    """What a killed process may leave: files under passing names, and a chunk without its scores."""
    folder = tmp_path / "run"
    interrupt(folder, 2)
    parts = folder / "parts"
    kept = (parts / "000001.samples.parquet").read_bytes()
    (parts / "000001.scores.parquet").unlink()
    (parts / "000002.samples.parquet").write_bytes(kept[: len(kept) // 2])
    (parts / "000003.notes.json").write_text('{"half')
    (parts / ".000003.scores.parquet.4711").write_bytes(b"half")
    (folder / ".scores.parquet.4711").write_bytes(b"half")
    finish(folder, chunks())
    assert content(folder) == content(undisturbed)


def test_a_complete_run_is_read_and_not_computed(undisturbed):
    class Unusable(Workspace):
        def get(self, feature, keys):  # noqa: ARG002
            raise AssertionError(f"{feature} was asked for")

    before = content(undisturbed)
    run = Run(undisturbed, IDENTITY)
    assert run.complete
    reported = []
    summary = evaluate_input(chunks(), METRICS, Unusable(), run, report=reported.append)
    run.finish(summary.chunks, {"other": "record"}, {})
    assert content(undisturbed) == before
    fresh = evaluate_input(chunks(), METRICS, Workspace())
    assert repr(summary.rows()) == repr(fresh.rows())
    assert polars.concat([found.stored() for found in reported]).equals(
        polars.read_parquet(undisturbed / "scores.parquet")
    )


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("input", {"sha256": "xyz", "rows": 17}, 'another input ({"sha256": "abc", "rows": 17}, now {"sha256": "xyz"'),
        ("metrics", {}, "another metrics ("),
        ("seed", 1, "another seed (null, now 1)"),
    ],
)
def test_a_run_with_another_identity_is_refused(undisturbed, tmp_path, key, value, message):
    interrupt(tmp_path / "part", 1)
    for folder in (undisturbed, tmp_path / "part"):
        with pytest.raises(InputError) as caught:
            Run(folder, IDENTITY | {key: value})
        assert message in str(caught.value)
        assert "choose another folder" in str(caught.value)


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="holds other files; choose a new one"):
        Run(tmp_path, IDENTITY)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_an_empty_folder_is_taken(tmp_path, undisturbed):
    finish(tmp_path, chunks())
    assert content(tmp_path) == content(undisturbed)


@pytest.mark.parametrize("record", ["", "{", "[1]", "\x00"])
def test_a_record_that_cannot_be_read(tmp_path, record):
    (tmp_path / "run.json").write_text(record)
    with pytest.raises(InputError, match=r"is not a run folder: run\.json"):
        Run(tmp_path, IDENTITY)
    with pytest.raises(InputError, match="is not a run folder"):
        read_record(tmp_path)


def test_no_record(tmp_path):
    with pytest.raises(InputError, match="is not a run folder"):
        read_record(tmp_path / "nowhere")


HOLDER = textwrap.dedent("""
    import sys
    from pathlib import Path
    from paragauge.files.runs import Run

    run = Run(Path(sys.argv[1]), {"input": "abc"})
    print("held", flush=True)
    sys.stdin.read()
""")


def test_a_folder_in_use_by_another_process(tmp_path):
    folder = tmp_path / "run"
    command = [sys.executable, "-c", HOLDER, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InputError, match="another process is at work in"):
            Run(folder, {"input": "abc"})
        holder.kill()
    run = Run(folder, {"input": "abc"})  # a killed process holds nothing
    os.close(run._lock)
