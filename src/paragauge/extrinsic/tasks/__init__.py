"""Tasks: labelled texts to train on and to test on, by name or from tables."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...benchmarks import benchmark
from ...errors import InputError, nearest
from ...files.layout import Layout
from ...files.write import PathLike
from ...printable import listed
from ...tables.display import counted
from .labelled import Labelled, read_labelled, shuffled

IMDB_SIZES = (2_500, 2_000)  # training and validation, of 5,000; the rest is for testing
IMDB_DRAWN = 5_000
HELD_OUT = 0.2  # of a table that comes without a test part, and of MR and CR
SIZES_NOTE = (
    "Hailu et al. 2020 draw 5,000 reviews and divide them into 2,500, 2,000 and 1,000, which are 5,500; here the test "
    "part is the 500 that are left"
)


@dataclass(frozen=True)
class TextTask:
    """What a classifier learns from and what it is tested on; `validation` is for choosing and is not tested on."""

    name: str
    train: Labelled
    test: Labelled
    validation: Labelled | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        classes = self.classes
        if len(classes) < 2:
            raise InputError(
                f"{self.name}: all {counted(len(self.train), 'training text')} have the label '{classes[0]}'; expected "
                "two classes or more"
            )
        for part, table in (("test", self.test), ("validation", self.validation)):
            for name, label in zip(table.ids, table.labels, strict=True) if table is not None else ():
                if label not in classes:
                    raise InputError(
                        f"{self.name}: row {name} of the {part} part has the label '{label}', which no training text "
                        f"has; known: {listed(classes)}"
                    )

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels, in order."""
        return self.train.classes

    def numbers(self, labels: Iterable[str]) -> list[int]:
        """The number of the class of each label."""
        known = {label: number for number, label in enumerate(self.classes)}
        return [known[label] for label in labels]

    def fingerprint(self) -> str:
        """sha256 of the training and test parts."""
        return hashlib.sha256(f"{self.train.fingerprint()} {self.test.fingerprint()}".encode()).hexdigest()


def names() -> list[str]:
    """The tasks that are known by name."""
    return list(_READERS)


def open_task(name: str, data: Path | None = None, seed: int = 0) -> TextTask:
    """The task of this name, from the data folder; `seed` is for what is drawn from it."""
    if name not in _READERS:
        raise InputError(f"no task named '{name}'{nearest(name, names())}")
    found = benchmark(name)
    place = found.place(data)
    for file in found.changed(place):
        raise InputError(f"{place / file} is not the file that was published, whose sha256 is {found.files[file]}")
    return _READERS[name](place, seed)


def table_task(
    train: PathLike,
    test: PathLike | None = None,
    text: str = "text",
    label: str = "label",
    seed: int = 0,
    **layout: Any,
) -> TextTask:
    """A task from a table with a text and a label column; without a test table a fifth of the rows is held out."""
    table = read_labelled(train, text, label, Layout(**layout))
    name = Path(train).stem
    if test is None:
        return _held_out(name, table, seed)
    return TextTask(name, table, read_labelled(test, text, label, Layout(**layout)))


def _imdb(folder: Path, seed: int) -> TextTask:
    """5,000 of the 50,000 reviews: 2,500 to train on, 2,000 for validation, 500 to test on.

    The markup `<br />`, which stands for a line break, becomes one.
    """
    rows: list[dict[str, Any]] = []
    for file in benchmark("imdb").files:
        with gzip.open(folder / file, "rt", encoding="utf-8") as stream:
            rows += map(json.loads, stream)
    every = [str(row["id"]) for row in rows]
    chosen = [rows[place] for place in shuffled(every, seed)[:IMDB_DRAWN]]
    table = Labelled(
        tuple(str(row["id"]) for row in chosen),
        tuple(str(row["text"]).replace("<br />", "\n") for row in chosen),
        tuple(str(row["label"]) for row in chosen),
    )
    train, validation = IMDB_SIZES
    return TextTask(
        "imdb",
        table.rows(range(train)),
        table.rows(range(train + validation, IMDB_DRAWN)),
        table.rows(range(train, train + validation)),
        (SIZES_NOTE,),
    )


def _sst2(folder: Path, seed: int) -> TextTask:  # noqa: ARG001
    """As it is published."""
    train, dev, test = (_lines(folder / file)[0] for file in benchmark("sst2").files)
    return TextTask("sst2", train, test, dev)


def _whole(name: str) -> Callable[[Path, int], TextTask]:
    def read(folder: Path, seed: int) -> TextTask:
        (file,) = benchmark(name).files
        table, empty = _lines(folder / file)
        task = _held_out(name, table, seed)
        if not empty:
            return task
        return replace(task, notes=(f"{name}: {counted(empty, 'line')} without a text left out", *task.notes))

    return read


def _lines(file: Path) -> tuple[Labelled, int]:
    """Lines of a label, a space and a text, and how many had no text; some lines are not in UTF-8."""
    every = [(f"{file.name}-{number}", *cells) for number, cells in enumerate(_cut(file.read_bytes()), 1)]
    rows = [row for row in every if row[2]]
    ids, labels, texts = zip(*rows, strict=True)
    return Labelled(ids, texts, labels), len(every) - len(rows)


def _cut(content: bytes) -> Iterator[tuple[str, str]]:
    for line in content.splitlines():
        try:
            written = line.decode("utf-8")
        except UnicodeDecodeError:
            written = line.decode("latin-1")
        label, _, text = written.partition(" ")
        yield label, text.strip()


def _held_out(name: str, table: Labelled, seed: int) -> TextTask:
    order = shuffled(table.ids, seed)
    size = max(1, round(HELD_OUT * len(table)))
    if len(table) <= size:
        raise InputError(f"{name} has {counted(len(table), 'row')}; expected enough to train on and to test on")
    note = f"{name}: {size:,} of {len(table):,} rows, drawn with the seed {seed}, are held out for testing"
    return TextTask(name, table.rows(sorted(order[size:])), table.rows(sorted(order[:size])), None, (note,))


_READERS: dict[str, Callable[[Path, int], TextTask]] = {
    "imdb": _imdb,
    "sst2": _sst2,
    "mr": _whole("mr"),
    "cr": _whole("cr"),
}
