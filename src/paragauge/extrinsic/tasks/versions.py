"""Versions of a task's texts: paraphrased sentence by sentence by a method, or read from a file of paraphrases."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...compute.workspace import Progress, no_progress
from ...errors import InputError
from ...files.rows import read_rows
from ...files.write import PathLike
from ...paraphrasers import Given, paraphraser_of
from ...runs.record import file_sha256, sha256_of
from ...runs.store import Store
from ...select.generate import PART
from ...select.paraphrase import paraphrase_sources
from ...tables.display import counted
from ...text.sentences import sentences
from . import TextTask
from .labelled import Labelled

ORIGINAL = "original"


@dataclass(frozen=True)
class Version:
    """The texts of a task as one paraphraser has them; labels and order are those of the task."""

    name: str
    signature: str
    train: tuple[str, ...]
    test: tuple[str, ...] | None = None  # None where a file has paraphrases of the training texts alone
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """sha256 of the texts: what a classifier that reads them depends on."""
        digest = hashlib.sha256()
        for text in (*self.train, "\0", *(self.test or ())):
            digest.update(text.encode("utf-8", "surrogatepass") + b"\x1e")
        return digest.hexdigest()


def original(task: TextTask) -> Version:
    """The texts as they are."""
    return Version(ORIGINAL, ORIGINAL, task.train.texts, task.test.texts)


def rewritten(text: str, paraphrases: Mapping[str, str]) -> str:
    """The text with each sentence replaced by its paraphrase; one that has none, and what stands between them, stays.

    >>> rewritten("How are you?  Fine.", {"Fine.": "Well."})
    'How are you?  Well.'
    """
    found, end = "", 0
    for sentence in sentences(text):
        start = text.index(sentence, end)
        found += text[end:start] + paraphrases.get(sentence, sentence)
        end = start + len(sentence)
    return found + text[end:]


def paraphrased(
    task: TextTask,
    method: Given,
    store: Store | None = None,
    *,
    engine: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    progress: Progress = no_progress,
) -> Version:
    """The texts of a task, paraphrased sentence by sentence: each distinct sentence once, its best candidate.

    In a `store` the paraphrases are kept, and an interrupted call resumes.
    """
    name = method_name(method)
    signature = paraphraser_of(method).signature
    texts = (*task.train.texts, *task.test.texts)
    distinct = list(dict.fromkeys(sentence for text in texts for sentence in sentences(text)))
    made_of = sha256_of("\x1f".join([signature, *distinct]).encode("utf-8", "surrogatepass"))[:16]
    below = f"paraphrases/{_file_name(task.name)}-{_file_name(name)}-{made_of}"
    rows = paraphrase_sources(
        distinct, method, 1, parts=None if store is None else store.kept(PART, below), engine=engine,
        workers=workers, address=address,
        progress=lambda _, done, __: progress(f"{task.name}: {name}", done, len(distinct)),
    )  # fmt: skip
    table = {row["source"]: row["candidate"] for row in rows if row["candidate"] is not None}
    return Version(
        name,
        signature,
        tuple(rewritten(text, table) for text in task.train.texts),
        tuple(rewritten(text, table) for text in task.test.texts),
        _unchanged(task, name, len(distinct) - len(table), "sentence"),
    )


def method_name(method: Given) -> str:
    """What a method is called: as it was typed. One that is unknown, or that lacks its model, is refused."""
    found = paraphraser_of(method)
    _ = found.signature
    return method if isinstance(method, str) else found.spec


def _unchanged(task: TextTask, name: str, number: int, unit: str) -> tuple[str, ...]:
    """The note on texts, or sentences of texts, that a paraphraser has nothing for."""
    left = "which stays as it is" if number == 1 else "which stay as they are"
    return (f"{task.name}: {name} has no paraphrase of {counted(number, unit)}, {left}",) if number else ()


def read_versions(task: TextTask, path: PathLike, *, test: bool = True) -> list[Version]:
    """The version of each system in a file of paraphrases, as `paragauge paraphrase` writes it.

    A row has a `source`, which is a text of the task or a sentence of one, and its `candidate`; of several candidates
    the first counts. Every training text must have a row and, where `test` asks for it, every test text; where the
    candidate is null, or empty, the paraphraser had none: the source stays as it is, and a note counts them.
    """
    name = os.fspath(path)
    tables: dict[str, dict[str, str | None]] = {}
    for row in read_rows(path):
        if "source" not in row or "candidate" not in row:
            raise InputError(f"{name} has no columns 'source' and 'candidate'; found: {', '.join(map(str, row))}")
        own = tables.setdefault(str(row.get("system") or Path(name).stem), {})
        source, candidate = str(row["source"]), row["candidate"]
        if own.get(source) is None:
            own[source] = str(candidate) if candidate is not None and str(candidate).strip() else None
    digest = file_sha256(Path(name))[:12]
    found = []
    for system, given in tables.items():
        table = {source: source if candidate is None else candidate for source, candidate in given.items()}
        parts: list[tuple[str, ...] | None] = []
        for part, kind, needed in ((task.train, "training", True), (task.test, "test", test)):
            texts, lacking = _looked_up(part, table)
            if lacking and needed:
                shown = ", ".join(lacking[:3]) + (" …" if len(lacking) > 3 else "")
                raise InputError(
                    f"{name}: {system} lacks paraphrases of {len(lacking):,} of {len(part):,} {kind} texts of "
                    f"{task.name} (rows {shown}); expected one of each text, or of each of its sentences"
                )
            parts.append(None if lacking else texts)
        without = {source for source, candidate in given.items() if candidate is None}
        whole = {*task.train.texts, *(() if parts[1] is None else task.test.texts)}
        cut = {sentence for text in whole if text not in table for sentence in sentences(text)}
        notes = [
            note
            for unit, read in (("text", whole), ("sentence", cut))
            for note in _unchanged(task, system, len(read & without), unit)
        ]
        signature = f"file|system:{system}|sha256:{digest}"
        found.append(Version(system, signature, parts[0] or (), parts[1], tuple(notes)))
    return found


def _looked_up(part: Labelled, table: Mapping[str, str]) -> tuple[tuple[str, ...], list[str]]:
    """Each text's own paraphrase, else one put together from those of its sentences; the ids of those without."""
    found: list[str] = []
    lacking: list[str] = []
    for name, text in zip(part.ids, part.texts, strict=True):
        if text in table:
            found.append(table[text])
        elif all(sentence in table for sentence in sentences(text)):
            found.append(rewritten(text, table))
        else:
            lacking.append(name)
    return tuple(found), lacking


def _file_name(name: str) -> str:
    """A name that any file system takes, and that no other name has."""
    plain = re.sub(r"[^A-Za-z0-9-]+", "-", name)[:40].strip("-")
    return plain if plain == name else f"{plain}-{sha256_of(name.encode())[:8]}"


def distinct_names(names: Iterable[str]) -> None:
    """Refuse two paraphrasers of one name, and one named as the originals are."""
    seen: set[str] = set()
    for name in names:
        if name == ORIGINAL:
            raise InputError(
                f"a paraphraser is named '{name}', which is what the texts themselves are called; rename it"
            )
        if name in seen:
            raise InputError(f"two paraphrasers are named '{name}'; expected different names")
        seen.add(name)
