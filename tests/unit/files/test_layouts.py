"""Tables in other forms: JSON arrays, spreadsheets, other delimiters, no header."""

import datetime
import gzip
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.files.saved import save

from paragauge.errors import InputError
from paragauge.evaluate.api import score
from paragauge.files.layout import Layout
from paragauge.files.ratings import read_ratings
from paragauge.files.table import open_table
from paragauge.tables.samples import Samples

ROWS = [("How old are you?", "What is your age?"), ('say "hi"; now', "a,b|c"), ("你好", "")]


def read(path: Path, **options: Any) -> list[tuple[str, str]]:
    (samples,) = open_table(path, Layout(**options))
    return list(zip(samples.sources, samples.candidates, strict=True))


def refusal(path: Path, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        list(open_table(path, Layout(**options)))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500 + len(str(path))
    return str(caught.value)


@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_array_is_read_as_the_same_lines(tmp_path, indent):
    rows = [{"source": s, "candidate": c, "references": ["r", None], "id": n} for n, (s, c) in enumerate(ROWS)]
    text = json.dumps(rows, indent=indent)
    lines = save(tmp_path / "a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(text.encode()))
    (expected,) = open_table(lines)
    for path in (save(tmp_path / "a.json", f"\ufeff \n{text}\n"), tmp_path / "b.json.gz"):
        (found,) = open_table(path)
        assert found == expected
    (found,) = open_table(save(tmp_path / "lines.json", lines.read_text()))  # many call jsonl so
    assert found == expected


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5)), min_size=1, max_size=4), st.integers(0, 3))
def test_any_json_array(tmp_path, rows, indent):
    text = json.dumps([{"source": source, "candidate": candidate} for source, candidate in rows], indent=indent or None)
    (found,) = open_table(save(tmp_path / "a.json", text))
    assert found == Samples.of(*zip(*rows, strict=True))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        ("[]", "is empty"),
        ("[1]", "row 1: is a number; expected an object"),
        ('[{"source": "a", "candidate": "b"}, [1]]', "row 2: is a list; expected an object"),
        ('[{"source": "a"}]', "row 1: no column 'candidate'"),
        ('[{"source": "a", "candidate": "b"}', "row 1 (line 1, column 35): not valid JSON: Expecting ',' or ']'"),
        ('[\n{"source": "a", "candidate": "b"},\n]', "row 2 (line 3, column 1): not valid JSON"),
        ('[{"source": "a", "candidate": "b"} {}]', "Expecting ',' or ']'"),
        ('[{"source": "a", "candidate": "b"}] []', "extra data after the end of the array: '[]'"),
        ('[{"source": "a", "source": "b"}]', "row 1: the name 'source' stands twice"),
        ('[{"source": 1, "candidate": "b"}]', "row 1: source is int 1; expected text"),
        ('{\n"data": []}', "is one object; expected an array of objects"),
        ('"' + "x" * 1000 + '"', "expected an array"),
        ("[" * 100_000, "row 1"),
        ("[{" + '"a' * 5_000, "row 1"),
    ],
)
def test_what_is_no_array_of_objects_is_told_in_one_sentence(tmp_path, text, message):
    assert message in refusal(save(tmp_path / "a.json", text))


@pytest.mark.parametrize(("delimiter", "mark"), [(";", ";"), ("|", "|"), ("tab", "\t"), (r"\t", "\t"), ("\t", "\t")])
def test_other_delimiters(tmp_path, delimiter, mark):
    lines = [("source", "candidate"), *ROWS]
    quoted = [mark.join('"' + cell.replace('"', '""') + '"' for cell in line) for line in lines]
    for name in ("a.csv", "a.txt"):
        assert read(save(tmp_path / name, "\n".join(quoted)), delimiter=delimiter) == ROWS


def test_a_delimiter_that_cannot_be_one(tmp_path):
    path = save(tmp_path / "a.csv", "source;candidate\na;b\n")
    for delimiter in ("", ";;", '"', "\n"):
        assert "expected one character" in refusal(path, delimiter=delimiter)
    assert "is read as tsv, and a delimiter is for csv" in refusal(save(tmp_path / "a.tsv", "x"), delimiter=";")
    assert "try delimiter=';'" in refusal(path)
    mapped = Layout("csv", delimiter=";", columns={"source": "source"})
    assert open_table(path, Layout(delimiter=";")).fingerprint() != open_table(path, mapped).fingerprint()


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_file_without_a_header(tmp_path, suffix):
    mark = "," if suffix == "csv" else "\t"
    path = save(tmp_path / f"a.{suffix}", f"1{mark}a{mark}b\n\n2{mark}c{mark}d\n")
    assert read(path, header=["id", "source", "candidate"]) == [("a", "b"), ("c", "d")]
    assert read(path, header=["", "q", "source"], columns={"source": "q", "candidate": "source"}) == [
        ("a", "b"),
        ("c", "d"),
    ]
    assert "too many cells: 3, where the header has 2" in refusal(path, header=["source", "candidate"])
    assert "no column 'candidate'" in refusal(path, header=["id", "source", "x"])
    assert "name the columns: header=['source', 'candidate', '…']" in refusal(path)
    other = open_table(path, Layout(header=["id", "candidate", "source"])).fingerprint()
    assert open_table(path, Layout(header=["id", "source", "candidate"])).fingerprint() != other


