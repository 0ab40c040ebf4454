"""Small files that unpack to gigabytes are refused in a sentence, in bounded memory; large sound ones are read."""

import gzip
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from paragauge.files import input as chunks
from paragauge.files.aligned import open_aligned
from paragauge.files.table import open_table

MB = 1 << 20
SHEET, SHARED = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
# What reading adds to the process, above what it holds after it has read a small file of the same format.
PEAK = """
import sys
from paragauge.errors import InputError
from paragauge.files.table import open_table

def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

def read(path):
    try:
        return f"read {sum(map(len, open_table(path)))} rows"
    except InputError as error:
        return str(error)

read(sys.argv[1])
idle = peak()
told = read(sys.argv[2])
print((peak() - idle) // 1024)
print(told)
"""
SMALL = {
    "csv": b"source,candidate\na,b\n",
    "tsv": b"source\tcandidate\na\tb\n",
    "jsonl": b'{"source": "a", "candidate": "b"}\n',
    "json": b'[{"source": "a", "candidate": "b"}]',
}
# what comes before and after a unit that is repeated over so many MB
ATTACKS = {
    "header.csv": (b"source,candidate", b",a", 700, b"\na,b\n"),
    "hdr.csv.gz": (b"source,candidate", b",a", 700, b"\na,b\n"),
    "wide.csv.gz": (b"source,candidate", ",Ā".encode(), 3, b"\na,b\n"),
    "cell.csv.gz": (b"source,candidate\na,", b"a", 2_000, b"\n"),
    "quoted.csv.gz": (b'source,candidate\na,"', b"word\n", 2_000, b'"\n'),
    "cell.tsv": (b"source\tcandidate\na\t", b"a", 2_000, b"\n"),
    "cell.jsonl": (b'{"source": "x", "candidate": "', b"a", 2_000, b'"}\n'),
    "cell.json": (b'[{"source": "x", "candidate": "', b"a", 2_000, b'"}]'),
    "list.json": (b'[{"source": "x", "candidate": [', b"{},", 1_000, b"0]}]"),
    "rows.csv.gz": (b"source,candidate\n", b"a," + b"b" * (4 * MB - 10) + b"\n", 600, b""),
}


def packed(head: bytes, unit: bytes, megabytes: int, tail: bytes) -> bytes:
    """A gzip of members, most of which are one and the same."""
    block = unit * max(1, MB // len(unit))
    return gzip.compress(head) + gzip.compress(block) * (megabytes * MB // len(block)) + gzip.compress(tail)


def peak_and_answer(small: Path, attack: Path) -> tuple[int, str]:
    if not Path("/proc/self/status").exists():
        pytest.skip("the peak of a process's memory is read from /proc")
    result = subprocess.run(
        [sys.executable, "-c", PEAK, str(small), str(attack)], capture_output=True, text=True, timeout=300, check=True
    )
    peak, _, told = result.stdout.partition("\n")
    return int(peak), told.strip()


SLOW = ("rows.csv.gz", "list.json")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] * (name in SLOW)) for name in ATTACKS]
)
def test_a_small_file_that_unpacks_to_gigabytes(tmp_path: Path, name: str) -> None:
    attack, format = tmp_path / name, name.split(".")[1]
    attack.write_bytes(packed(*ATTACKS[name]))
    assert attack.stat().st_size < 3 * MB
    small = tmp_path / f"small.{format}"
    small.write_bytes(SMALL[format])
    peak, told = peak_and_answer(small, attack)
    assert peak < 300
    assert "\n" not in told
    if name == "rows.csv.gz":
        assert told == "read 150 rows"
    else:
        assert name in told
        assert "4,194,304 characters" in told or "16,384" in told


