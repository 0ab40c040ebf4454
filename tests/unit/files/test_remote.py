"""Tables and output by URI: file://, and pyarrow's filesystem in memory (mock://), which stands for s3:// and gs://."""

import gzip
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import polars
import pytest
from tests.unit.files.saved import refusal

from paragauge.errors import ExistingFileError, MissingExtraError, ParagaugeError
from paragauge.files import remote
from paragauge.files.remote import Remote, lies_in, local_path, shown
from paragauge.files.table import open_table
from paragauge.files.write import atomic_write, check_folder, check_output, write_frame

CSV = b"source,candidate\na,b\nc,d\n"


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The filesystem of mock:///, with the folder `shards`."""
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(remote, "_reached", {})
    files = Remote("mock:///")._files
    files.create_dir("shards")
    return files


def paths(files: Any) -> list[str]:
    from pyarrow.fs import FileSelector

    return sorted(one.path for one in files.get_file_info(FileSelector("", recursive=True)) if one.is_file)


def parquet(rows: int, first: int = 1) -> bytes:
    buffer = io.BytesIO()
    texts = [f"s{row}" for row in range(first, first + rows)]
    polars.DataFrame({"source": texts, "candidate": texts, "references": [["r", "é"]] * rows}).write_parquet(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "suffix, content",
    [
        ("csv", CSV),
        ("csv.gz", gzip.compress(CSV)),
        ("jsonl", b'{"source": "a", "candidate": "b"}\n'),
        ("parquet", None),
    ],
    ids=["csv", "csv.gz", "jsonl", "parquet"],
)
def test_a_file_by_uri_is_the_local_file(memory: Any, tmp_path: Path, suffix: str, content: bytes | None) -> None:
    local = tmp_path / f"a b.{suffix}"
    local.write_bytes(parquet(9_000) if content is None else content)
    uri = f"mock:///shards/a%20b.{suffix}"
    atomic_write(uri, local.read_bytes())
    assert paths(memory) == [f"shards/a b.{suffix}"]
    expected = open_table(local)
    for given in (uri, local.as_uri()):
        table = open_table(given)
        assert table.name == given
        assert list(table) == list(expected)
        assert table.length == expected.length
        assert table.progress() == expected.progress()
        assert table.fingerprint() == open_table(local).fingerprint()


@pytest.mark.parametrize("groups", [700, 8_192, 20_000])
def test_rows_in_the_middle_of_a_file_by_uri(memory: Any, groups: int) -> None:  # noqa: ARG001
    buffer = io.BytesIO()
    texts = [f"s{row}" for row in range(1, 20_001)]
    polars.DataFrame({"source": texts, "candidate": texts}).write_parquet(buffer, row_group_size=groups)
    atomic_write("mock:///middle.parquet", buffer.getvalue())
    table = open_table("mock:///middle.parquet")
    for rows in (999, 8_192, 30_000):
        deferred = table.deferred(rows)
        assert deferred is not None
        assert [part.read() for part in deferred] == list(table.chunks(rows))


def test_patterns_and_folders(memory: Any) -> None:
    memory.create_dir("shards/deep")
    for number in range(3):
        atomic_write(f"mock:///shards/{number}.parquet", parquet(5_000, 5_000 * number + 1))
    atomic_write("mock:///shards/_SUCCESS", b"")
    atomic_write("mock:///shards/.0.parquet.crc", b"x")
    for given in ("mock:///shards/*.parquet", "mock:///*/[0-9].parquet", "mock:///**/*.parquet"):
        table = open_table(given)
        assert table.files == tuple(f"mock:///shards/{number}.parquet" for number in range(3))
        assert table.length == 15_000
        assert [(len(chunk), chunk.ids[0], chunk.sources[0]) for chunk in table] == [
            (8_192, "1", "s1"),
            (6_808, "8193", "s8193"),
        ]
    assert "holds the folder deep" in refusal(lambda: open_table("mock:///shards"))
    memory.delete_dir("shards/deep")
    assert open_table("mock:///shards").fingerprint() == table.fingerprint()
    assert open_table("mock:///shards/").files == table.files
    assert refusal(lambda: open_table("mock:///shards/*.csv")) == "no file matches mock:///shards/*.csv"
    assert refusal(lambda: open_table("mock:///absent/*.csv")).startswith("mock:///absent: no such")
    assert refusal(lambda: open_table("mock:///absent.csv")) == "mock:///absent.csv: no such file"


@pytest.mark.parametrize(
    "name, content, reason",
    [
        ("1.parquet", parquet(50)[:-40], "could not be read as parquet"),
        ("1.parquet", b"", "is empty"),
        ("1.parquet", b"source", "is not a parquet file"),
        ("1.csv.gz", gzip.compress(CSV)[:15], "the gzip data is damaged or cut short"),
    ],
    ids=["cut short", "empty", "no parquet", "gzip cut short"],
)
@pytest.mark.usefixtures("memory")
def test_a_poisoned_shard_is_named(name: str, content: bytes, reason: str) -> None:
    suffix = name.partition(".")[2]
    for number in (0, 2):
        atomic_write(f"mock:///shards/{number}.{suffix}", parquet(5) if suffix == "parquet" else CSV)
    atomic_write(f"mock:///shards/{name}", content)
    message = refusal(lambda: open_table("mock:///shards"))
    assert message.startswith(f"mock:///shards/{name}")
    assert reason in message


