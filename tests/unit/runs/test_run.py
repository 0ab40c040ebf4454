"""Run folders: what is refused, and that an interrupted run ends with the bytes of an undisturbed one."""

import hashlib
import json
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

import polars
import pytest

from paragauge.errors import InputError, ParagaugeError
from paragauge.evaluate.drive import score_parts
from paragauge.evaluate.engines.local import Local
from paragauge.evaluate.part import aggregation_of
from paragauge.evaluate.plan import plan
from paragauge.metrics import parse
from paragauge.runs.record import difference, read_record
from paragauge.runs.scores import PART, finish_scores, load_scores
from paragauge.runs.store import Parts, Store
from paragauge.tables.notices import Notice, NoticeKind
from paragauge.tables.samples import Samples
from paragauge.tables.summary import Summary

METRICS = [parse(spec) for spec in ("bleu", "chrf++", "ter", "ned.free", "rouge2", "rougeL.free")]
IDENTITY = {"input": {"sha256": "abc", "rows": 17}, "metrics": {metric.spec: metric.signature() for metric in METRICS}}
RECORD = {"summary": [{"mean": 1}, {"mean": float("nan")}]}


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


def score(store: Store, table: Iterable[Samples], parts: Parts | None = None) -> tuple[Summary, list[str]]:
    """Its summary, and what was wrong with parts; the chunks are too small to start processes for."""
    parts = parts if store.complete else store.kept(PART)
    return score_parts(plan(table, METRICS), store=store, parts=parts, engine=Local(1))


def finish(folder: Path, table: list[Samples]) -> Summary:
    store = Store(folder, IDENTITY)
    summary, _ = score(store, table)
    finish_scores(store, summary.chunks, RECORD, {"seconds": 1.5})
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
    store = Store(folder, IDENTITY)
    with pytest.raises(InterruptedRunError):
        score(store, Until(chunks(), stop))
    store.release()


def test_what_is_in_a_run(undisturbed):
    names = {file.name for file in undisturbed.iterdir()}
    sums = json.loads((undisturbed / "manifest.json").read_text())["sha256"]
    assert sums == {
        name: hashlib.sha256((undisturbed / name).read_bytes()).hexdigest() for name in names - {"manifest.json"}
    }
    assert names == {
        "samples.parquet",
        "scores.parquet",
        "run.json",
        "timings.json",
        "manifest.json",
    }
    samples = polars.read_parquet(undisturbed / "samples.parquet")
    assert samples.columns == ["sample", "system", "source", "candidate", "references"]
    rows = [row for chunk in chunks() for row in zip(chunk.candidates, chunk.references, strict=True)]
    assert list(zip(samples["candidate"], map(tuple, samples["references"].to_list()), strict=True)) == rows
    scores = polars.read_parquet(undisturbed / "scores.parquet")
    assert len(scores) == 17 * len(METRICS)
    record = read_record(undisturbed)
    assert record["status"] == "complete"
    assert record["summary"] == [{"mean": 1}, {"mean": None}]
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
    parts = Parts(tmp_path / "run" / "parts", PART)
    aggregations = {metric.spec: aggregation_of(metric) for metric in METRICS}
    found = [load_scores(parts, number, chunk, aggregations)[0] is not None for number, chunk in enumerate(chunks())]
    assert found == [True, True, True, False, False]


