"""Tables and aligned text to chunks of Samples; columns; duplicate ids; memory."""

import csv
import gzip
import io
import json
import tracemalloc
from pathlib import Path

import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.files.saved import refusal, save, save_csv, save_jsonl

from paragauge.files.aligned import open_aligned
from paragauge.files.input import Input
from paragauge.files.layout import Layout
from paragauge.files.table import open_table
from paragauge.tables.samples import Samples


def whole(table: Input, rows: int = 8_192) -> Samples:
    chunks = list(table.chunks(rows))
    assert all(len(chunk) == rows for chunk in chunks[:-1])
    assert 0 < len(chunks[-1]) <= rows
    return Samples(
        *(
            [cell for chunk in chunks for cell in getattr(chunk, name)]
            for name in ("sources", "candidates", "references", "systems", "ids")
        )
    )


def refused_rows(path: Path, **options: object) -> str:
    message = refusal(lambda: list(open_table(path, Layout(**options))))
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


# Tables


def test_every_role_in_every_format(tmp_path: Path) -> None:
    expected = Samples.of(["s1", "s2"], ["c1", "c2"], [["a", "b", "one", "two", "ten"], []], ["x", "y"], ["i", "j"])
    names = ["extra", "reference_10", "id", "system", "references", "reference_2", "candidate", "source", "reference"]
    rows = [["?", "ten", "i", "x", ["a", "b"], "two", "c1", "s1", "one"], ["?", "", "j", "y", [], "", "c2", "s2", ""]]
    objects = [dict(zip(names, row, strict=True)) for row in rows]
    cells = [[json.dumps(cell) if isinstance(cell, list) else cell for cell in row] for row in rows]
    polars.DataFrame(objects).write_parquet(tmp_path / "a.parquet")
    for path in (
        save_csv(tmp_path / "a.csv", [names, *cells]),
        save_csv(tmp_path / "a.tsv", [names, *cells], "excel-tab"),
        save_jsonl(tmp_path / "a.jsonl", objects),
        tmp_path / "a.parquet",
    ):
        assert whole(open_table(path)) == expected, path


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
TABLES = st.lists(st.tuples(TEXTS, TEXTS, st.lists(TEXTS, max_size=3)), min_size=1, max_size=12)
REUSED_FOLDER = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@REUSED_FOLDER
@given(TABLES, st.integers(1, 13), st.sampled_from(["csv", "tsv"]), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
def test_whatever_csv_and_parquet_writers_write_is_read_back(
    tmp_path: Path, rows: list[tuple[str, str, list[str]]], size: int, format: str, quoting: int
) -> None:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, "excel" if format == "csv" else "excel-tab", quoting=quoting)
    writer.writerow(["source", "candidate", "references"])
    writer.writerows([source, candidate, json.dumps(references)] for source, candidate, references in rows)
    path = save(tmp_path / f"a.{format}", buffer.getvalue())
    names = {"source": polars.String, "candidate": polars.String, "references": polars.List(polars.String)}
    polars.DataFrame(rows, schema=names, orient="row").write_parquet(tmp_path / "a.parquet")
    for written in (path, tmp_path / "a.parquet"):
        assert whole(open_table(written), size) == Samples.of(*zip(*rows, strict=True))


@REUSED_FOLDER
@given(
    st.lists(
        st.tuples(st.text(max_size=12), st.text(max_size=12), st.lists(st.text(max_size=12), max_size=3)), min_size=1
    ),
    st.integers(1, 13),
    st.booleans(),
)
def test_whatever_json_writes_is_read_back(
    tmp_path: Path, rows: list[tuple[str, str, list[str]]], size: int, escaped: bool
) -> None:
    expected = Samples.of(*zip(*rows, strict=True))
    objects = [dict(zip(("source", "candidate", "references"), row, strict=True)) for row in rows]
    # a lone surrogate can stand in a file as an escape only, and so can NUL
    lines = [json.dumps(row, ensure_ascii=escaped or expected.repaired > 0) for row in objects]
    table = open_table(save(tmp_path / "a.jsonl", "\n".join(lines)))
    assert whole(table, size) == expected
    assert table.repaired == expected.repaired


def test_repaired_texts_are_counted_per_iteration(tmp_path: Path) -> None:
    rows = [{"source": "\ud83d", "candidate": "fine"}, {"source": "ok", "candidate": "\udc00!", "reference": "\ud800"}]
    table = open_table(save_jsonl(tmp_path / "a.jsonl", rows))
    for _ in range(2):
        chunks = list(table.chunks(1))
        assert table.repaired == 3
    assert (chunks[0].sources, chunks[1].candidates) == (["\ufffd"], ["\ufffd!"])


