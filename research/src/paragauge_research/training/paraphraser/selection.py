"""Which pairs are trained on, and which are the dev part."""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from paragauge.errors import InputError

from .configuration import Configuration, Selection
from .reading import Pair, key_of, read_pairs, reserved_texts
from .written import same_digits, same_names

_CHUNK = 8192  # pairs whose texts are encoded together


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
