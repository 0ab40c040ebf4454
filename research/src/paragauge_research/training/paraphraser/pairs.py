"""Files of pairs to the pairs that are trained on, and those of the dev part."""

from __future__ import annotations

import csv
import gzip
import hashlib
import heapq
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from paragauge.errors import InputError
from paragauge.text.normalize import alphanumeric

from .configuration import Configuration, DataSet, Selection
from .written import same_digits, same_names

_CHUNK = 8192  # pairs whose texts are encoded together


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


def select(configuration: Configuration, folder: Path, progress: Callable[[str], None]) -> Counter[str]:
    """Write train.jsonl and dev.jsonl to the folder; gives how many pairs fell to which condition, and were kept."""
    fell: Counter[str] = Counter()
    reserved = reserved_texts(configuration)
    every = folder / "selected.jsonl"
    nearest: list[tuple[int, int]] = []  # of the pairs of the smallest hash, negated, so that the largest is first
    with every.open("w", encoding="utf-8") as stream:
        for number, pair in enumerate(_alike(_plain(configuration, reserved, fell), configuration.selection, fell)):
            stream.write(json.dumps(pair) + "\n")
            entry = (-key_of(f"{configuration.seed} {key_of(pair.source)} {key_of(pair.target)}"), number)
            (heapq.heappush if len(nearest) < configuration.selection.dev else heapq.heappushpop)(nearest, entry)
            if (number + 1) % 50_000 == 0:
                progress(f"{number + 1:,} pairs selected")
    chosen = {number for _, number in nearest}
    kept = {key_of(text) for number, pair in enumerate(read_selected(every)) if number in chosen for text in pair[:2]}
    with (
        (folder / "train.jsonl").open("w", encoding="utf-8") as train,
        (folder / "dev.jsonl").open("w", encoding="utf-8") as dev,
    ):
        for number, pair in enumerate(read_selected(every)):
            if number in chosen:
                dev.write(json.dumps(pair) + "\n")
            elif kept & {key_of(pair.source), key_of(pair.target)}:
                fell["a text of the dev part"] += 1
            else:
                fell["kept"] += 1
                train.write(json.dumps(pair) + "\n")
    every.unlink()
    if not fell["kept"]:
        raise InputError(f"no pair is left to train on; {described(fell)}")
    return fell


def described(fell: Counter[str]) -> str:
    """How many pairs fell to which condition."""
    return ", ".join(f"{name}: {count:,}" for name, count in fell.items())


def read_selected(file: Path) -> Iterator[Pair]:
    """The pairs of a file that `select` wrote."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield Pair(*json.loads(line))


def _plain(configuration: Configuration, reserved: set[int], fell: Counter[str]) -> Iterator[Pair]:
    """The pairs that meet every condition but the cosine, each once."""
    seen: set[int] = set()
    for pair in read_pairs(configuration):
        keys = sorted((key_of(pair.source), key_of(pair.target)))
        if reason := _why_not(pair, keys, reserved, configuration.selection):
            fell[reason] += 1
        elif (both := hash(tuple(keys))) in seen:
            fell["twice"] += 1
        else:
            seen.add(both)
            yield pair


def _why_not(pair: Pair, keys: Sequence[int], reserved: set[int], selection: Selection) -> str:
    source, target, _ = pair
    if not source or not target:
        return "empty"
    if reserved & set(keys):
        return "a reserved text"
    if keys[0] == keys[1]:
        return "the same text"
    if max(len(source.split()), len(target.split())) > selection.words:
        return f"more than {selection.words} words"
    low, high = selection.changed
    if (low > 0 or high < 1) and not low <= Levenshtein.normalized_distance(source, target) <= high:
        return "changed too little or too much"
    if selection.numbers and not same_digits(source, target):
        return "other numbers"
    if selection.names and not same_names(source, target):
        return "other names"
    return ""


def _alike(pairs: Iterable[Pair], selection: Selection, fell: Counter[str]) -> Iterator[Pair]:
    """Those whose sentence vectors have the least cosine that is asked for."""
    if selection.cosine <= -1:
        yield from pairs
        return
    left = iter(pairs)
    while chunk := list(islice(left, _CHUNK)):
        texts = list(dict.fromkeys(text for pair in chunk for text in pair[:2]))
        places = {text: place for place, text in enumerate(texts)}
        vectors = sentence_vectors(selection.encoder, texts)
        for pair in chunk:
            if float(vectors[places[pair.source]] @ vectors[places[pair.target]]) >= selection.cosine:
                yield pair
            else:
                fell[f"a cosine below {selection.cosine:g}"] += 1


def sentence_vectors(encoder: str, texts: Sequence[str]) -> NDArray[np.float32]:
    """One row of length 1 for each text."""
    from paragauge.models.encoders.encoder import load_encoder

    return np.stack([one.sentence for one in load_encoder(encoder, None, "float32", "truncate").encode(texts)])
