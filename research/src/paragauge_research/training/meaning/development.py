"""The pairs by which a model is chosen: never a test part, never a training part."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from paragauge.files.pickles import read_plain

from .configuration import Configuration
from .data import Item, part_of, read_items, read_rows
from .perturb import KINDS, Lexicon, perturb

Pair = tuple[str, str]
_DEMETR = {
    "id7_antonym": "antonym",
    "id8_negation": "negation",
    "id9_ne_replaced": "name",
    "id10_numbers_replaced": "number",
    "id11_gender": "antonym",
}


class Graded(NamedTuple):
    """Rows with human scores (or 0/1 labels); each row has one pair or several, of which the best counts."""

    name: str
    pairs: list[tuple[Pair, ...]]
    scores: list[float]


class Written(NamedTuple):
    """A pair that was written for the purpose, and what is wrong with it."""

    pair: Pair
    good: bool
    kind: str
    near: bool  # is most of the wording kept?
    domain: str
    words: tuple[tuple[str, ...], tuple[str, ...]]  # at fault, in source and candidate


def written_pairs(configuration: Configuration, parts: Sequence[str]) -> list[Written]:
    """The written pairs of these parts, and the half of the examination that is for development."""
    files = sorted(Path(configuration.written).glob("*.jsonl"))
    examination = Path(configuration.examination) / "dev.jsonl"
    found = [row for file in files for row in read_written(file) if part_of(row.pair[0]) in parts]
    return found + (read_written(examination) if examination.exists() else [])


def read_written(file: Path) -> list[Written]:
    """The pairs of a file."""
    rows = map(json.loads, file.read_text("utf-8").splitlines())
    return [
        Written(
            (row["source"], row["candidate"]),
            row["good"],
            row["kind"],
            row["near"],
            row["domain"],
            (tuple(row["source_words"]), tuple(row["candidate_words"])),
        )
        for row in rows
    ]


class Triples(NamedTuple):
    """A paraphrase and something worse: `better` should outscore `worse`, row by row."""

    name: str
    better: list[Pair]
    worse: list[Pair]


def twitter_rows(folder: Path, part: str) -> Graded:
    """The published split of Twitter-Para: the first tenth of the rows is `dev`, the rest `test`."""
    place = folder / "parascore" / "twitter"
    references = read_plain(place / "source-reference.pickle")
    rows = [
        (((source, candidate), (references[source][0], candidate)), float(score))
        for source, group in read_plain(place / "source-candidate.pickle").items()
        for candidate, score in group
    ]
    cut = len(rows) // 10
    chosen = rows[:cut] if part == "dev" else rows[cut:]
    return Graded(f"twitter-{part}", [row[0] for row in chosen], [row[1] for row in chosen])


def benchmark_rows(folder: Path, part: str) -> Graded:
    """STS-B dev or test."""
    lines = (folder / "stsb" / f"sts-{part}.csv").read_text("utf-8").splitlines()
    cells = [line.split("\t") for line in lines]
    return Graded(f"stsb-{part}", [((row[5], row[6]),) for row in cells], [float(row[4]) for row in cells])


def foreign_rows(folder: Path, name: str, limit: int, seed: int, parts: Sequence[str] = ("dev",)) -> Graded:
    """Rows of a set that is never trained on; `worse` texts, if any, are left out."""
    every = read_rows(folder / "train" / f"{name}.jsonl.gz")
    rows = [row for row in every if part_of(row["a"]) in parts and len((row["a"] + row["b"]).split()) < 120]
    random.Random(seed).shuffle(rows)
    if name == "simpeval_lens":  # two scales
        rows = [row for row in rows if "0-100" in row["group"]]
    elif name == "sts_2012_2016":
        rows = [row for row in rows if "in_stsb_test" not in row["group"]]
    rows = rows[:limit]
    return Graded(name, [((row["a"], row["b"]),) for row in rows], [float(row["label"]) for row in rows])


def phrase_rows(folder: Path, name: str, limit: int, seed: int) -> Graded:
    """Phrases of PPDB or Wikipedia, judged 1 to 5."""
    lines = (folder / "ppdb-human" / f"{name}.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    random.Random(seed).shuffle(rows)
    rows = rows[:limit]
    return Graded(name, [((row[2], row[3]),) for row in rows], [float(row[0]) for row in rows])


def caption_rows(configuration: Configuration, part: str, limit: int) -> list[Triples]:
    """Changed captions of SugarCrepe, none of which is trained on, against the same caption in slightly other words."""
    found: dict[str, list[tuple[Pair, Pair]]] = {}
    for row in read_rows(configuration.data_folder / "train" / "sugarcrepe.jsonl.gz"):
        reworded = _reworded(row["a"])
        if part_of(row["a"]) == part and reworded != row["a"]:
            found.setdefault(row["group"], []).append(((row["a"], reworded), (row["a"], row["b"])))
    return [
        Triples(f"sugarcrepe: {name}", [row[0] for row in rows[:limit]], [row[1] for row in rows[:limit]])
        for name, rows in sorted(found.items())
    ]


_REWORDED = {
    "man": "guy", "woman": "lady", "picture": "photo", "photo": "picture", "large": "big", "big": "large",
    "small": "little", "little": "small", "kids": "children", "children": "kids", "bike": "bicycle",
    "next to": "next to", "near": "close to", "couch": "sofa", "sofa": "couch", "street": "road", "road": "street",
}  # fmt: skip


def _reworded(text: str) -> str:
    return " ".join(_REWORDED.get(word, word) for word in text.split(" "))


def own_rows(configuration: Configuration, name: str, part: str, limit: int) -> Graded:
    """Labelled rows of a set that is trained on, from another part; none whose two texts are trained on in turn."""
    trained = {(item.b, item.a) for item in read_items(configuration, "train", [name])}
    rows = [item for item in read_items(configuration, part, [name]) if (item.a, item.b) not in trained][:limit]
    return Graded(f"{name}-{part}", [((row.a, row.b),) for row in rows], [row.label for row in rows])


def perturbed_rows(
    configuration: Configuration, lexicon: Lexicon, part: str, limit: int, names: Sequence[str]
) -> list[Triples]:
    """For each kind: the paraphrase against its perturbed self, and against the perturbed source (`…-near`)."""
    items = read_items(configuration, part, names)
    choose = random.Random(configuration.seed)
    found: dict[str, list[tuple[Pair, Pair]]] = {}
    for item in items:
        if item.worse:
            kind = _DEMETR.get(item.group)
            if kind:
                found.setdefault(f"demetr {kind}", []).append(((item.a, item.b), (item.a, item.worse)))
            continue
        if item.label < 1:
            continue
        for kind in KINDS:
            _perturb_both(found, item, kind, lexicon, choose)
    return [
        Triples(name, [row[0] for row in rows[:limit]], [row[1] for row in rows[:limit]])
        for name, rows in sorted(found.items())
    ]


def _perturb_both(
    found: dict[str, list[tuple[Pair, Pair]]], item: Item, kind: str, lexicon: Lexicon, choose: random.Random
) -> None:
    for text, name in ((item.b, kind), (item.a, f"{kind}-near")):
        worse = perturb(text, kind, lexicon, choose)
        if worse is not None and worse.lower() not in (item.a.lower(), item.b.lower()):
            found.setdefault(name, []).append(((item.a, item.b), (item.a, worse)))
