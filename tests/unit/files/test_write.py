"""Output written whole or not at all."""

import json
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

import polars
import pytest
from tests.unit.files.saved import refusal, save

from paragauge.errors import ExistingFileError, ParagaugeError
from paragauge.files.table import open_table
from paragauge.files.write import atomic_write, check_folder, check_output, check_path, write_frame
from paragauge.tables.samples import Samples


def test_atomic_write_replaces_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "out.bin"
    atomic_write(path, b"one")
    assert path.read_bytes() == b"one"
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    path.chmod(0o640)
    atomic_write(str(path), lambda stream: stream.write(b"two"))
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_keeps_the_old_file_and_leaves_nothing(tmp_path: Path) -> None:
    path = save(tmp_path / "out.bin", "old")

    def fail(stream: IO[bytes]) -> None:
        stream.write(b"half")
        assert len(list(tmp_path.iterdir())) == 2
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        atomic_write(path, fail)

    def fill_the_disk(stream: IO[bytes]) -> None:
        stream.write(b"half")
        with open("/dev/full", "wb") as full:
            full.write(b"x")

    with pytest.raises(ParagaugeError) as caught:
        atomic_write(path, fill_the_disk)
    assert str(caught.value) == f"could not write {path}: No space left on device"
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_cannot_begin(tmp_path: Path) -> None:
    with pytest.raises(ParagaugeError, match=r": No such file or directory$"):
        atomic_write(tmp_path / "absent" / "out.bin", b"")
    save(tmp_path / "file", "")
    with pytest.raises(ParagaugeError, match="Not a directory"):
        atomic_write(tmp_path / "file" / "out.bin", b"")
    with pytest.raises(ParagaugeError, match="Is a directory"):
        atomic_write(tmp_path, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert not [path for path in tmp_path.parent.iterdir() if path.suffix == ".part"]


def test_atomic_write_follows_links(tmp_path: Path) -> None:
    target = save(tmp_path / "target", "old")
    link = tmp_path / "link"
    link.symlink_to(target)
    atomic_write(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_devices_are_written_straight(tmp_path: Path) -> None:
    with pytest.raises(ParagaugeError, match="could not write /dev/full: No space left on device"):
        atomic_write("/dev/full", b"x")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)
    program = (
        "from paragauge.files.write import atomic_write; print(1, flush=True); atomic_write('/dev/stdout', b'2\\n')"
    )
    piped = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert piped.stdout == b"1\n2\n"
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", program], stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == b"1\n2\n"
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE) as reader:
        atomic_write(fifo, b"through")
        assert reader.communicate(timeout=30)[0] == b"through"
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_check_output(tmp_path: Path) -> None:
    assert check_output(tmp_path / "a.CSV") == "csv"
    assert check_output(tmp_path / "a.jsonl.gz") == "jsonl"
    assert check_output(tmp_path / "a.html", formats={".html": "html"}) == "html"
    assert list(tmp_path.iterdir()) == []
    message = refusal(lambda: check_output(tmp_path / "a.xlsx"))
    assert "the suffix '.xlsx' is of no known format" in message
    assert "known: .csv, .tsv, .jsonl, .ndjson, .parquet" in message
    assert "there is no folder" in refusal(lambda: check_output(tmp_path / "absent" / "a.csv"))
    (tmp_path / "b.csv").mkdir()
    assert "it is a folder" in refusal(lambda: check_output(tmp_path / "b.csv"))


def test_an_output_that_is_an_input_is_refused_by_whatever_name(tmp_path: Path) -> None:
    given = save(tmp_path / "s.csv", "years of work")
    (tmp_path / "link.csv").symlink_to(given)
    os.link(given, tmp_path / "hard.csv")
    (tmp_path / "folder").symlink_to(tmp_path)
    names = [given, tmp_path / "link.csv", tmp_path / "hard.csv", tmp_path / "folder" / "s.csv", os.path.relpath(given)]
    for output in names:
        for read in names:
            message = refusal(lambda o=output, r=read: check_output(o, inputs=["-", r], overwrite=True))  # type: ignore[misc]
            assert message.startswith(f"cannot write {output}: it is the input")
    assert "it lies in the input" in refusal(lambda: check_path(tmp_path / "new.csv", inputs=[tmp_path]))
    assert "it lies in the input" in refusal(lambda: check_folder(tmp_path / "folder", [tmp_path]))
    assert f"the input {given} is in it" in refusal(lambda: check_folder(tmp_path, [given]))
    check_folder(tmp_path / "run", [given, tmp_path / "absent.csv", "-"])
    check_path(tmp_path / "new.csv", inputs=[given, tmp_path / "absent"])


