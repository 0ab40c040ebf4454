"""Records of runs that are damaged, or not what they should be: told in one sentence, and none takes others with it."""

import json
import os
import random
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from paragauge.comparison.compare import compare
from paragauge.errors import ParagaugeError
from paragauge.evaluate.score_file import score_file
from paragauge.reports.runs import read_runs
from paragauge.reports.sections.about import section as about
from paragauge.runs.listing import complete_record, find_runs, verify_run
from paragauge.runs.record import as_manifest, file_sha256, read_object

DEEP = b"[" * 100_000


def _pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _endless(file: Path) -> None:
    file.unlink()
    file.symlink_to("/dev/zero")


def _large(file: Path) -> None:
    with file.open("wb") as stream:
        stream.write(b'{"status": "')
        stream.truncate(65 << 20)


DAMAGES: Mapping[str, Callable[[Path], object]] = {
    "deep": lambda file: file.write_bytes(DEEP),
    "deep inside": lambda file: file.write_bytes(b'{"sha256": {}, "metrics": ' + b"[" * 900 + b"]" * 900 + b"}"),
    "a list": lambda file: file.write_bytes(b"[]"),
    "empty": lambda file: file.write_bytes(b""),
    "not utf-8": lambda file: file.write_bytes(b'{"status": "\xff"}'),
    "a huge number": lambda file: file.write_bytes(b'{"rows": ' + b"9" * 5000 + b"}"),
    "an infinite number": lambda file: file.write_bytes(b'{"metrics": {}, "status": "complete", "rows": 1e999}'),
    "other types": lambda file: file.write_bytes(b'{"metrics": {}, "status": ["complete"], "files": 3}'),
    "missing": Path.unlink,
    "large": _large,
    "a pipe": _pipe,
    "a folder": _folder,
    "a device": _endless,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run with its table next to it."""
    below = tmp_path_factory.mktemp("runs")
    table = below / "pairs.csv"
    table.write_text(
        "source,candidate,system\n" + "".join(f"one {n} two,two {n} one,{'ab'[n % 2]}\n" for n in range(8))
    )
    score_file(table, metrics=["ned.free", "chrf.free"], run=below / "run")
    return below


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "all")
    shutil.copytree(made / "run", tmp_path / "all" / "sound")
    return tmp_path / "all" / "run"


def readers(run: Path) -> dict[str, Callable[[], object]]:
    """Everything that reads a run folder."""
    return {
        "list": lambda: find_runs(run.parent),
        "verify": lambda: verify_run(run),
        "show": lambda: complete_record(run),
        "compare": lambda: compare(run),
        "report": lambda: about(read_runs([run])),
        "score": lambda: score_file(run.parent / "pairs.csv", metrics=["ned.free", "chrf.free"], run=run),
    }


def refusals(run: Path) -> dict[str, str]:
    """What each of them says; anything but a sentence ends the test."""
    found = {}
    for name, reader in readers(run).items():
        try:
            reader()
        except ParagaugeError as error:
            found[name] = str(error)
    assert not any("\n" in sentence for sentence in found.values())
    return found


@pytest.mark.parametrize("name", ["run.json", "manifest.json"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_record_is_told_in_a_sentence_and_the_list_goes_on(run: Path, name: str, damage: str) -> None:
    DAMAGES[damage](run / name)
    sentences = refusals(run)
    assert {"show", "compare", "report"} <= sentences.keys()
    assert "list" not in sentences
    listed = {found.folder.name: found.status for found in find_runs(run.parent)}
    assert listed.pop("sound") == "complete"
    # a folder without a record, or with a folder of that name, is not a run at all
    gone = name == "run.json" and damage in ("missing", "a folder")
    assert listed == ({} if gone else {"run": "damaged"})


@pytest.mark.parametrize("name", ["scores.parquet", "samples.parquet", "timings.json"])
@pytest.mark.parametrize("damage", ["a pipe", "a device", "a folder", "missing", "deep"])
def test_no_file_of_a_run_is_waited_for(run: Path, name: str, damage: str) -> None:
    if damage == "a device":
        (run / name).unlink()
        (run / name).symlink_to("/dev/null")
    else:
        DAMAGES[damage](run / name)
    assert [fault.partition(" ")[0] for fault in verify_run(run)] == [name]
    assert refusals(run).keys() == {"compare", "report", "score"}


def test_whatever_stands_in_a_record_whose_manifest_fits(run: Path) -> None:
    """As someone would write it who wants to see what breaks."""
    whole = json.loads((run / "run.json").read_bytes())
    odd: list[Any] = [None, True, -1, 10**30, 1.5, "", "\ud800\u202e", [], {}, [[]], [{}], {"a": {}}, "complete"]
    draw = random.Random(0)
    sums = {name: file_sha256(run / name) for name in whole["files"]}
    for _ in range(150):
        changed = json.loads(json.dumps(whole))
        places = _places(changed)
        for *way, last in draw.sample(places, 1):
            inner = changed
            for key in way:
                inner = inner[key]
            inner[last] = draw.choice(odd)
        (run / "run.json").write_text(json.dumps(changed))
        sums["run.json"] = file_sha256(run / "run.json")
        (run / "manifest.json").write_bytes(as_manifest(sums))
        refusals(run)


def _places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return ([way] if way else []) + [found for key, one in inner for found in _places(one, (*way, key))]


@pytest.mark.parametrize("damage", [name for name in DAMAGES if name != "missing"])
def test_damaged_alignments_are_none(run: Path, damage: str) -> None:
    (run / "alignments.parquet").write_bytes(b"PAR1")
    DAMAGES[damage](run / "alignments.parquet")
    assert read_runs([run]).alignments == {}


@pytest.mark.parametrize("name", ["notes.json", "manifest.json"])
@pytest.mark.parametrize("damage", [damage for damage in DAMAGES if damage != "a folder"])
def test_a_part_that_is_damaged_is_computed_again(run: Path, name: str, damage: str) -> None:
    table, other = run.parent / "pairs.csv", run.parent / "other"
    with pytest.raises(KeyboardInterrupt):
        score_file(table, metrics=["ned.free"], run=other, progress=_interrupt)
    (part,) = sorted((other / "parts").glob(f"*.{name}"))
    DAMAGES[damage](part)
    assert score_file(table, metrics=["ned.free"], run=other).repaired
    assert verify_run(other) == []


def _interrupt(_: str, done: int, total: int) -> None:
    if done == total:
        raise KeyboardInterrupt


def test_an_object_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    value = {"a": [1, 2.5, None, "ü"], "b": {"c": {"d": [[]]}}}
    file.write_text(json.dumps(value))
    assert read_object(file) == value