def test_names_for_a_file_that_has_its_own_are_refused(tmp_path):
    path = save(tmp_path / "a.csv", "Source,candidate\na,b\n")
    assert "its first row is a header" in refusal(path, header=["source", "candidate"])
    lines = save(tmp_path / "a.jsonl", '{"source": "a", "candidate": "b"}\n')
    assert "names its columns itself" in refusal(lines, header=["source", "candidate"])
    assert "expected a list of column names" in refusal(path, header="source,candidate")


def test_ratings_are_read_in_the_same_forms(tmp_path):
    path = save(tmp_path / "a.csv", "a;b;3.5\nc;d;\n")
    found = read_ratings(path, "rating", delimiter=";", header=["source", "candidate", "rating"])
    assert found.human[0] == 3.5
    rows = [{"source": "a", "candidate": "b", "human": 2}]
    assert read_ratings(save(tmp_path / "a.json", json.dumps(rows))).human.tolist() == [2]
    with pytest.raises(InputError, match="no format named 'cvs'"):
        read_ratings(path, format="cvs")


def test_the_library_reads_a_path_in_the_same_forms(tmp_path):
    path = save(tmp_path / "a.csv", "a b;a c\nd;d\n")
    assert score(path, delimiter=";", header=["source", "candidate"], metrics=["ned.free"])["ned.free"][1] == 0
    with pytest.raises(InputError, match="are for the path of a table, and list was given"):
        score([{"source": "a", "candidate": "b"}], delimiter=";", metrics=["ned.free"])


def sheet(path: Path, rows: list[list[Any]]) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.create_sheet("another").append(["not", "read"])
    book.save(path)
    return path


def test_a_spreadsheet_is_read_as_csv_is(tmp_path):
    rows = [
        ["source", "candidate", "references", "human", None],
        ["a", "b", '["r", "s"]', 3.5],
        [],
        ["你好", None, "one text", 4],
        [42, 1.25, None, None],
        [True, datetime.date(2020, 1, 2), None, 1e-7],
    ]
    path = sheet(tmp_path / "a.xlsx", rows)
    (found,) = open_table(path)
    assert found.sources == ["a", "你好", "42", "TRUE"]
    assert found.candidates == ["b", "", "1.25", "2020-01-02T00:00:00"]
    assert found.references == [("r", "s"), ("one text",), (), ()]
    human = read_ratings(path).human
    assert human[[0, 1, 3]].tolist() == [3.5, 4, 1e-7]
    assert human[2] != human[2]
    path = sheet(tmp_path / "b.xlsx", rows[1:])
    (found,) = open_table(path, Layout(header=["source", "candidate", "references", "human"]))
    assert found.sources == ["a", "你好", "42", "TRUE"]
    assert "too many cells" in refusal(path, header=["source", "candidate"])


def test_a_spreadsheet_that_cannot_be_read(tmp_path):
    whole = sheet(tmp_path / "a.xlsx", [["source", "candidate"], ["a", "b"]]).read_bytes()
    path = tmp_path / "b.xlsx"
    for content in (b"no zip", b"PK\x03\x04", whole[: len(whole) // 2], whole[:-30]):
        path.write_bytes(content)
        assert "b.xlsx: could not be read as xlsx: " in refusal(path)
    with zipfile.ZipFile(tmp_path / "a.xlsx") as book, zipfile.ZipFile(path, "w") as copy:
        for name in book.namelist():
            data = book.read(name)
            copy.writestr(name, data[: len(data) // 2] if name.endswith("sheet1.xml") else data)
    assert "b.xlsx: could not be read as xlsx: " in refusal(path)
    assert "is empty" in refusal(sheet(tmp_path / "c.xlsx", []))
    assert "has a header and no rows" in refusal(sheet(tmp_path / "d.xlsx", [["source", "candidate"]]))


def test_a_spreadsheet_without_the_extra(tmp_path):
    path = sheet(tmp_path / "a.xlsx", [["source", "candidate"], ["a", "b"]])
    program = (
        "import sys; sys.modules['openpyxl'] = None; sys.argv[1:] = ['score', sys.argv[1], '-m', 'bleu.free']\n"
        "from paragauge.cli import main; main()"
    )
    result = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True)
    assert result.returncode == 2
    assert result.stderr == f'paragauge: {path}: xlsx files need openpyxl: pip install "paragauge[xlsx]"\n'