def test_half_written_leftovers_do_no_harm(tmp_path, undisturbed):
    """What a killed process may leave: files under passing names, and a chunk without its scores."""
    folder = tmp_path / "run"
    interrupt(folder, 2)
    parts = folder / "parts"
    kept = (parts / "000001.samples.parquet").read_bytes()
    (parts / "000001.scores.parquet").unlink()
    (parts / "000002.samples.parquet").write_bytes(kept[: len(kept) // 2])
    (parts / "000003.notes.json").write_text('{"half')
    (folder / ".paragauge-4711.part").write_bytes(b"half")
    (parts / ".000003.scores.parquet.4711").write_bytes(b"half")
    (folder / ".scores.parquet.4711").write_bytes(b"half")
    finish(folder, chunks())
    assert content(folder) == content(undisturbed)
    assert not (folder / ".paragauge-4711.part").exists()


def truncate(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])


def exchange_scores(file: Path) -> None:
    """A sound table with other scores."""
    polars.read_parquet(file).with_columns(polars.lit(1.0).alias("score")).write_parquet(file)


HARM = {
    "scores cut short": ("000001.scores.parquet", truncate),
    "other scores": ("000001.scores.parquet", exchange_scores),
    "empty scores": ("000001.scores.parquet", lambda file: file.write_bytes(b"")),
    "samples cut short": ("000001.samples.parquet", truncate),
    "no samples": ("000001.samples.parquet", Path.unlink),
    "notes cut short": ("000001.notes.json", lambda file: file.write_text('{"half')),
    "other notes": ("000001.notes.json", lambda file: file.write_text('{"notices": []}')),
    "no notes": ("000001.notes.json", Path.unlink),
    "no manifest": ("000001.manifest.json", Path.unlink),
    "another manifest": ("000001.manifest.json", lambda file: file.write_text('{"sha256": {}}')),
    "a manifest of nothing": ("000001.manifest.json", lambda file: file.write_text("[]")),
}


@pytest.mark.parametrize("harm", HARM)
def test_a_damaged_part_is_named_and_computed_again(tmp_path, undisturbed, harm):
    name, damage = HARM[harm]
    interrupt(tmp_path / "run", 3)
    damage(tmp_path / "run" / "parts" / name)
    store = Store(tmp_path / "run", IDENTITY)
    summary, (repaired,) = score(store, chunks())
    assert name in repaired
    finish_scores(store, summary.chunks, RECORD, {})
    assert content(tmp_path / "run") == content(undisturbed)


def test_a_part_damaged_before_the_end_is_told_and_computed_again(tmp_path, undisturbed):
    store = Store(tmp_path / "run", IDENTITY)
    summary, _ = score(store, chunks())
    truncate(store.parts / "000002.scores.parquet")
    with pytest.raises(ParagaugeError, match=r"000002\.scores\.parquet was changed or damaged; rerun to resume"):
        finish_scores(store, summary.chunks, RECORD, {})
    store.release()
    finish(tmp_path / "run", chunks())
    assert content(tmp_path / "run") == content(undisturbed)


def test_parts_cut_in_another_way_are_computed_again(tmp_path):
    interrupt(tmp_path / "run", 3)
    finish(tmp_path / "run", chunks(7))
    finish(tmp_path / "whole", chunks(7))
    assert content(tmp_path / "run") == content(tmp_path / "whole")


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("scores.parquet", exchange_scores),
        ("scores.parquet", truncate),
        ("scores.parquet", Path.unlink),
        ("samples.parquet", truncate),
        ("timings.json", Path.unlink),
        ("run.json", lambda file: file.write_text(file.read_text().replace('"mean": 1', '"mean": 3'))),
        ("manifest.json", Path.unlink),
        ("manifest.json", lambda file: file.write_text('{"sha256": {"run.json": "0"}}')),
    ],
)
def test_a_complete_run_that_was_changed_is_refused(tmp_path, undisturbed, name, damage):
    folder = tmp_path / "run"
    shutil.copytree(undisturbed, folder)
    assert Store(folder, IDENTITY).complete
    damage(folder / name)
    with pytest.raises(InputError) as caught:
        Store(folder, IDENTITY)
    assert "was modified after the run: " + name in str(caught.value)


@pytest.mark.parametrize(
    "kept", [{"notices": [{"kind": "repaired", "subject": "", "count": 3, "of": 0}]}, {"notes": {"repaired": 3}}]
)  # the latter by earlier versions
def test_the_warnings_of_a_complete_run_are_kept(tmp_path, kept):
    store = Store(tmp_path / "run", IDENTITY)
    summary, _ = score(store, chunks())
    finish_scores(store, summary.chunks, kept, {})
    (notice,) = score(Store(tmp_path / "run", IDENTITY), chunks())[0].notices
    assert notice == Notice(NoticeKind.REPAIRED, "", 3)


def test_a_folder_with_wildcards_in_its_name(tmp_path, undisturbed):
    folder = tmp_path / "run[1]*"
    interrupt(folder, 2)
    finish(folder, chunks())
    assert content(folder) == content(undisturbed)
    assert score(Store(folder, IDENTITY), chunks())[0].size == 17


