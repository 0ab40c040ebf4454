"""One table cut into many files, by list, pattern, folder and URI."""

import csv
import gc
import gzip
import json
import os
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path

import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.files.saved import refusal

from paragauge.files.input import ROWS
from paragauge.files.layout import Layout
from paragauge.files.table import open_table
from paragauge.tables.samples import Samples

Line = dict[str, object]


def lines(count: int, first: int = 1, **more: object) -> list[Line]:
    return [{"source": f"s {row}", "candidate": f'c "{row}", é', **more} for row in range(first, first + count)]


def save(path: Path, rows: Sequence[Line], names: Sequence[str] = ("source", "candidate")) -> Path:
    """A table in the format of its suffix; one without rows still has its columns."""
    names = list(rows[0]) if rows else list(names)
    plain = path.name.removesuffix(".gz")
    if plain.endswith(".parquet"):
        polars.DataFrame(rows, schema=dict.fromkeys(names, polars.String)).write_parquet(path)
        return path
    with (gzip.open if path.suffix == ".gz" else open)(path, "wt", encoding="utf-8", newline="") as stream:
        if plain.endswith(".jsonl"):
            stream.writelines(json.dumps(row) + "\n" for row in rows)
        elif plain.endswith(".tsv"):
            stream.writelines("\t".join(map(str, cells)) + "\n" for cells in [names, *(row.values() for row in rows)])
        else:
            csv.writer(stream).writerows([names, *(row.values() for row in rows)])
    return path


def cut(folder: Path, rows: Sequence[Line], sizes: Sequence[int], suffix: str) -> Path:
    folder.mkdir()
    first = 0
    for number, size in enumerate(sizes):
        save(folder / f"part-{number:03d}{suffix}", rows[first : first + size])
        first += size
    assert first == len(rows)
    return folder


def chunks(tables: object, rows: int = ROWS, **options: object) -> list[Samples]:
    return list(open_table(tables, Layout(**options)).chunks(rows))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet", ".csv.gz"])
def test_shards_read_as_the_whole(tmp_path: Path, suffix: str) -> None:
    rows = lines(ROWS + 100)
    expected = chunks(save(tmp_path / f"whole{suffix}", rows))
    assert [len(chunk) for chunk in expected] == [ROWS, 100]
    assert expected[1].ids[0] == str(ROWS + 1)
    for count in (1, 3, 7):
        sizes = [len(rows) // count] * (count - 1)
        table = open_table(cut(tmp_path / str(count), rows, [*sizes, len(rows) - sum(sizes)], suffix))
        assert table.length == (len(rows) if suffix == ".parquet" else None)
        assert list(table) == expected
        assert table.length == len(rows)
        done, total = table.progress()
        assert done == total > 0


def test_a_list_a_pattern_and_a_folder_are_the_same_table(tmp_path: Path) -> None:
    folder = cut(tmp_path / "shards", lines(10), [4, 3, 3], ".csv")
    files = sorted(folder.iterdir())
    expected = chunks(save(tmp_path / "whole.csv", lines(10)))
    for tables in (files, folder, f"{folder}/", f"{folder}/*", f"{folder}/part-00?.csv", folder.as_uri()):
        table = open_table(tables)
        assert list(table) == expected
        assert [os.path.realpath(file) for file in table.files] == [os.path.realpath(file) for file in files]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sizes=st.lists(st.integers(0, 6), min_size=1, max_size=7).filter(any),
    rows=st.integers(1, 9),
    suffix=st.sampled_from([".csv", ".jsonl", ".parquet"]),
    with_ids=st.booleans(),
)
def test_chunks_are_full_across_the_borders(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], rows: int, suffix: str, with_ids: bool
) -> None:
    place = tmp_path_factory.mktemp("many")
    table = lines(sum(sizes))
    names = ["source", "candidate"]
    if with_ids:
        table = [row | {"id": f"n{number}" if number % 3 else ""} for number, row in enumerate(table)]
        names.append("id")
    folder = place / "shards"
    folder.mkdir()
    first = 0
    for number, size in enumerate(sizes):
        save(folder / f"{number}{suffix}", table[first : first + size], names)
        first += size
    found = chunks(folder, rows)
    assert found == chunks(save(place / f"whole{suffix}", table), rows)
    assert all(len(chunk) == rows for chunk in found[:-1])
    assert 0 < len(found[-1]) <= rows


