"""Labelled and unlabelled pairs for training: read, cleaned of reserved sentences, and split by their first text."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from paragauge.errors import InputError
from paragauge.files.pickles import read_plain

from .configuration import Configuration, DataSet

PARTS = ("train", "dev", "calibration", "held-out")


class Item(NamedTuple):
    """Two texts, what is known of them, and, in a triple, a third that is a worse rendering of the first."""

    a: str
    b: str
    label: float  # 0 to 1: the same meaning; NaN: not known
    kind: str  # same, plain
    data_set: str
    group: str = ""
    worse: str = ""


def part_of(text: str) -> str:
    """The part a text belongs to, whatever set it stands in: 84% train, 6% dev, 5% calibration, 5% held out."""
    bucket = int.from_bytes(hashlib.sha256(text_key(text).encode()).digest()[:4]) % 100
    return PARTS[0 if bucket < 84 else 1 if bucket < 90 else 2 if bucket < 95 else 3]


def read_items(configuration: Configuration, part: str, names: Sequence[str] | None = None) -> list[Item]:
    """The items of one part of every configured set (or of those named), in a random order of the seed."""
    reserved = reserved_sentences(configuration.data_folder)
    items: list[Item] = []
    for name, data_set in configuration.sets.items():
        if names is not None and name not in names:
            continue
        found = [
            item
            for item in _read(configuration.data_folder, name, data_set)
            if part_of(item.a) == part and _usable(item, reserved, configuration.longest)
        ]
        random.Random(f"{configuration.seed} {name}").shuffle(found)
        items += _unique(found)
    random.Random(configuration.seed).shuffle(items)
    return items


def reserved_sentences(folder: Path) -> set[str]:
    """Every sentence of the sets that development and test look at: Twitter-Para and STS-B dev and test."""
    reserved: set[str] = set()
    twitter = folder / "parascore" / "twitter"
    for source, group in read_plain(twitter / "source-candidate.pickle").items():
        reserved |= {text_key(source), *(text_key(candidate) for candidate, _ in group)}
    reserved |= {text_key(reference) for reference, _ in read_plain(twitter / "source-reference.pickle").values()}
    for name in ("sts-dev.csv", "sts-test.csv"):
        for cells in _lines(folder / "stsb" / name):
            reserved |= {text_key(cells[5]), text_key(cells[6])}
    return reserved


def text_key(text: str) -> str:
    return " ".join("".join(sign if sign.isalnum() else " " for sign in text.lower()).split())


def _usable(item: Item, reserved: set[str], longest: int) -> bool:
    texts = [item.a, item.b, *([item.worse] if item.worse else [])]
    return all(text.strip() and len(text.split()) <= longest and text_key(text) not in reserved for text in texts)


def _unique(items: Iterable[Item]) -> list[Item]:
    return list({(item.a, item.b, item.worse): item for item in items}.values())


def _read(folder: Path, name: str, data_set: DataSet) -> Iterator[Item]:
    path = folder / data_set.file
    if not path.exists():
        raise InputError(f"{path} is not there; the configuration names it as {name}")
    if path.suffixes[-2:] == [".csv", ".gz"]:
        rows: Iterable[Item] = _table_rows(path, name)
    else:
        rows = _labelled_rows(path, name, data_set.kind)
    wanted = frozenset(data_set.groups)
    return (row for row in rows if not wanted or row.group in wanted)


def _labelled_rows(path: Path, name: str, kind: str) -> Iterator[Item]:
    for row in read_rows(path):
        if "worse" in row:
            yield Item(row["a"], row["b"], 1.0, "same", name, row["group"], row["worse"])
        elif kind == "same" and isinstance(row["label"], str):  # NLI rows that differ by one word
            yield Item(row["a"], row["b"], float(row["label"] == "entailment"), "same", name, row["group"])
        elif kind == "mqm":  # error points, 0 for none; 15 and more are as bad as can be
            yield Item(row["a"], row["b"], max(0.0, 1 + row["label"] / 15), "same", name, row["group"])
        else:
            yield Item(row["a"], row["b"], float(row["label"]), kind, name, row["group"])


def _table_rows(path: Path, name: str) -> Iterator[Item]:
    for row in read_rows(path):
        yield Item(row["source"], row["target"], float("nan"), "plain", name)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a compressed file: a table (`.csv.gz`), or lines of JSON."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines) if path.name.endswith(".csv.gz") else map(json.loads, lines)


def _lines(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text("utf-8").splitlines()]
