"""Single files: what is refused and where the error points, encodings, quotes in tsv, streams."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import polars
import pytest
from tests.unit.files.saved import save

from paragauge.errors import InputError
from paragauge.files.content import Content
from paragauge.files.csv import is_quoted
from paragauge.files.layout import Layout
from paragauge.files.table import open_table
from paragauge.tables.samples import Samples

HEADER = "source,candidate\n"


def read(path: Path, **options: object) -> list[tuple[str, str]]:
    return [
        pair
        for chunk in open_table(path, Layout(**options))
        for pair in zip(chunk.sources, chunk.candidates, strict=True)
    ]


def refusal(path: Path, **options: object) -> str:
    """The one sentence that refuses the file; it always names the file."""
    with pytest.raises(InputError) as caught:
        read(path, **options)
    message = str(caught.value)
    assert path.name in message
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.csv", "", "a.csv is empty"),
        ("a.csv", "\n\n", "a.csv is empty"),
        ("a.csv", b"\xef\xbb\xbf", "a.csv is empty"),
        ("a.tsv", "", "a.tsv is empty"),
        ("a.jsonl", "\n", "a.jsonl is empty"),
        ("a.parquet", "", "a.parquet is empty"),
        ("a.csv", HEADER, "a.csv has a header and no rows"),
        ("a.tsv", "source\tcandidate\n", "a.tsv has a header and no rows"),
        ("a.csv", HEADER + "a,b\nc\n", "line 3: too few cells: 1, where the header has 2 (source, candidate)"),
        ("a.csv", HEADER + '"a\nb",b\nc,d,e\n', "line 4: too many cells: 3, where the header has 2"),
        ("a.tsv", "source\tcandidate\na\tb\nc\n", "line 3: too few cells: 1"),
        ("a.csv", HEADER + 'a,b\n"c,d\ne,f\n', "line 3: a quote is opened in this row and never closed"),
        ("a.csv", HEADER + 'a,b\n"c" c,d\n', "line 3: a quoted cell of this row has text after its closing quote"),
        ("a.csv", HEADER + f'"{"a" * (1 << 22)}",b\n', "line 2: has more than 4,194,304 characters"),
        (
            "a.csv",
            HEADER + 'a,"' + ("b" * 127 + "\n") * (1 << 15),
            "line 2: this row has more than 4,194,304 characters; is a quote opened",
        ),
        ("a.csv", f"source,candidate{',b' * (1 << 14)}\na,b\n", "has 16,386 columns; expected at most 16,384"),
        ("a.jsonl", '{"source": "a", "candidate": "b"}\n\n{"source" "a"}\n', "line 3, column 11: not valid JSON: Exp"),
        ("a.jsonl", '{"source": "a", "candidate": "b"}\n["a"]\n', "line 2: is a list; expected an object such as"),
        ("a.jsonl", "17\n", "line 1: is a number; expected an object"),
        ("a.jsonl", '{"source": "a", "source": "b"}\n', "line 1: the name 'source' stands twice in one object"),
        ("a.jsonl", f'{{"source": {"1" * 5_000}}}\n', "line 1: Exceeds the limit"),
        ("a.jsonl", "[" * 100_000 + "\n", "line 1: maximum recursion depth exceeded"),
        ("a.csv", HEADER + "a,b\nc\0,d\n", "line 3: holds a NUL byte; is it a text file?"),
        ("a.jsonl", b'{"source": "a\0"}', "line 1: holds a NUL byte; is it a text file?"),
        ("a.parquet", "not parquet", "a.parquet is not a parquet file"),
        ("a.parquet", "PAR1 cut short", "a.parquet: could not be read as parquet: "),
        ("a.txt", "a\n", "the suffix '.txt' is of no known format; known: .csv, .tsv, .jsonl"),
        ("a", "a\n", "no suffix tells its format"),
    ],
)
def test_refused_content(tmp_path: Path, name: str, content: str | bytes, expected: str) -> None:
    assert expected in refusal(save(tmp_path / name, content))


def test_refused_paths(tmp_path: Path) -> None:
    assert refusal(tmp_path / "absent.csv").endswith("absent.csv: no such file")
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    assert refusal(folder).endswith("folder.csv holds no table")
    loop = tmp_path / "loop.csv"
    loop.symlink_to(loop)
    assert "could not read" in refusal(loop)


def test_a_file_without_permission(tmp_path: Path) -> None:
    path = save(tmp_path / "a.csv", HEADER + "a,b\n")
    path.chmod(0)
    user = os.geteuid()
    if user == 0:  # root may read everything
        os.seteuid(65_534)
    try:
        assert refusal(path).endswith("a.csv: Permission denied")
    finally:
        os.seteuid(user)


@pytest.mark.parametrize(
    ("encoding", "content", "expected"),
    [
        ("utf-8", b"a,b\ncaf\xe9,d\n", "line 3: byte 0xe9 at offset 24 is not utf-8; try encoding='latin-1'"),
        ("utf-8", b"a,b\nc,d\n\xc3", "line 4: byte 0xc3 at offset 25 is not utf-8"),
        ("ascii", "a,b\né,d\n".encode(), "line 3: byte 0xc3 at offset 21 is not ascii; try encoding='utf-8'"),
        # 23 bytes, then lines of 4 bytes: every block of 65,536 ends between the two bytes of é
        (
            "utf-8",
            b"abcd,\n" + "é,\n".encode() * 40_000 + b"\xff",
            "line 40003: byte 0xff at offset 160,023 is not utf-8",
        ),
    ],
)
def test_the_place_of_a_byte_that_does_not_decode(tmp_path: Path, encoding: str, content: bytes, expected: str) -> None:
    path = save(tmp_path / "a.csv", HEADER.encode() + content)
    assert expected in refusal(path, encoding=encoding)
    assert expected in refusal(save(tmp_path / "z.csv.gz", gzip.compress(path.read_bytes())), encoding=encoding)


# before 3.13 Python says what is lacking; since then, as of other encodings, where
UTF_16_WITHOUT_MARK = (
    "line 1: byte 0x73 at offset 0 is not utf-16; try encoding='utf-16-le'"
    if sys.version_info >= (3, 13)
    else "is not utf-16: UTF-16 stream does not start with BOM; try encoding='utf-16-le'"
)


@pytest.mark.parametrize(
    ("written", "told", "expected"),
    [
        ("utf-16", "utf-8", "line 1: byte 0xff at offset 0 is not utf-8; try encoding='utf-16'"),
        ("utf-32", "utf-8", "try encoding='utf-32'"),
        ("utf-16-le", "utf-8", "line 1: holds a NUL byte; it looks like utf-16-le; try encoding='utf-16-le'"),
        ("utf-16-be", "utf-8", "line 1: holds a NUL byte; it looks like utf-16-be; try encoding='utf-16-be'"),
        ("utf-16-le", "utf-16", UTF_16_WITHOUT_MARK),
    ],
)
def test_the_hint_for_wide_encodings_is_right(tmp_path: Path, written: str, told: str, expected: str) -> None:
    path = save(tmp_path / "a.csv", (HEADER + "cling,greetings\n").encode(written))
    message = refusal(path, encoding=told)
    assert expected in message
    assert read(path, encoding=message.split("'")[-2]) == [("cling", "greetings")]


def test_the_place_in_utf_16(tmp_path: Path) -> None:
    # a lone high surrogate in the third line; U+0A0A holds the byte of a line end twice and is none
    content = (HEADER + "\u0a0a,b\n").encode("utf-16-le") + b"\x00\xd8a\0"
    message = refusal(save(tmp_path / "a.csv", content), encoding="utf-16-le")
    assert "line 3: byte 0x00 at offset 42 is not utf-16-le" in message


def test_unknown_encoding_and_format(tmp_path: Path) -> None:
    path = save(tmp_path / "a.csv", HEADER + "a,b\n")
    for encoding in ("utf-9", "hex", ""):
        with pytest.raises(InputError, match="no encoding named"):
            open_table(path, Layout(encoding=encoding))
    with pytest.raises(InputError, match="no format named 'jsnol'; did you mean 'jsonl'"):
        open_table(path, Layout(format="jsnol"))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-8", "latin-1", "cp1252"])
def test_encodings_line_ends_and_byte_order_marks(tmp_path: Path, encoding: str) -> None:
    mark = "\ufeff" if encoding in ("utf-8", "utf-16-le") else ""
    for end in ("\n", "\r\n"):
        for name, cells in (("a.csv", ["é,b", "c,d"]), ("a.tsv", ["é\tb", "c\td"])):
            header = "source,candidate" if name == "a.csv" else "source\tcandidate"
            path = save(tmp_path / name, (mark + end.join([header, *cells, ""])).encode(encoding))
            assert read(path, encoding=encoding) == [("é", "b"), ("c", "d")]
        rows = [json.dumps({"source": "é", "candidate": "b"}, ensure_ascii=False)] * 2
        path = save(tmp_path / "a.jsonl", (mark + end.join([*rows, ""])).encode(encoding))
        assert read(path, encoding=encoding) == [("é", "b")] * 2


def test_gzip_by_content(tmp_path: Path) -> None:
    zipped = gzip.compress((HEADER + "a,b\n" * 50_000).encode())
    assert read(save(tmp_path / "a.csv.gz", zipped)) == [("a", "b")] * 50_000
    assert read(save(tmp_path / "a.csv", zipped)) == [("a", "b")] * 50_000
    assert read(save(tmp_path / "b.csv.gz", HEADER + "a,b\n")) == [("a", "b")]
    assert "the gzip data is damaged or cut short" in refusal(save(tmp_path / "cut.csv.gz", zipped[:-20]))
    damaged = zipped[:10] + bytes([zipped[10] ^ 0xFF]) + zipped[11:]
    assert "the gzip data is damaged or cut short" in refusal(save(tmp_path / "bad.csv.gz", damaged))


def test_csv_quotes_newlines_and_blank_lines(tmp_path: Path) -> None:
    content = '\nsource,candidate\n"She said ""no"", twice","two\nlines"\n\n5" pipe,it\'s\n"",""\n'
    expected = [('She said "no", twice', "two\nlines"), ('5" pipe', "it's"), ("", "")]
    assert read(save(tmp_path / "a.csv", content)) == expected
    assert read(save(tmp_path / "b.csv", 'source,candidate\r"a\rb",c\rd,e\r')) == [("a\rb", "c"), ("d", "e")]


TSV = "source\tcandidate\n"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # as csv writers do it
        ('"a\tb"\tc\n', [("a\tb", "c")]),
        ('"a\nb\n\nc"\t"d ""e"""\n', [("a\nb\n\nc", 'd "e"')]),
        ('"a\r\nb"\tc\r\n', [("a\r\nb", "c")]),
        ('""\t"b"""\nc\td\n', [("", 'b"'), ("c", "d")]),
        # quotes as plain text
        ('"Hello," he said\tb\nc\td\n', [('"Hello," he said', "b"), ("c", "d")]),
        ('a "quoted" word\tb\n"c"\td\n', [('a "quoted" word', "b"), ('"c"', "d")]),
        ('5" pipe\tb\nc\td\n', [('5" pipe', "b"), ("c", "d")]),
        ('"open\tb\nc\td\ne\tf\n', [('"open', "b"), ("c", "d"), ("e", "f")]),
        # two lone quotes that would make one long cell of five
        ('"open\tb\nc\td\ne\tclose"\n', [('"open', "b"), ("c", "d"), ("e", 'close"')]),
        ('a\t"open\nb\t"open\n', [("a", '"open'), ("b", '"open')]),
        ("a\x0b\u2028b\tc\n", [("a\x0b\u2028b", "c")]),
        ('a\rb"\tc\n', [('a\rb"', "c")]),
    ],
)
def test_tsv_quotes(tmp_path: Path, rows: str, expected: list[tuple[str, str]]) -> None:
    assert read(save(tmp_path / "a.tsv", TSV + rows)) == expected