def test_a_complete_run_is_read_and_not_computed(undisturbed, tmp_path, monkeypatch):
    fresh, _ = score_parts(plan(chunks(), METRICS), engine=Local(1))
    before = content(undisturbed)
    store = Store(undisturbed, IDENTITY)
    assert store.complete

    def refuse(*_: object) -> None:
        raise AssertionError("it was computed again")

    monkeypatch.setattr("paragauge.evaluate.part.score_part", refuse)
    parts = Parts(tmp_path, PART)
    summary, _ = score(store, chunks(), parts)
    assert content(undisturbed) == before
    assert repr(summary.rows()) == repr(fresh.rows())
    tables = [polars.read_parquet(parts.paths(number)[2]) for number in range(summary.chunks)]
    assert polars.concat(tables).equals(polars.read_parquet(undisturbed / "scores.parquet"))


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("input", {"sha256": "xyz", "rows": 17}, "holds another run (input: changed sha256 (abc, now xyz));"),
        ("metrics", {}, "holds another run (metrics: removed bleu, chrf++, ter, ned.free, rouge2, rougeL.free);"),
        ("seed", 1, "holds another run (seed: null, now 1);"),
    ],
)
def test_a_run_with_another_identity_is_refused(undisturbed, tmp_path, key, value, message):
    interrupt(tmp_path / "part", 1)
    for folder in (undisturbed, tmp_path / "part"):
        with pytest.raises(InputError) as caught:
            Store(folder, IDENTITY | {key: value})
        assert message in str(caught.value)
        assert "choose another folder" in str(caught.value)


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="contains other files; choose a new folder"):
        Store(tmp_path, IDENTITY)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_folder_of_parts_that_are_not_ours_is_refused(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="contains other files; choose a new folder"):
        Store(tmp_path, IDENTITY)
    assert (tmp_path / "parts" / "thesis.tex").exists()


def test_a_run_killed_in_its_first_moment(tmp_path, undisturbed):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "lock").touch()
    (tmp_path / ".paragauge-4711.part").write_text('{"sta')  # the record, half written
    finish(tmp_path, chunks())
    assert content(tmp_path) == content(undisturbed)
    assert not (tmp_path / ".paragauge-4711.part").exists()


def test_a_run_killed_in_its_last_moment(tmp_path, undisturbed):
    shutil.copytree(undisturbed, tmp_path / "run")
    (tmp_path / "run" / "parts").mkdir()
    (tmp_path / "run" / "parts" / "000000.scores.parquet").touch()
    assert Store(tmp_path / "run", IDENTITY).complete
    assert {file.name for file in (tmp_path / "run").iterdir()} == {file.name for file in undisturbed.iterdir()}


def test_a_folder_that_cannot_be_had(tmp_path):
    file = tmp_path / "file"
    file.write_text("years of work")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "parts").write_text("")
    for folder in (file, file / "run", tmp_path / "run"):
        with pytest.raises(InputError, match=r"is a file; expected a folder"):
            Store(folder, IDENTITY)
    assert file.read_text() == "years of work"


def test_a_file_system_that_cannot_be_written():
    if not Path("/proc/self").exists():
        pytest.skip("needs /proc, in which nobody can make a folder")
    with pytest.raises(InputError, match="cannot keep the run in /proc/paragauge: No such file or directory"):
        Store(Path("/proc/paragauge"), IDENTITY)


def test_a_difference_shows_what_differs_and_nothing_else():
    before = {"bleu": "bleu|order:4|tokenizer:13a|version:1", "ter": "ter|x"}
    now = {"bleu": "bleu|order:4|tokenizer:zh|version:1", "chrf": "chrf|x"}
    assert difference(before, now) == "added chrf; removed ter; changed bleu (tokenizer:13a, now tokenizer:zh)"
    assert difference("bleu|order:4", "bleu|order:4|lang:zh") == "nothing, now lang:zh"
    assert difference(None, {"a": 1}) == 'null, now {"a": 1}'
    assert difference("x" * 500 + "a", "x" * 500 + "b") == f"…{'x' * 20}a, now …{'x' * 20}b"
    assert len(difference({}, {str(number): "" for number in range(1000)})) < 60


def test_an_empty_folder_is_taken(tmp_path, undisturbed):
    finish(tmp_path, chunks())
    assert content(tmp_path) == content(undisturbed)


@pytest.mark.parametrize("record", ["", "{", "[1]", "\x00"])
def test_a_record_that_cannot_be_read(tmp_path, record):
    (tmp_path / "run.json").write_text(record)
    with pytest.raises(InputError, match=r"is not a run folder: run\.json"):
        Store(tmp_path, IDENTITY)
    with pytest.raises(InputError, match="is not a run folder"):
        read_record(tmp_path)


def test_no_record(tmp_path):
    with pytest.raises(InputError, match="is not a run folder"):
        read_record(tmp_path / "nowhere")


HOLDER = textwrap.dedent("""
    import sys
    from pathlib import Path
    from paragauge.runs.store import Store

    run = Store(Path(sys.argv[1]), {"input": "abc"})
    print("held", flush=True)
    sys.stdin.read()
""")


def test_a_folder_in_use_by_another_process(tmp_path):
    folder = tmp_path / "run"
    command = [sys.executable, "-c", HOLDER, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InputError, match="another process is using"):
            Store(folder, {"input": "abc"})
        holder.kill()
    run = Store(folder, {"input": "abc"})  # a killed process holds nothing
    run.release()
