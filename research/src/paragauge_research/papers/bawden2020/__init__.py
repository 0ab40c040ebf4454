"""Bawden et al. 2020: A Study in Improving BLEU Reference Coverage with Diverse Automatic Paraphrasing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from paragauge.benchmarks import folders
from paragauge.errors import InputError

from .. import Paper, Request
from ..cells import Cell
from . import tables, text
from .evidence import Evidence

TABLES = text.TABLES | tables.TABLES


def compute(request: Request) -> Iterator[Cell]:
    """Every wanted table: those of the paper alone, and those of the authors' LaTeX files."""
    folder = _folder(request.data)
    evidence = Evidence(folder)
    latex = folder / "published" / "latex-correlation-results"
    for done, (table, make) in enumerate(TABLES.items()):
        if request.progress is not None:
            request.progress("computing tables", done, len(TABLES))
        if request.wanted(table):
            yield from make(latex, evidence)


def _folder(data: Path | None) -> Path:
    looked = folders(data)
    for place in looked:
        if (place / "wmt19" / "published" / "latex-correlation-results").is_dir():
            return place / "wmt19"
    raise InputError(
        "wmt19 was not found: bawden2020 needs wmt19/published/latex-correlation-results, looked for in "
        f"{', '.join(map(str, looked))}"
    )


PAPER = Paper(
    name="bawden2020",
    title="A Study in Improving BLEU Reference Coverage with Diverse Automatic Paraphrasing",
    citation="Bawden, Zhang, Yankovskaya, Tättar and Post 2020, Findings of EMNLP",
    tables=tuple(TABLES),
    needs=("wmt19",),
    compute=compute,
)