def test_one_stray_quote_decides_for_the_whole_tsv_file(tmp_path: Path) -> None:
    quoted = TSV + '"a"\tb\n' * 1_000
    assert is_quoted(Content(save(tmp_path / "a.tsv", quoted)))
    assert not is_quoted(Content(save(tmp_path / "b.tsv", quoted + 'c "c"\td\n')))
    assert read(tmp_path / "a.tsv")[0] == ("a", "b")
    assert read(tmp_path / "b.tsv")[0] == ('"a"', "b")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (HEADER + "a,b\n", [("a", "b")]),
        (TSV + "a, a\tb\n", [("a, a", "b")]),
        (' \n{"source": "a\\tb", "candidate": "b"}\n', [("a\tb", "b")]),
        (b"\xef\xbb\xbf" + b'{"source": "a", "candidate": "b"}\n', [("a", "b")]),
        ('[{"source": "a", "candidate": "b"}]', [("a", "b")]),
        (gzip.compress((HEADER + "a,b\n").encode(), mtime=0), [("a", "b")]),
    ],
)
def test_standard_input_and_pipes_are_recognised_and_can_be_read_twice(
    content: str | bytes, expected: list[tuple[str, str]]
) -> None:
    program = (
        "import sys; from paragauge.files.table import open_table; table = open_table(sys.argv[1]);"
        "print([[(c.sources[0], c.candidates[0]) for c in table] for _ in range(2)], table.name, table.progress()[1])"
    )
    data = content.encode() if isinstance(content, str) else content
    for path, name in (("-", "standard input"), ("/dev/stdin", "/dev/stdin")):
        result = subprocess.run([sys.executable, "-c", program, path], input=data, capture_output=True, check=True)
        assert result.stdout.decode().strip() == f"{[expected] * 2} {name} {len(data)}"