def test_null_and_absent_cells(tmp_path: Path) -> None:
    rows = [
        {"source": None, "candidate": "c", "references": None, "reference": None, "system": None, "id": None},
        {"candidate": None, "source": "s", "references": [None, "r"], "id": 7},
        {"source": "s", "candidate": "c", "reference": "r", "id": 2.5},
    ]
    expected = Samples.of(["", "s", "s"], ["c", "", "c"], [[], ["r"], ["r"]], ids=["1", "7", "2.5"])
    assert whole(open_table(save_jsonl(tmp_path / "a.jsonl", rows))) == expected
    path = save(tmp_path / "a.csv", "source,candidate,system,id,references\n,c,,,\ns,,,7,r\ns,c,,2.5,r\n")
    assert whole(open_table(path)) == expected


def test_iterating_progress_length(tmp_path: Path) -> None:
    path = save_csv(tmp_path / "a.csv", [("source", "candidate"), *[("s" * 50, "c" * 50)] * 20_000])
    table = open_table(path)
    assert table.length is None
    assert table.progress() == (0, path.stat().st_size)
    seen = []
    for chunk in table:
        assert len(chunk) <= 8_192
        seen.append(table.progress()[0])
    assert seen == sorted(set(seen))
    assert 0 < seen[0] < path.stat().st_size / 2
    assert table.progress() == (path.stat().st_size, path.stat().st_size)
    assert table.length == 20_000
    assert whole(table) == whole(table)
    assert "expected at least 1" in refusal(lambda: next(table.chunks(0)))


def test_progress_goes_on_after_looking_back_for_ids(tmp_path: Path) -> None:
    row = {"source": "s" * 100, "candidate": "c"}
    path = save_jsonl(tmp_path / "a.jsonl", [*[row] * 5_500, *({**row, "id": f"n{number}"} for number in range(5_000))])
    table = open_table(path)
    seen = [table.progress()[0] for _ in table.chunks(1_000)]
    assert len(seen) == 11
    assert seen == sorted(seen)
    assert seen[6] < path.stat().st_size * 0.75


# Columns


@pytest.mark.parametrize(
    ("header", "columns", "expected"),
    [
        ("q,p", {}, "no column 'source'; known: p, q; to map another column: columns={'source': 'NAME'}"),
        ("Sources,candidate", {}, "no column 'source'; did you mean 'Sources'? known: Sources, candidate; to map "),
        ("Sources,candidate", {}, "columns={'source': 'Sources'}"),
        ("source,candidates", {}, "no column 'candidate'; did you mean 'candidates'?"),
        ("source,candidate", {"reference": "gold"}, "no column 'gold'; known: candidate, source; to map another"),
        ("source,candidate", {"sorce": "q"}, "no column is called 'sorce' here; did you mean 'source'? known: cand"),
        ("source,source", {}, "2 columns are named 'source' ('source', 'source'); rename all but one of them"),
        ("Source,SOURCE", {}, "2 columns are named 'source' ('Source', 'SOURCE')"),
        ("source;candidate", {}, "the only column is 'source;candidate'; try delimiter=';'"),
        ("source\tcandidate", {}, "try format='tsv'"),
    ],
)
def test_missing_and_ambiguous_columns(tmp_path: Path, header: str, columns: dict[str, str], expected: str) -> None:
    path = save(tmp_path / "a.csv", f"{header}\na,b\n")
    message = refusal(lambda: open_table(path, Layout(columns=columns)))
    assert message.startswith("sorce=q: " if "sorce" in columns else f"{path}: ")
    assert expected in message


