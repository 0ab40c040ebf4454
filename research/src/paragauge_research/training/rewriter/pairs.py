"""Pairs of sentences that mean the same, each with the degree in which its wording changes."""

from __future__ import annotations

import csv
import gzip
import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from paragauge.compute.workspace import Workspace
from paragauge.metrics.form.changed import changed

from ..meaning.data import part_of, reserved_sentences, text_key
from .configuration import Configuration
from .prompt import DEGREES

LOW, HIGH = 0.4, 0.55  # `changed` from which on the degree is medium, and high
_LEAST = 0.12  # of less no paraphrase is learned


class Rewritten(NamedTuple):
    """A sentence, how it was rewritten, and in which degree."""

    source: str
    target: str
    degree: str  # of DEGREES


def read_pools(configuration: Configuration) -> dict[str, list[Rewritten]]:
    """Pairs of the training part by where they come from, without reserved sentences."""
    reserved = reserved_sentences(configuration.data_folder)
    pools = {}
    for name in configuration.shares:
        found = {
            (one, other)
            for one, other in _READERS[name](configuration)
            if part_of(one) == "train"
            and text_key(one) != text_key(other)
            and not {text_key(one), text_key(other)} & reserved
            and all(0 < len(text.split()) <= configuration.longest for text in (one, other))
        }
        pools[name] = _graded(sorted(found))
    return pools


def _graded(pairs: list[tuple[str, str]]) -> list[Rewritten]:
    found = []
    for (source, target), share in zip(pairs, changed(pairs, Workspace()).tolist(), strict=True):
        if share >= _LEAST:
            found.append(Rewritten(source, target, DEGREES[0 if share < LOW else 1 if share < HIGH else 2]))
    return found


def pairs_at(pools: dict[str, list[Rewritten]], configuration: Configuration, step: int) -> list[Rewritten]:
    """The pairs of a step, counted from 0: a pure function of the configuration and the step."""
    choose = random.Random(f"{configuration.seed} {step}")
    names = [name for name in configuration.shares if pools[name]]
    weights = [configuration.shares[name] for name in names]
    return [choose.choice(pools[choose.choices(names, weights)[0]]) for _ in range(configuration.batch)]


def _paraphrases(configuration: Configuration) -> Iterator[tuple[str, str]]:
    for file in sorted((configuration.written / "paraphrases").glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            light, medium, high = row["paraphrases"]
            yield from ((row["source"], text) for text in (light, medium, high))
            yield from ((high, row["source"]), (medium, high), (high, medium), (light, high))


def _written(configuration: Configuration) -> Iterator[tuple[str, str]]:
    for file in sorted((configuration.written / "written").glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            if row["good"] and row["kind"] != "light-edit":
                yield row["source"], row["candidate"]


def _parabank(configuration: Configuration) -> Iterator[tuple[str, str]]:
    path = configuration.data_folder / "pairs" / "qcpg" / "parabk2" / "validation.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            yield row["source"], row["target"]


def _labelled(configuration: Configuration, name: str) -> Iterator[tuple[str, str]]:
    with gzip.open(configuration.data_folder / "train" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if float(row["label"]) == 1:
                yield row["a"], row["b"]


_READERS: Mapping[str, Callable[[Configuration], Iterator[tuple[str, str]]]] = {
    "paraphrases": _paraphrases,
    "written": _written,
    "parabank": _parabank,
    "plagiarism": lambda configuration: _labelled(configuration, "pan_mt_metrics"),
    "paws": lambda configuration: _labelled(configuration, "natinst_paws"),
}
