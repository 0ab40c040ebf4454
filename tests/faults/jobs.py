"""What keeps its parts in a store: three jobs of a few parts, and what may happen to them."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from paragauge.errors import ParagaugeError
from paragauge.evaluate.score_file import score_file
from paragauge.extrinsic.evaluation import evaluate_extrinsic
from paragauge.extrinsic.tasks import TextTask
from paragauge.files.input import Input
from paragauge.paraphraser import Candidate, Paraphraser
from paragauge.select.paraphrase import paraphrase_file
from paragauge.tables.samples import Samples

from ..unit.extrinsic.conftest import Bayes, Copy, make_table

TEXTS = ["one two three four", "five six seven", "eight nine ten eleven twelve", "a b c", "d e f", "g h"]
SYSTEMS = ["one", "two"] * 3


class Pairs(Input):
    """Six rows of two systems, in chunks of two."""

    name = "pairs"

    def _read(self, rows: int) -> Iterator[Samples]:  # noqa: ARG002
        for start in range(0, 6, 2):
            own = slice(start, start + 2)
            yield Samples.of(TEXTS[own], TEXTS[::-1][own], systems=SYSTEMS[own], ids=[start, start + 1])

    def progress(self) -> tuple[int, int]:
        return 0, 1

    def _identity(self) -> list[Any]:
        return ["pairs"]


@dataclass(frozen=True, kw_only=True)
class Turned(Paraphraser):
    """The words of the source, turned by one place; two sources at a time."""

    name: ClassVar[str] = "turned"
    title: ClassVar[str] = "Turned"
    citation: ClassVar[str] = "none"
    batch: ClassVar[int] = 2

    def propose(self, sources, n):  # noqa: ARG002
        for source in sources:
            first, *rest = source.split()
            yield [Candidate(" ".join([*rest, first]), 0.0)]


def score(folder: Path) -> None:
    score_file(Pairs(), metrics=["ned.free", "bleu.free"], run=folder / "run", workers=1)


def paraphrase(folder: Path) -> None:
    (folder / "texts.txt").write_text("\n".join(TEXTS) + "\n")
    paraphrase_file(folder / "texts.txt", Turned(), 1, output=folder / "out.jsonl", overwrite=True)


def extrinsic(folder: Path) -> None:
    task = TextTask("reviews", make_table(20, 0), make_table(20, 1000))
    settings = {"modes": ["replace"], "metrics": ["ned.free"], "run": folder / "run"}
    evaluate_extrinsic(task, [Copy(), Turned()], models=[Bayes()], **settings)


JOBS = {"score": score, "paraphrase": paraphrase, "extrinsic": extrinsic}
KEPT = {
    "score": ("run/samples.parquet", "run/scores.parquet", "run/run.json"),
    "paraphrase": ("out.jsonl",),
    "extrinsic": ("run/result.json",),
}
FULL, IN_USE, OTHER = 2, 3, 4  # exit codes: the disk, another process, what else went wrong


def disturbed(name: str, folder: Path, fault: str, at: int) -> None:
    """Do a job; something happens when it is about to give the at-th finished file its name."""
    named, real = 0, os.replace

    def replace(*given: Any, **options: Any) -> None:
        nonlocal named
        named += 1
        if named == at and fault == "disk full":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if named == at:
            os.kill(os.getpid(), signal.SIGKILL if fault == "killed" else signal.SIGSTOP)
        real(*given, **options)

    os.replace = replace
    try:
        JOBS[name](folder)
    except ParagaugeError as error:
        codes = {"No space left on device": FULL, "another process is using": IN_USE}
        os._exit(next((code for words, code in codes.items() if words in str(error)), OTHER))
    os._exit(0)