@pytest.mark.parametrize(
    ("header", "columns", "expected"),
    [
        (" SOURCE ,Candidate,other,x", {}, ("1", "2", ())),
        ("Source,candidate,source,x", {}, ("3", "2", ())),
        ("question,candidate,source,x", {"source": "question"}, ("1", "2", ())),
        ("question,candidate,source,x", {"source": " Question"}, ("1", "2", ())),
        ("source,candidate,gold,reference", {"reference": "gold"}, ("1", "2", ("3",))),
        ("source,candidate,gold,silver", {"reference_2": "gold", "reference_1": "silver"}, ("1", "2", ("4", "3"))),
        ("source,candidate,reference_01,reference_1", {}, ("1", "2", ("3", "4"))),
        ("source,candidate,Reference_2,reference", {}, ("1", "2", ("4", "3"))),
        ("source,x,reference,reference_1", {"candidate": "reference"}, ("1", "3", ("4",))),
        ("source,candidate,,", {}, ("1", "2", ())),
    ],
)
def test_which_column_is_what(
    tmp_path: Path, header: str, columns: dict[str, str], expected: tuple[str, str, tuple[str, ...]]
) -> None:
    samples = whole(open_table(save(tmp_path / "a.csv", f"{header}\n1,2,3,4\n"), Layout(columns=columns)))
    assert (samples.sources[0], samples.candidates[0], samples.references[0]) == expected


def test_jsonl_rows_with_different_names(tmp_path: Path) -> None:
    first = {"source": "s", "candidate": "c", "gold": "g"}
    path = save_jsonl(tmp_path / "a.jsonl", [first, {"candidate": "d", "x": 1, "source": "t"}])
    assert whole(open_table(path, Layout(columns={"reference": "gold"}))).references == [("g",), ()]
    assert "line 1: no column 'good'; did you mean 'gold'?" in refused_rows(path, columns={"reference": "good"})
    path = save_jsonl(tmp_path / "b.jsonl", [first, {"source": "t"}])
    assert refused_rows(path).startswith("line 2: no column 'candidate'; known: source; ")
    varied = [{"source": "s", "candidate": "c", f"extra {row}": 1} for row in range(2_500)]
    assert len(whole(open_table(save_jsonl(tmp_path / "c.jsonl", varied)))) == 2_500


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            {"references": "one"},
            "line 2: references is str 'one'; expected a list of texts, or one text in a column named",
        ),
        ({"references": {"a": 1}}, "line 2: references is dict {'a': 1}; expected a list of texts"),
        ({"references": 3}, "line 2: references is int 3; expected a list of texts"),
        ({"references": ["a", 3]}, "row 2: reference is int 3; expected text"),
        ({"reference": ["a"]}, "row 2: reference is list ['a']; expected text"),
        ({"source": 3}, "row 2: source is int 3; expected text"),
        ({"system": 3}, "row 2: system is int 3; expected text"),
        ({"id": ["a"]}, "line 2: id is ['a']; expected a text or a number"),
        ({"id": True}, "line 2: id is True; expected a text or a number"),
    ],
)
def test_the_wrong_kind_of_cell(tmp_path: Path, row: dict[str, object], expected: str) -> None:
    good = {"source": "s", "candidate": "c"}
    assert refused_rows(save_jsonl(tmp_path / "a.jsonl", [good, {**good, **row}])).startswith(expected)


def test_the_wrong_kind_of_cell_in_parquet(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    polars.DataFrame({"source": ["s"], "candidate": ["c"], "references": ["r"]}).write_parquet(path)
    assert refused_rows(path).startswith("row 1: references is str 'r'; expected a list of texts")
    assert whole(open_table(path, Layout(columns={"reference": "references"}))).references == [("r",)]
    polars.DataFrame({"source": [1], "candidate": ["c"]}).write_parquet(path)
    assert refused_rows(path) == "row 1: source is int 1; expected text"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ('["a", "b"]', ("a", "b")),
        (' ["a", null, ""] ', ("a",)),
        ("[]", ()),
        ("one text", ("one text",)),
        ("[applause] thanks", ("[applause] thanks",)),
        ("[applause]", ("[applause]",)),
        ("[1, 2", ("[1, 2",)),
        ('"quoted"', ('"quoted"',)),
        (" ", ()),
    ],
)
def test_references_in_a_csv_cell(tmp_path: Path, cell: str, expected: tuple[str, ...]) -> None:
    path = save_csv(tmp_path / "a.csv", [("source", "candidate", "references"), ("s", "c", cell)])
    assert whole(open_table(path)).references == [expected]


@pytest.mark.parametrize("cell", ["[[1]]", "[1, 2]", '["a", 1]', "[true]", "[{}]", '[["a"]]', "['a', 'b']"])
def test_a_list_of_anything_but_texts_is_refused_as_in_json(tmp_path: Path, cell: str) -> None:
    path = save_csv(tmp_path / "a.csv", [("source", "candidate", "references"), ("s", "c", cell)])
    kind = "" if "'" in cell else " of texts"  # as Python prints it, which is not JSON
    assert f"which is not a JSON list{kind}; write" in refused_rows(path)
    (tmp_path / "a.json").write_text(f'[{{"source": "s", "candidate": "c", "references": {cell}}}]')
    assert ("not valid JSON" if "'" in cell else "expected text") in refused_rows(tmp_path / "a.json")
    assert whole(open_table(path, Layout(columns={"reference": "references"}))).references == [(cell,)]


