"""Files of pairs to pairs, one after the other."""

from __future__ import annotations

import csv
import gzip
import hashlib
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from pathlib import Path
from typing import NamedTuple, TextIO

from paragauge.errors import InputError
from paragauge.text.normalize import alphanumeric

from .configuration import Configuration, DataSet


class Pair(NamedTuple):
    """Two texts that mean the same, and the set that they come from."""

    source: str
    target: str
    set: str


def read_pairs(configuration: Configuration) -> Iterator[Pair]:
    """Every pair of the data, in the order of the files."""
    for name, one in configuration.sets.items():
        found = _read(one, one.files, configuration.data_folder)
        for source, target in islice(found, one.rows) if one.rows else found:
            yield Pair(" ".join(source.split()), " ".join(target.split()), name)


def reserved_texts(configuration: Configuration) -> set[int]:
    """The keys of all texts of the reserved files."""
    return {
        key_of(text)
        for one in configuration.sets.values()
        for pair in read_reserved(one, configuration.data_folder)
        for text in pair
    }


def read_reserved(one: DataSet, folder: Path) -> Iterator[tuple[str, str]]:
    """The pairs of the test part of a set."""
    for source, target in _read(one, one.reserved, folder):
        yield " ".join(source.split()), " ".join(target.split())


def key_of(text: str) -> int:
    """The same number for texts that differ in case, punctuation and white space alone.

    >>> key_of("It's raining!") == key_of("its RAINING")
    True
    """
    return int.from_bytes(hashlib.blake2b(alphanumeric(text).encode("utf-8", "replace"), digest_size=8).digest(), "big")


def _read(one: DataSet, files: Sequence[str], folder: Path) -> Iterator[tuple[str, str]]:
    places = [folder / file for file in files]
    if one.form == "parallel":
        for first, second in zip(places[::2], places[1::2], strict=True):
            with _opened(first) as sources, _opened(second) as targets:
                yield from _together(sources, targets, first, second)
    elif one.form == "table":
        for place in places:
            with _opened(place) as lines:
                yield from _table(lines, one.columns, place)
    else:
        for place in places:
            with _opened(place) as lines:
                yield from _captions(lines, place)


def _opened(place: Path) -> TextIO:
    try:
        if place.suffix == ".gz":
            return gzip.open(place, "rt", encoding="utf-8-sig", errors="replace", newline="")
        return place.open(encoding="utf-8-sig", errors="replace", newline="")
    except OSError as error:
        raise InputError(f"{place} cannot be read: {error.strerror}") from None


def _together(sources: TextIO, targets: TextIO, first: Path, second: Path) -> Iterator[tuple[str, str]]:
    try:
        yield from zip(sources, targets, strict=True)
    except ValueError:
        raise InputError(
            f"{first} and {second} have different numbers of lines; expected pairs, line by line"
        ) from None


def _table(lines: TextIO, columns: Sequence[str], place: Path) -> Iterator[tuple[str, str]]:
    """Cells of two columns; a tsv file has no quotes."""
    tabs = not place.name.removesuffix(".gz").endswith(".csv")
    rows = (line.rstrip("\r\n").split("\t") for line in lines) if tabs else csv.reader(lines)
    if all(column.isdecimal() for column in columns):
        numbers = [int(column) for column in columns]
    else:
        header: list[str] = next(iter(rows), [])
        if missing := [column for column in columns if column not in header]:
            raise InputError(f"{place} has no column '{missing[0]}'; it has: {', '.join(header)}")
        numbers = [header.index(column) for column in columns]
    for row in rows:
        if len(row) > max(numbers):
            yield row[numbers[0]], row[numbers[1]]


def _captions(lines: TextIO, place: Path) -> Iterator[tuple[str, str]]:
    """Every two captions of an image."""
    captions: dict[str, list[str]] = {}
    for number, line in enumerate(lines, 1):
        name, *rest = line.split(maxsplit=1)  # the published file has a space for a tab in its first line
        if not rest or "#" not in name:
            raise InputError(f"{place}, line {number}: expected image#number, a tab and a caption, found {line!r:.60}")
        text = rest[0]
        captions.setdefault(name.partition("#")[0], []).append(text)
    for own in captions.values():
        yield from combinations(own, 2)