def test_progress_grows_over_all_files(tmp_path: Path) -> None:
    for suffix in (".csv", ".parquet"):
        table = open_table(cut(tmp_path / suffix[1:], lines(90), [30, 30, 30], suffix))
        seen = [table.progress() for _ in table.chunks(25)]
        assert [done for done, _ in seen] == sorted({done for done, _ in seen}) or suffix == ".csv"
        assert seen[-1][0] == seen[-1][1]
        assert seen[0][0] < seen[-1][0]


def test_the_fingerprint_is_of_all_files_in_order(tmp_path: Path) -> None:
    one, two = save(tmp_path / "1.csv", lines(2)), save(tmp_path / "2.csv", lines(2, 3))
    both = open_table([one, two]).fingerprint()
    assert both == open_table(str(tmp_path / "?.csv")).fingerprint() == open_table(tmp_path).fingerprint()
    others = {open_table(one_of).fingerprint() for one_of in ([two, one], one, two)}
    assert len(others | {both}) == 4
    assert open_table([one]).fingerprint() == open_table(one).fingerprint()
    save(two, lines(2, 4))
    assert open_table([one, two]).fingerprint() != both


@pytest.mark.parametrize("rows", [1, 2, 3, 100])
def test_a_doubled_id_is_found_across_files(tmp_path: Path, rows: int) -> None:
    ids = [["a", "b"], ["c"], ["d", "b"]]
    for number, names in enumerate(ids):
        save(tmp_path / f"{number}.csv", [{"source": "s", "candidate": "c", "id": name} for name in names])
    assert refusal(lambda: chunks(tmp_path, rows)) == (
        f"{tmp_path / '2.csv'}: row 2 has the id 'b' in the system 'candidate', as row 2 of {tmp_path / '0.csv'} has; "
        "each row of a system needs an id of its own"
    )
    save(tmp_path / "2.csv", [{"source": "s", "candidate": "c", "id": name} for name in ("d", "x", "d")])
    message = refusal(lambda: chunks(tmp_path, rows))
    assert message.startswith(f"{tmp_path / '2.csv'}: rows 1 and 3 have the same id 'd'")


def test_a_default_id_counts_the_rows_of_earlier_files(tmp_path: Path) -> None:
    save(tmp_path / "1.csv", [{"source": "s", "candidate": "c", "id": ""}] * 3)
    save(tmp_path / "2.csv", [{"source": "s", "candidate": "c", "id": name} for name in ("", "x", "5")])
    (found,) = chunks(tmp_path)
    assert found.ids == ["1", "2", "3", "4", "x", "5"]
    save(tmp_path / "2.csv", [{"source": "s", "candidate": "c", "id": name} for name in ("", "2", "")])
    assert "row 2 has the id '2'" in refusal(lambda: chunks(tmp_path))


def test_an_error_names_the_file_and_the_row_in_it(tmp_path: Path) -> None:
    save(tmp_path / "1.jsonl", lines(5))
    bad = save(tmp_path / "2.jsonl", [*lines(2), {"source": "s", "candidate": 7}])
    assert refusal(lambda: chunks(tmp_path)).startswith(f"{bad}: row 3: candidate is")
    save(bad, [*lines(1), {"source": "s", "candidate": "c", "references": "r"}])
    assert refusal(lambda: chunks(tmp_path)).startswith(f"{bad}: line 2: references is")