def test_output_by_uri(memory: Any) -> None:
    frame = polars.DataFrame({"source": ["a"], "candidate": ["b"]})
    for suffix in ("csv", "csv.gz", "parquet", "jsonl"):
        target = f"mock:///shards/out.{suffix}"
        write_frame(frame, target)
        (found,) = open_table(target)
        assert (found.sources, found.candidates) == (["a"], ["b"])
        with pytest.raises(ExistingFileError):
            write_frame(frame, target)
        assert "it is the input" in refusal(lambda target=target: check_output(target, inputs=[target], overwrite=True))
        write_frame(frame, target, overwrite=True)
    assert len(paths(memory)) == 4
    memory.create_dir("shards.csv")
    inside = refusal(lambda: check_output("mock:///shards/new.csv", inputs=["mock:///shards/"]))
    assert inside == "cannot write mock:///shards/new.csv: it lies in the input mock:///shards/, which would be lost"
    assert "it is a folder" in refusal(lambda: check_output("mock:///shards.csv"))
    assert "there is no folder absent" in refusal(lambda: check_output("mock:///absent/new.csv"))
    assert "no known format" in refusal(lambda: check_output("mock:///shards/new.txt"))


def test_a_failed_write_keeps_the_old_file(memory: Any) -> None:
    atomic_write("mock:///shards/a.csv", CSV)

    def fail(stream: IO[bytes]) -> None:
        stream.write(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        atomic_write("mock:///shards/a.csv", fail)
    with pytest.raises(ParagaugeError, match=r"could not write mock:///absent/a\.csv: "):
        atomic_write("mock:///absent/a.csv", CSV)
    assert paths(memory) == ["shards/a.csv"]
    assert len(next(iter(open_table("mock:///shards/a.csv")))) == 2


@pytest.fixture
def without_move(memory: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A filesystem that renames nothing; gives the places written to."""
    from pyarrow.fs import FileSystemHandler, PyFileSystem

    written: list[str] = []

    def passed_on(name: str) -> Callable[..., Any]:
        return lambda _, *given, **__: getattr(memory, name)(*given)

    def refuse(*_: object) -> None:
        raise NotImplementedError("no move")

    def output(_: object, path: str, *__: object) -> Any:
        written.append(path)
        return memory.open_output_stream(path)

    abstract = FileSystemHandler.__abstractmethods__
    methods: dict[str, Any] = {name: passed_on(name) for name in abstract}
    methods |= {"move": refuse, "open_output_stream": output, "get_type_name": lambda _: "mock"}
    files = PyFileSystem(type("Handler", (FileSystemHandler,), methods)())
    monkeypatch.setitem(remote._reached, (os.getpid(), "mock", "", ""), files)
    return written


def test_a_filesystem_that_cannot_rename_is_written_to_last(memory: Any, without_move: list[str]) -> None:
    atomic_write("mock:///shards/a.csv", CSV)
    assert without_move[1:] == ["shards/a.csv"]
    assert without_move[0].startswith("shards/.paragauge-")
    assert paths(memory) == ["shards/a.csv"]
    with memory.open_input_file("shards/a.csv") as stream:
        assert stream.read() == CSV


def test_file_uris_are_local_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # which they do not need
    file = tmp_path / "é x.csv"
    atomic_write(file.as_uri(), CSV)
    assert file.read_bytes() == CSV
    assert list(open_table(file.as_uri())) == list(open_table(file)) == list(open_table(f"{tmp_path.as_uri()}/*.csv"))
    assert "it is the input" in refusal(lambda: check_output(file.as_uri(), inputs=[file], overwrite=True))
    assert "it is the input" in refusal(lambda: check_output(file, inputs=[file.as_uri()], overwrite=True))
    assert "is in it" in refusal(lambda: check_folder(tmp_path, [file.as_uri()]))
    with pytest.raises(ExistingFileError):
        check_output(file.as_uri())
    assert "given twice" in refusal(lambda: open_table([file, file.as_uri()]))
    assert "expected a URI such as file:///" in refusal(lambda: open_table("file://host/a.csv"))
    assert local_path("a/file.csv") == "a/file.csv"


def test_without_pyarrow_the_pip_line_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for act in (lambda: open_table("s3://bucket/a.csv"), lambda: check_output("gs://bucket/a.csv")):
        with pytest.raises(MissingExtraError, match=r'URIs need pyarrow: pip install "paragauge\[remote\]"'):
            act()


@pytest.mark.usefixtures("memory")
def test_an_unknown_scheme() -> None:
    assert refusal(lambda: open_table("ftp://host/a.csv")).startswith("ftp://host/a.csv is not a URI that pyarrow")


def test_secrets_are_not_printed() -> None:
    uri = "s3://KEY:SECRET@bucket/dir/a.csv?region=eu&secret=SECRET"
    assert shown(uri) == "s3://…@bucket/dir/a.csv"
    assert shown("gs://anonymous@bucket/a.csv") == "gs://anonymous@bucket/a.csv"
    assert shown("a?b.csv") == "a?b.csv"
    assert lies_in(uri, "s3://bucket/dir/")
    assert lies_in("s3://bucket/dir/a.csv", uri)
    assert not lies_in(uri, "s3://bucket/di")
    with pytest.raises(ParagaugeError) as caught:
        open_table("nosuch://KEY:SECRET@bucket/a.csv")
    assert "SECRET" not in str(caught.value)
