"""Tables and parse trees damaged at random, with a seed, each read: `tables.py KIND COUNT SEED FOLDER`.

A program of its own, as `tests/malformed.py` is for model files: it prints how many were refused in a sentence and how
many could still be read; anything else, a warning too, ends it with the number of the mutation.
"""

import gzip
import json
import random
import sys
import traceback
import warnings
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

ROWS = [
    ("How old are you?", "What is your age?", 'Your "age", please?'),
    ("Ünï 🦄 code", "", "a\tb"),
    ("你今年多大了？", "请问你几岁？", "x"),
    ("line\nbreak", "comma, comma", ""),
] * 3
PIECES = [
    b'"', b",", b"\t", b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"[", b"]",
    b"{", b"}", b"null", b"NaN", b"1e999", b"\\ud800", b"\\", b"(", b")", b"source", b'"references"', b"-1", b"[[[[",
    b"9" * 5000, b"\xf0\x9f\xa6\x84",
]  # fmt: skip


def delimited(delimiter: str) -> bytes:
    import csv
    from io import StringIO

    stream = StringIO()
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerows([("source", "candidate", "reference"), *ROWS])
    return stream.getvalue().encode()


def objects() -> list[dict[str, Any]]:
    return [{"source": one, "candidate": two, "references": [three, None], "id": n} for n, (one, two, three) in
            enumerate(ROWS)]  # fmt: skip


def parquet() -> bytes:
    import polars

    stream = BytesIO()
    polars.DataFrame(objects(), orient="row").write_parquet(stream)
    return stream.getvalue()


def xlsx() -> bytes:
    import openpyxl

    book, stream = openpyxl.Workbook(), BytesIO()
    for row in [("source", "candidate", "reference"), *ROWS]:
        book.active.append(row)
    book.save(stream)
    return stream.getvalue()


def parses() -> list[tuple[str, str]]:
    trees = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBZ sits)) (. .)))", "(ROOT (FRAG (-LRB- -LRB-) (NN x)))", "(())"
    return [(f"text {number}", tree) for number in range(3) for tree in trees[number : number + 1]]


KINDS: dict[str, tuple[Callable[[], bytes], str]] = {
    "csv": (lambda: delimited(","), "t.csv"),
    "csv.gz": (lambda: gzip.compress(delimited(","), mtime=0), "t.csv.gz"),
    "tsv": (lambda: delimited("\t"), "t.tsv"),
    "jsonl": (lambda: "".join(json.dumps(row) + "\n" for row in objects()).encode(), "t.jsonl"),
    "json": (lambda: json.dumps(objects()).encode(), "t.json"),
    "parquet": (parquet, "t.parquet"),
    "xlsx": (xlsx, "t.xlsx"),
    "parses": (lambda: "".join(f"{text}\t{tree}\n" for text, tree in parses()).encode(), "p.tsv"),
    "parses.jsonl": (
        lambda: "".join(json.dumps({"text": text, "parse": tree}) + "\n" for text, tree in parses()).encode(),
        "p.jsonl",
    ),
}


def mutate(data: bytes, draw: random.Random) -> bytes:
    """One to four changes: cut, drop, double, overwrite, or put in what a parser stumbles over."""
    changed = bytearray(data)
    for _ in range(draw.randrange(1, 5)):
        place = draw.randrange(len(changed) + 1)
        size = draw.choice((1, 2, 8, 60))
        match draw.randrange(6):
            case 0:
                del changed[place : len(changed) if draw.random() < 0.3 else place + size]
            case 1:
                changed[place:place] = changed[place : place + size]
            case 2:
                changed[place : place + 1] = bytes([draw.randrange(256)])
            case 3:
                changed[place : place + size] = draw.randbytes(size)
            case _:
                changed[place:place] = draw.choice(PIECES)
    return bytes(changed)


def use(kind: str, path: Path) -> None:
    if kind.startswith("parses"):
        from paragauge_research.trees import parsers
        from paragauge_research.trees.trees import words

        parsers._open.cache_clear()
        for tree in parsers.open_parses(str(path)).parse(["text 0", "text 1", "text 2"]):
            assert tree is None or all(isinstance(word, str) for word in words(tree))
        return
    from paragauge.files.table import open_table

    for chunk in open_table(path).chunks(5):
        for text in (*chunk.sources, *chunk.candidates, *chunk.systems, *chunk.ids, *sum(chunk.references, ())):
            text.encode()


def main(kind: str, count: int, seed: int, folder: Path) -> None:
    warnings.simplefilter("error")
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))  # so that what asks for all memory is found out
    except (ImportError, ValueError, OSError):
        pass
    from paragauge.errors import ParagaugeError

    make, name = KINDS[kind]
    whole, path = make(), folder / name
    path.write_bytes(whole)
    use(kind, path)
    refused = read = 0
    for number in range(seed, seed + count):
        path.write_bytes(mutate(whole, random.Random(f"{kind} {number}")))
        (folder / "now").write_text(str(number))
        try:
            use(kind, path)
            read += 1
        except ParagaugeError as error:
            if not str(error).strip() or "\n" in str(error):
                sys.exit(f"mutation {number} of {kind}: no sentence: {error}")
            refused += 1
        except BaseException:
            traceback.print_exc()
            sys.exit(f"mutation {number} of {kind}")
    print(refused, read)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