def damaged_parquet(path: Path) -> None:
    content = save(path, lines(50)).read_bytes()
    path.write_bytes(content[: len(content) // 2])


@pytest.mark.parametrize(
    "suffix, spoil, reason",
    [
        (".parquet", damaged_parquet, "could not be read as parquet"),
        (".parquet", lambda path: path.write_bytes(b""), "is empty"),
        (".parquet", lambda path: path.write_bytes(b"source,candidate\n"), "is not a parquet file"),
        (".csv", lambda path: path.write_bytes(b""), "is empty"),
        (".csv", lambda path: path.write_text("a,b\n1,2\n"), "no column 'source'"),
        (".csv", lambda path: path.write_bytes(b"\x00" * 100), "holds a NUL byte"),
        (".jsonl", lambda path: path.write_text("{\n"), "not valid JSON"),
        (".csv.gz", lambda path: path.write_bytes(path.read_bytes()[:15]), "the gzip data is damaged or cut short"),
    ],
    ids=["cut short", "empty parquet", "no parquet", "empty csv", "other columns", "zeros", "no JSON", "gzip"],
)
def test_a_poisoned_shard_is_named_before_a_row_is_read(
    tmp_path: Path, suffix: str, spoil: Callable[[Path], object], reason: str
) -> None:
    folder = cut(tmp_path / "shards", lines(70), [10] * 7, suffix)
    bad = folder / f"part-004{suffix}"
    spoil(bad)
    message = refusal(lambda: open_table(folder))
    assert message.startswith(str(bad))
    assert reason in message


def test_files_without_rows_are_passed_over_unless_all_are(tmp_path: Path) -> None:
    for suffix in (".csv", ".parquet", ".jsonl"):
        folder = cut(tmp_path / suffix[1:], lines(3), [0, 2, 0, 1, 0], suffix)
        assert [len(chunk) for chunk in chunks(folder, 2)] == [2, 1]
        empty = cut(tmp_path / f"empty{suffix}", [], [0, 0], suffix)
        assert "none of 2 files has a row" in refusal(lambda empty=empty: open_table(empty))


def test_one_format_and_the_same_columns(tmp_path: Path) -> None:
    one, two = save(tmp_path / "1.csv", lines(2)), save(tmp_path / "2.jsonl", lines(2))
    assert f"{one} is read as csv and {two} as jsonl" in refusal(lambda: open_table(tmp_path))
    assert len(chunks([one, save(tmp_path / "3.csv.gz", lines(2))])[0]) == 4
    three = save(tmp_path / "4.csv", lines(2, system="x"))
    assert refusal(lambda: open_table([one, three])).startswith(f"{one} has no column 'system', and {three} has one")
    other = tmp_path / "5.csv"
    other.write_text("candidate,extra,source\nc,e,s\n")  # in another order, with more next to them
    (found,) = chunks([one, other])
    assert (found.sources[-1], found.candidates[-1]) == ("s", "c")


def test_quotes_mean_the_same_in_every_file(tmp_path: Path) -> None:
    (tmp_path / "1.tsv").write_text('source\tcandidate\n"a"\t"b"\n')
    (tmp_path / "2.tsv").write_text('source\tcandidate\n"Hello," he said\tx\n')
    (found,) = chunks(tmp_path)
    assert found.sources == ['"a"', '"Hello," he said']


def test_what_a_folder_holds(tmp_path: Path) -> None:
    folder = cut(tmp_path / "shards", lines(4), [2, 2], ".csv")
    for name in ("_SUCCESS", ".part-000.csv.crc", "_metadata"):
        (folder / name).write_text("")
    assert len(chunks(folder)[0]) == 4
    (folder / "notes.txt").write_text("")
    assert refusal(lambda: open_table(folder)).startswith(f"{folder / 'notes.txt'}: the suffix '.txt'")
    (folder / "notes.txt").unlink()
    (folder / "system=a").mkdir()
    assert "holds the folder system=a" in refusal(lambda: open_table(folder))
    save(folder / "system=a" / "1.csv", lines(1))
    assert len(chunks(f"{folder}/*.csv")[0]) == 4
    assert len(chunks(f"{folder}/**/*.csv")[0]) == 5


def test_what_stands_for_no_file(tmp_path: Path) -> None:
    pattern = str(tmp_path / "*.parquet")
    assert refusal(lambda: open_table(pattern)) == f"no file matches {pattern}"
    (tmp_path / "folder.parquet").mkdir()
    assert refusal(lambda: open_table(pattern)) == f"no file matches {pattern}"
    assert "the list of tables is empty" in refusal(lambda: open_table([]))
    assert "names no table" in refusal(lambda: open_table(7))
    file = save(tmp_path / "a.csv", lines(1))
    (tmp_path / "b.csv").symlink_to(file)
    assert refusal(lambda: open_table([file, file])) == f"the file {file} is given twice"
    assert "b.csv is given twice, also as" in refusal(lambda: open_table([file, tmp_path / "b.csv"]))


def test_a_file_whose_name_is_a_pattern_is_that_file(tmp_path: Path) -> None:
    file = save(tmp_path / "a[1].csv", lines(2))
    save(tmp_path / "a1.csv", lines(3))
    assert [len(chunk) for chunk in chunks(file)] == [2]


@pytest.mark.parametrize("sizes", [(ROWS + 100,), (1, ROWS, 0, 99), (3_000, 5_192, 100)])
def test_rows_that_workers_read_are_those_read_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...]
) -> None:
    """With their numbers as ids, from whatever folder, and after a journey by pickle."""
    folder = cut(tmp_path / "shards", lines(ROWS + 100), sizes, ".parquet")
    table = open_table(os.path.relpath(folder))
    deferred = table.deferred()
    assert deferred is not None
    sent = [pickle.dumps(rows) for rows in deferred]
    assert max(map(len, sent)) < 10_000
    monkeypatch.chdir(tmp_path)
    received = [pickle.loads(rows) for rows in sent]
    assert list(map(len, received)) == [ROWS, 100]
    assert [rows.read() for rows in received] == chunks(folder)