def test_standard_input_leaves_no_file_behind(tmp_path: Path) -> None:
    program = (
        "import os; from paragauge.files.table import open_table; table = open_table('-');"
        "print(len(os.listdir(os.environ['TMPDIR'])), len(next(iter(table))))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        input=(HEADER + "a,b\n").encode(),
        capture_output=True,
        check=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert result.stdout.split() == [b"1", b"1"]
    assert list(tmp_path.iterdir()) == []


def test_parquet_slices_and_types(tmp_path: Path) -> None:
    rows = 40_000
    path = tmp_path / "a[1].parquet"  # brackets are not pattern
    polars.DataFrame(
        {
            "Source": [None, *(f"s{row}" for row in range(1, rows))],
            "unused": [1.5] * rows,
            "candidate": polars.Series(["c"] * rows, dtype=polars.Categorical),
            "references": [None, [], ["r", None, " "], *([["r"]] * (rows - 3))],
            "id": range(rows),
        }
    ).write_parquet(path, row_group_size=7_000)
    table = open_table(path)
    assert table.length == rows
    chunks = list(table.chunks(9_999))
    assert [len(chunk) for chunk in chunks] == [9_999] * 4 + [4]
    assert chunks[0].rows(range(4)) == Samples.of(
        ["", "s1", "s2", "s3"], ["c"] * 4, [[], [], ["r"], ["r"]], ids=["0", "1", "2", "3"]
    )
    assert chunks[-1].sources == [f"s{row}" for row in range(rows - 4, rows)]
    assert table.progress() == (rows, rows)


def test_parquet_without_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    polars.DataFrame({"source": [], "candidate": []}).write_parquet(path)
    assert refusal(path).endswith("a.parquet has a header and no rows")


def test_neither_polars_nor_numpy_is_loaded_to_read_text(tmp_path: Path) -> None:
    path = save(tmp_path / "a.csv", HEADER + "a,b\n")
    program = (
        "import sys; from paragauge.files.table import open_table;"
        "print(len(next(iter(open_table(sys.argv[1])))));"
        "print([name for name in ('polars', 'numpy') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, check=True, text=True)
    assert result.stdout == "1\n[]\n"


@pytest.mark.parametrize(("text", "encoding"), [("你好,您好", "gb18030"), ("café,naïve", "latin-1")])
def test_the_encoding_to_try_is_one_that_fits(tmp_path, text, encoding):
    file = tmp_path / "rows.csv"
    file.write_bytes(f"source,candidate\n{text}\n".encode(encoding))
    with pytest.raises(InputError, match=f"try encoding='{encoding}'$"):
        list(open_table(file))
    (found,) = open_table(file, Layout(encoding=encoding))
    assert [found.sources[0], found.candidates[0]] == text.split(",")