def workbook(path: Path, part: str, head: bytes, unit: bytes, megabytes: int, tail: bytes) -> None:
    """A small workbook of which one part is another: the unit over so many MB, between head and tail."""
    openpyxl = pytest.importorskip("openpyxl", reason="xlsx needs openpyxl")
    book = openpyxl.Workbook()
    for row in (("source", "candidate"), ("a", "MARK")):
        book.active.append(row)
    book.save(small := path.with_name("small.xlsx"))
    shared = b'<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    shared += b'spreadsheetml.sharedStrings+xml"/></Types>'
    with zipfile.ZipFile(small) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
        for name in source.namelist():
            data = source.read(name)
            before, mark, after = data.partition(b"MARK") if name == part else (data, b"", b"")
            if name == "[Content_Types].xml" and part == SHARED:
                before = before.replace(b"</Types>", shared)
            with target.open(name, "w", force_zip64=True) as stream:
                stream.write(before)
                for _ in range(megabytes if mark else 0):
                    stream.write(unit * (MB // len(unit)))
                stream.write(after)
        if part == SHARED:
            with target.open(part, "w", force_zip64=True) as stream:
                stream.write(b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' + head)
                for _ in range(megabytes):
                    stream.write(unit * (MB // len(unit)))
                stream.write(tail + b"</sst>")


@pytest.mark.parametrize(
    ("part", "head", "unit", "megabytes", "tail", "expected"),
    [
        (SHEET, b"", b"a", 200, b"", "a row or a cell unpacks to more than 4,194,304 bytes"),
        pytest.param(SHEET, b"", b"a", 1_500, b"", "a row or a cell unpacks to more", marks=pytest.mark.thorough),
        (SHARED, b"<si><t>", b"a", 200, b"</t></si>", "a row or a cell unpacks to more than 4,194,304 bytes"),
        (SHARED, b"", b"<si><t>ab</t></si>", 80, b"", "what its cells share unpacks to more than 67,108,864 bytes"),
    ],
)
def test_a_small_workbook_that_unpacks_to_gigabytes(
    tmp_path: Path, part: str, head: bytes, unit: bytes, megabytes: int, tail: bytes, expected: str
) -> None:
    path = tmp_path / "attack.xlsx"
    workbook(path, part, head, unit, megabytes, tail)
    peak, told = peak_and_answer(tmp_path / "small.xlsx", path)
    assert peak < 300
    assert expected in told
    assert "save it as csv or jsonl" in told


def test_a_workbook_with_large_pictures_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pictures.xlsx"
    workbook(path, "none", b"", b"", 0, b"")
    with zipfile.ZipFile(path, "a", zipfile.ZIP_STORED) as book:
        book.writestr("xl/media/image1.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * (8 * MB // 256))
    assert [list(chunk.candidates) for chunk in open_table(path)] == [["MARK"]]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".json"])
def test_gzip_is_known_by_its_content_in_every_format(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"lies{suffix}"
    path.write_bytes(gzip.compress(SMALL[suffix[1:]]))
    assert [(*chunk.sources, *chunk.candidates) for chunk in open_table(path)] == [("a", "b")]


def test_a_large_array_on_one_line_is_read_piece_by_piece(tmp_path: Path) -> None:
    rows = [{"source": f"{number} " + 'é\\"' * 50, "candidate": "x" * (number % 7)} for number in range(30_000)]
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    assert path.stat().st_size > 4 * MB  # the bound of a row
    found = [pair for chunk in open_table(path) for pair in zip(chunk.sources, chunk.candidates, strict=True)]
    assert found == [(row["source"], row["candidate"]) for row in rows]


def test_an_error_far_inside_an_array_has_its_place(tmp_path: Path) -> None:
    row = '{"source": "a",\n "candidate": "b"}'
    path = tmp_path / "rows.json"
    path.write_text("[" + f"{row},\n" * 20_000 + '{"source": "a" "candidate"}]')
    with pytest.raises(ValueError, match=r"row 20001 \(line 40001, column 16\): not valid JSON: Expecting ','"):
        list(open_table(path))


def test_chunks_of_long_rows_have_fewer(tmp_path: Path) -> None:
    text = "word " * 100_000
    lines = "".join(f"{text},{number},{number}\n" for number in range(40))
    (tmp_path / "long.csv").write_text("source,candidate,id\n" + lines)
    table = open_table(tmp_path / "long.csv")
    sizes = [len(chunk) for chunk in table]
    assert sum(sizes) == 40
    assert max(sizes) <= chunks.CHARACTERS // len(text) + 1
    assert table.exceeds(39)
    assert not table.exceeds(40)
    (tmp_path / "twice.csv").write_text("source,candidate,id\n" + lines + f"{text},x,7\n")
    with pytest.raises(ValueError, match="rows 8 and 41 have the same id '7'"):
        list(open_table(tmp_path / "twice.csv"))
    (tmp_path / "long.txt").write_text(f"{text}\n" * 40)
    aligned = open_aligned(tmp_path / "long.txt", [tmp_path / "long.txt"])
    assert sum(sizes := [len(chunk) for chunk in aligned]) == 40
    assert max(sizes) <= chunks.CHARACTERS // len(text) // 2 + 1


def test_many_rows_are_no_bomb(tmp_path: Path) -> None:
    """Ordinary rows that unpack to fifty times their bytes."""
    row = b"How old are you?,What is your age?\n"
    block = row * (MB // len(row))
    path = tmp_path / "many.csv.gz"
    path.write_bytes(gzip.compress(b"source,candidate\n") + gzip.compress(block) * 5)
    assert path.stat().st_size * 50 < 5 * MB
    assert sum(map(len, open_table(path))) == 5 * (len(block) // len(row))