@pytest.mark.parametrize(
    ("suffix", "more"), [(".csv", {}), (".jsonl", {}), (".parquet", {"id": "x"}), (".parquet", {"system": "a"})]
)
def test_rows_that_are_checked_together_are_read_in_order(tmp_path: Path, suffix: str, more: dict[str, str]) -> None:
    assert open_table(save(tmp_path / f"table{suffix}", lines(3, **more))).deferred() is None


def test_a_file_that_was_replaced_is_read_anew(tmp_path: Path) -> None:
    for count in (5, 9):
        deferred = open_table(save(tmp_path / "table.parquet", lines(count))).deferred()
        assert deferred is not None
        assert [len(rows.read()) for rows in deferred] == [count]


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".tsv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("sizes", [(9,), (2, 0, 7)])
def test_an_input_tells_whether_it_has_more_rows(tmp_path: Path, suffix: str, sizes: tuple[int, ...]) -> None:
    if suffix == ".jsonl" and 0 in sizes:
        sizes = (2, 7)
    table = open_table(cut(tmp_path / "shards", lines(9), sizes, suffix))
    assert [table.exceeds(rows) for rows in (0, 1, 8, 9, 10)] == [True, True, True, False, False]
    assert [len(chunk) for chunk in table.chunks(5)] == [5, 4]


def test_an_input_that_must_be_read_tells_it_too(tmp_path: Path) -> None:
    (tmp_path / "table.json").write_text(json.dumps(lines(9)))
    table = open_table(tmp_path / "table.json")
    assert [table.exceeds(rows) for rows in (8, 9)] == [True, False]


def test_the_garbage_collector_rests_only_while_rows_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enabled = []
    made = Samples.of
    monkeypatch.setattr(Samples, "of", lambda *columns: enabled.append(gc.isenabled()) or made(*columns))
    for _ in open_table(save(tmp_path / "table.csv", lines(4))).chunks(3):
        assert gc.isenabled()
    assert enabled == [False, False]
