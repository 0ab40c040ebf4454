"""Labels of a trained reader for a smaller one to learn from: on pairs as it was trained on, and on unlabelled ones."""

from __future__ import annotations

import gzip
import json
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import islice
from pathlib import Path

from paragauge.models.pairs.reader import PairReader

from ..meaning.data import read_rows, reserved_sentences, text_key
from .batches import batch_at, read_pools
from .configuration import Configuration

Pair = tuple[str, str]

_PART = 2048  # pairs that are read before their labels are written
_SEED = "soft"


def write_soft_labels(
    configuration: Configuration,
    config_folder: Path,
    wordnet: Path,
    reader: PairReader,
    output: Path,
    count: int,
    progress: Callable[[str], None],
) -> None:
    """So many pairs with what the reader says of them, half of them unlabelled; a stopped run is resumed."""
    output.parent.mkdir(parents=True, exist_ok=True)
    lines = output.read_text("utf-8").splitlines(keepends=True) if output.exists() else []
    done = len(lines) // _PART * _PART
    pools = read_pools(configuration, config_folder, output.parent, wordnet)
    steps = range(10**6, 10**6 + count)  # steps that no training reaches
    drawn = ((row.source, row.candidate) for step in steps for row in batch_at(pools, configuration, step))
    found = unlabelled(configuration.data_folder, reserved_sentences(configuration.data_folder))
    both = islice((pair for one in zip(drawn, found, strict=False) for pair in one), count)
    with output.open("w", encoding="utf-8") as stream:
        stream.writelines(lines[:done])
        for number, part in enumerate(iter(lambda: list(islice(both, _PART)), [])):
            if number * _PART < done:
                continue
            for (source, candidate), said in zip(part, reader.read(part), strict=True):
                cells = {"source": source, "candidate": candidate}
                stream.write(json.dumps(cells | _probabilities(said[:3]), ensure_ascii=False) + "\n")
            stream.flush()
            progress(f"{min((number + 1) * _PART, count)} of {count} pairs")


def _probabilities(logits: Sequence[float]) -> dict[str, float]:
    names = ("forward", "backward", "fluent")
    return {name: round(1 / (1 + math.exp(-value)), 4) for name, value in zip(names, logits, strict=True)}


def unlabelled(folder: Path, reserved: Set[str]) -> Iterator[Pair]:
    """Pairs of texts about the same thing, in a random order: questions of one intent, captions of one picture."""
    pairs = [pair for read in (_intents, _banking, _captions, _split) for pair in read(folder)]
    pairs = [pair for pair in dict.fromkeys(pairs) if text_key(pair[0]) != text_key(pair[1])]
    random.Random(_SEED).shuffle(pairs)
    return (pair for pair in pairs if not any(text_key(text) in reserved for text in pair))


def _alike(groups: Mapping[str, list[str]], times: int) -> Iterator[Pair]:
    """Each text with some of those of its group that share most of its words."""
    for texts in groups.values():
        words = {text: frozenset(text_key(text).split()) for text in texts}
        for text in words:
            near = sorted(words, key=lambda other, own=words[text]: -len(own & words[other]) / len(own | words[other]))  # type: ignore[misc]
            yield from ((text, other) for other in near[1 : 1 + times])


def _intents(folder: Path) -> Iterator[Pair]:
    with gzip.open(folder / "open" / "clinc150" / "data_full.json.gz", "rt", encoding="utf-8") as stream:
        groups: dict[str, list[str]] = defaultdict(list)
        for text, intent in json.load(stream)["train"]:
            groups[intent].append(text)
    yield from _alike(groups, 2)


def _banking(folder: Path) -> Iterator[Pair]:
    groups: dict[str, list[str]] = defaultdict(list)
    for row in read_rows(folder / "open" / "banking77" / "train.csv.gz"):
        groups[row["category"]].append(row["text"].strip())
    yield from _alike(groups, 2)


def _captions(folder: Path) -> Iterator[Pair]:
    for row in read_rows(folder / "pairs" / "qcpg" / "mscoco" / "validation.csv.gz"):
        yield row["source"], row["target"]


def _split(folder: Path) -> Iterator[Pair]:
    with gzip.open(folder / "open" / "wikisplit" / "tune.tsv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            whole, parts = line.rstrip("\n").replace(" <::::> ", " ").split("\t")
            yield whole, parts