# Ids


@pytest.mark.parametrize("rows", [1, 2, 3, 100])
def test_duplicate_ids_name_both_rows(tmp_path: Path, rows: int) -> None:
    lines = [("source", "candidate", "system", "id"), *(("s", "c", "x", f"n{row}") for row in range(1, 8))]
    path = save_csv(tmp_path / "a.csv", [*lines, ("s", "c", "x", "n3")])
    message = refusal(lambda: list(open_table(path).chunks(rows)))
    assert message == (
        f"{path}: rows 3 and 8 have the same id 'n3' in the system 'x'; each row of a system needs an id of its own"
    )
    path = save_csv(tmp_path / "b.csv", [*lines, ("s", "c", "y", "n3")])
    assert len(whole(open_table(path), rows)) == 8


def test_a_row_number_given_as_id_can_collide(tmp_path: Path) -> None:
    """Rows without an id are named by their number, also those read before the first id was seen."""
    plain = {"source": "s", "candidate": "c"}
    path = save_jsonl(tmp_path / "a.jsonl", [plain, plain, plain, {**plain, "id": 2}])
    for rows in (1, 2, 4):
        assert "rows 2 and 4 have the same id '2'" in refusal(lambda rows=rows: list(open_table(path).chunks(rows)))


def test_many_ids_over_many_chunks(tmp_path: Path) -> None:
    lines = [("source", "candidate", "id"), *(("s", "c", f"n{row}") for row in range(30_000))]
    assert len(whole(open_table(save_csv(tmp_path / "a.csv", lines)), 1_000)) == 30_000
    table = open_table(save_csv(tmp_path / "b.csv", [*lines, ("s", "c", "n12345")]))
    assert "rows 12,346 and 30,001" in refusal(lambda: list(table.chunks(1_000)))


# Fingerprints


def test_fingerprint_follows_content_and_options(tmp_path: Path) -> None:
    content = "source,candidate,other\na,b,c\n"
    path, elsewhere = save(tmp_path / "a.csv", content), save(tmp_path / "renamed.csv", content)
    fingerprint = open_table(path).fingerprint()
    assert len(bytes.fromhex(fingerprint)) == 32
    assert {open_table(elsewhere).fingerprint(), open_table(path, Layout("csv")).fingerprint()} == {fingerprint}
    others = [open_table(path, layout) for layout in (Layout(columns={"source": "other"}), Layout(encoding="latin-1"))]
    others.append(open_table(save(tmp_path / "b.csv", content.replace("a,b", "a,d"))))
    assert len({fingerprint, *(other.fingerprint() for other in others)}) == 4


def test_fingerprint_of_aligned_files(tmp_path: Path) -> None:
    one, two, three = (save(tmp_path / f"{name}.txt", f"{name}\n") for name in ("one", "two", "three"))
    (tmp_path / "elsewhere").mkdir()
    copy = save(tmp_path / "elsewhere" / "two.txt", "two\n")
    fingerprint = open_aligned(one, [two], [three]).fingerprint()
    assert fingerprint == open_aligned(one, [copy], [three]).fingerprint()
    others = [
        open_aligned(one, [two, three]),
        open_aligned(one, [three], [two]),
        open_aligned(one, [two]),
        open_aligned(one, [save(tmp_path / "other.txt", "two\n")], [three]),  # another name of the system
        open_aligned(one, [two], [three], encoding="latin-1"),
    ]
    assert len({fingerprint, *(other.fingerprint() for other in others)}) == 6


# Aligned text


def test_aligned_text(tmp_path: Path) -> None:
    source = save(tmp_path / "source.txt", "s1\ns2\r\ns3\x0b\u2028\r!")
    small = save(tmp_path / "small.v1.txt", "a1\n\na3\n")
    large = save(tmp_path / "large.txt.gz", gzip.compress(b"\xef\xbb\xbfb1\nb2\nb3\n"))
    first, second = save(tmp_path / "r1", "r1\n\nr3\n"), save(tmp_path / "r2", "q1\n \n\n")
    table = open_aligned(source, [small, large], [first, second])
    expected = Samples(
        ["s1", "s1", "s2", "s2", "s3\x0b\u2028\r!", "s3\x0b\u2028\r!"],
        ["a1", "b1", "", "b2", "a3", "b3"],
        [("r1", "q1"), ("r1", "q1"), (), (), ("r3",), ("r3",)],
        ["small.v1", "large"] * 3,
        ["1", "1", "2", "2", "3", "3"],
    )
    assert table.length == 6
    for rows in range(1, 8):
        assert whole(table, rows) == expected
        assert table.progress() == (6, 6)
    assert whole(open_aligned(source, [small])).references == [()] * 3