def test_a_file_that_exists_is_replaced_only_when_told(tmp_path: Path) -> None:
    frame = polars.DataFrame({"a": [1]})
    path = save(tmp_path / "a.csv", "years of work")
    (tmp_path / "link.csv").symlink_to(path)
    for name in (path, tmp_path / "link.csv"):
        with pytest.raises(ExistingFileError, match="already exists; overwrite=True replaces it"):
            write_frame(frame, name)
    assert path.read_text() == "years of work"
    (tmp_path / "dangling.csv").symlink_to(tmp_path / "new.csv")
    write_frame(frame, tmp_path / "dangling.csv")
    write_frame(frame, path, overwrite=True)
    assert (tmp_path / "new.csv").read_text() == path.read_text() == "a\n1\n"


def test_devices_and_pipes_hold_nothing_to_lose(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.csv")
    for name in ("/dev/null", tmp_path / "fifo.csv"):
        check_path(name, inputs=["-", name])
    check_path("/dev/stdout", inputs=["-"])


def test_check_output_without_permission() -> None:
    program = (
        "import os, sys; from paragauge.files.write import check_output\n"
        "if os.getuid() == 0: os.setuid(65534)\n"  # root may write everywhere
        "check_output(sys.argv[1])"
    )
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        result = subprocess.run([sys.executable, "-c", program, f"{folder}/a.csv"], capture_output=True, text=True)
        os.chmod(folder, 0o755)
    assert f"cannot write {folder}/a.csv: no permission to write in {folder}" in result.stderr


@pytest.mark.parametrize(
    "suffix", [".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".csv.gz", ".tsv.gz", ".jsonl.gz", ".ndjson.gz"]
)
def test_write_frame_is_read_back(tmp_path: Path, suffix: str) -> None:
    texts = [
        "", " ", '"', '""', "a\nb\r\nc", "tab\there", "comma, 'quote', \"double\"", "👩‍👩‍👧 emoji", "שלום עולם \u200f",
        "مرحبا", "\ufeffmark", "line\u2028separator\x85", "x" * 200_000, "\\n", "null", "NA",
    ]  # fmt: skip
    frame = polars.DataFrame(
        {
            "source": texts,
            "candidate": ["", *texts[1:]]
            if suffix.startswith((".csv", ".tsv"))
            else [None, *texts[1:]],  # csv has no null
            "references": [None, [], *([text, "other"] for text in texts[2:])],
            "score": [0.1 + 0.2] * len(texts),
        },
        schema_overrides={"references": polars.List(polars.String)},
    )
    path = tmp_path / f"a{suffix}"
    write_frame(frame, path)
    first = path.read_bytes()
    assert first.startswith(b"\x1f\x8b") == suffix.endswith(".gz")
    if suffix.endswith(".gz"):
        assert first[4:8] == bytes(4)  # no time of writing
    expected = Samples.of(texts, frame["candidate"].to_list(), frame["references"].to_list())
    (found,) = open_table(path)
    assert found == expected
    assert list(tmp_path.iterdir()) == [path]


def test_write_frame_keeps_numbers_whole(tmp_path: Path) -> None:
    frame = polars.DataFrame({"score": [0.1 + 0.2, 1e-300, None]})
    write_frame(frame, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text().split() == ["score", "0.30000000000000004", "1e-300"]
    write_frame(frame, tmp_path / "a.jsonl")
    scores = [json.loads(line)["score"] for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert scores == [0.1 + 0.2, 1e-300, None]


def test_write_frame_refuses_before_writing(tmp_path: Path) -> None:
    frame = polars.DataFrame({"a": [1]})
    assert "is of no known format" in refusal(lambda: write_frame(frame, tmp_path / "a.xlsx"))
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "full.csv").symlink_to("/dev/full")
    with pytest.raises(ParagaugeError, match="No space left on device"):
        write_frame(frame, tmp_path / "full.csv")
