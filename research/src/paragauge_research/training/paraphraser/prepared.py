"""The data as the loop reads them: token ids in arrays on disk, made once."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError
from paragauge.paraphrasers._truecase import CASE, WORD, sentence_starts

from ..output import emptied, write_json
from .codes import code_texts
from .configuration import Configuration, data_digest, selection_digest
from .pairs import Pair, described, read_selected, select
from .start import TOKENIZER
from .vocabulary import Vocabulary, make_vocabulary, read_vocabulary

_CHUNK = 4096  # pairs
_LEAST = 3  # times that a word must have been seen, for the table of how words are written
PARTS = ("train", "dev")
DONE = "prepared.json"  # says of which settings; empty until all is there


class Part(NamedTuple):
    """The examples of the training or the dev part: which text is read, and which is written."""

    ids: NDArray[np.int32]  # of all texts, one after the other, without special tokens
    starts: NDArray[np.int64]  # of each text, and the end of the last
    examples: NDArray[np.int32]  # [n, 2]: source and target
    codes: NDArray[np.int32]  # of each text; −1 where there are none

    def text(self, number: int) -> NDArray[np.int32]:
        """The ids of a text."""
        return self.ids[self.starts[number] : self.starts[number + 1]]

    def lengths(self) -> NDArray[np.int64]:
        """Pieces of the source and of the target of each example."""
        found: NDArray[np.int64] = np.diff(self.starts)[self.examples]
        return found


class Prepared(NamedTuple):
    """Everything that training reads."""

    folder: Path
    vocabulary: Vocabulary
    train: Part
    dev: Part


def prepare(configuration: Configuration, folder: Path, progress: Callable[[str], None]) -> Prepared:
    """Select pairs, make the vocabulary and the codes, and encode all; what is there of the same settings is used."""
    digest = data_digest(configuration)
    if not _is_done(folder, digest):
        emptied(folder, DONE)
        fell = _selected_before(configuration, folder) or select(configuration, folder, progress)
        progress(f"pairs: {described(fell)}")
        make_vocabulary(configuration, _texts(folder / "train.jsonl"), folder / TOKENIZER)
        (folder / CASE).write_text(json.dumps(case_table(_texts(folder / "train.jsonl")), indent=0), "utf-8")
        vocabulary = read_vocabulary(folder / TOKENIZER, configuration.network.encoder)
        codes = code_texts(
            configuration.codes, configuration.seed, [folder / f"{part}.jsonl" for part in PARTS], folder, progress
        )
        for part, own in zip(PARTS, codes, strict=True):
            _encode(configuration, vocabulary, folder, part, own)
        write_json(folder / DONE, {"digest": digest, "pairs": dict(fell)})
    train, dev = (_part(folder, name) for name in PARTS)
    progress(f"{len(train.examples):,} examples to train on, {len(dev.examples):,} of the dev part")
    return Prepared(folder, read_vocabulary(folder / TOKENIZER, configuration.network.encoder), train, dev)


def _is_done(folder: Path, digest: str) -> bool:
    try:
        return bool(json.loads((folder / DONE).read_text("utf-8"))["digest"] == digest)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _selected_before(configuration: Configuration, folder: Path) -> Counter[str] | None:
    """The pairs of the training that this one begins from, where they are there and of the same selection."""
    start = configuration.start
    if start is None or start.selection != selection_digest(configuration):
        return None
    before = start.folder.parent / "data"
    if not _is_done(before, start.data):
        return None
    for part in PARTS:
        shutil.copyfile(before / f"{part}.jsonl", folder / f"{part}.jsonl")
    return Counter(json.loads((before / DONE).read_text("utf-8"))["pairs"])


def _texts(file: Path) -> Iterator[str]:
    for pair in read_selected(file):
        yield pair.source
        yield pair.target


def _encode(
    configuration: Configuration, vocabulary: Vocabulary, folder: Path, part: str, codes: NDArray[np.int32] | None
) -> None:
    """Texts 2 i and 2 i + 1 are those of pair i; a pair with a text that is too long is not an example."""
    longest = min(configuration.training.longest, configuration.network.positions) - 2
    examples: list[tuple[int, int]] = []
    lengths: list[int] = []
    with (folder / f"{part}.ids").open("wb") as stream:
        for chunk in _chunks(read_selected(folder / f"{part}.jsonl")):
            texts = [text for pair in chunk for text in pair[:2]]
            found = [one.ids for one in vocabulary.tokenizer.encode_batch_fast(texts, add_special_tokens=False)]
            for ids in found:
                lengths.append(len(ids))
                np.array(ids, np.int32).tofile(stream)
            first = len(lengths) - len(found)
            for number, pair in enumerate(chunk):
                place = first + 2 * number
                if max(lengths[place : place + 2]) <= longest and min(lengths[place : place + 2]) > 0:
                    examples.append((place, place + 1))
                    if configuration.sets[pair.set].both:
                        examples.append((place + 1, place))
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    if not examples:
        raise InputError(f"no pair of the {part} part has texts of at most {longest} pieces")
    np.save(folder / f"{part}-starts.npy", starts)
    np.save(folder / f"{part}-examples.npy", np.array(examples, np.int32))
    np.save(folder / f"{part}-codes.npy", np.full(len(lengths), -1, np.int32) if codes is None else codes)


def _part(folder: Path, name: str) -> Part:
    arrays: list[Any] = [
        np.load(folder / f"{name}-{kind}.npy", mmap_mode="r") for kind in ("starts", "examples", "codes")
    ]
    return Part(np.memmap(folder / f"{name}.ids", np.int32, "r"), *arrays)


def _chunks(pairs: Iterator[Pair]) -> Iterator[list[Pair]]:
    while chunk := list(islice(pairs, _CHUNK)):
        yield chunk


def case_table(texts: Iterable[str]) -> dict[str, str]:
    """Words that most often are not in lower case, inside sentences; a text without a capital says nothing.

    >>> case_table(["He met Tom.", "So Tom left.", "and Tom it was", "I saw Tom and a cat."])
    {'tom': 'Tom'}
    """
    counts: dict[str, Counter[str]] = {}
    for text in texts:
        if text.islower() or text.isupper():
            continue
        first = sentence_starts(text)
        for found in WORD.finditer(text):
            if found.start() not in first:
                counts.setdefault(found[0].lower(), Counter())[found[0]] += 1
    table = {}
    for word in sorted(counts):
        form, count = counts[word].most_common(1)[0]
        if form != word and count >= _LEAST and 2 * count > counts[word].total():
            table[word] = form
    return table