@REUSED_FOLDER
@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=9), st.integers(1, 10))
def test_aligned_text_round_trip(tmp_path: Path, rows: list[tuple[str, str, str]], size: int) -> None:
    clean = [[text.translate({10: " ", 13: " ", 0xFEFF: " "}) for text in row] for row in rows]
    columns = list(zip(*clean, strict=True))
    paths = [save(tmp_path / f"{place}.txt", "\n".join([*column, ""])) for place, column in enumerate(columns)]
    sources, candidates, references = columns
    expected = Samples.of(sources, candidates, [[text] for text in references], ["1"] * len(sources))
    assert whole(open_aligned(paths[0], [paths[1]], [paths[2]]), size) == expected


def test_systems_with_equal_stems_are_named_by_their_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("a", "b"):
        Path(folder).mkdir()
        save(Path(folder, "out.txt"), f"{folder}\n")
    source = save(tmp_path / "source.txt", "s\n")
    assert whole(open_aligned(source, ["a/out.txt", Path("b/out.txt"), source])).systems == [
        "a/out.txt",
        "b/out.txt",
        "source",
    ]
    assert "a/out.txt is given twice" in refusal(lambda: open_aligned(source, ["a/out.txt", Path("a/out.txt")]))


def test_unequal_line_counts_say_where(tmp_path: Path) -> None:
    source = save(tmp_path / "source.txt", "".join(f"line {number}\n" for number in range(1, 1_501)))
    candidate = save(tmp_path / "system.txt", "c\n" * 1_499 + "the last")
    assert open_aligned(source, [candidate]).length == 1_500
    short = save(tmp_path / "short.txt", "c\n" * 1_233 + "the end\n")
    assert refusal(lambda: open_aligned(source, [candidate, short])) == (
        f"{source} has 1,500 lines but {short} has 1,234; {short} ends after line 1,234 ('the end'), "
        f"and {source} continues with 'line 1235'"
    )
    long = save(tmp_path / "reference.txt", "r\n" * 1_500 + "\n")
    assert refusal(lambda: open_aligned(source, [candidate], [long])) == (
        f"{source} has 1,500 lines but {long} has 1,501; {source} ends after line 1,500 ('line 1500'), "
        f"and {long} continues with ''"
    )


def test_refused_aligned_files(tmp_path: Path) -> None:
    source, empty = save(tmp_path / "source.txt", "a\n"), save(tmp_path / "empty.txt", "")
    latin = save(tmp_path / "latin.txt", b"caf\xe9\n")
    assert refusal(lambda: open_aligned(source, [empty])) == f"{empty} is empty"
    assert refusal(lambda: open_aligned(empty, [source])) == f"{empty} is empty"
    assert refusal(lambda: open_aligned(source, [])).startswith("no candidate file")
    assert "candidates is one path; expected a list" in refusal(lambda: open_aligned(source, str(source)))
    assert f"{latin}: line 1: byte 0xe9 at offset 3" in refusal(lambda: open_aligned(source, [source], [latin]))
    assert whole(open_aligned(source, [latin], encoding="latin-1")).candidates == ["café"]
    assert "no such file" in refusal(lambda: open_aligned(source, [tmp_path / "absent.txt"]))


# Memory


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(rows: int) -> int:
        path = tmp_path / f"{rows}.csv"
        line = ("How old are you? " * 4, "What is your age? " * 4, "Your age? " * 4)
        save_csv(path, [("source", "candidate", "reference", "id"), *((*line, row) for row in range(rows))])
        table = open_table(path)
        tracemalloc.start()
        try:
            assert sum(map(len, table)) == rows
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(1_000)  # imports
    small, large = peak(20_000), peak(50_000)  # both with two whole chunks of 8,192 rows at once
    assert large < 60e6
    # 8 bytes per id, and as much again twice over while two runs are merged; texts that stayed would be 5 MB
    assert large - small < 30_000 * 8 * 3 + 1e6
