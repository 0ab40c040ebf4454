"""A task: what several systems made of the segments of one test set, and the references they are compared with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import EncodingError, Hint, InputError
from ..files.content import Content
from ..tables.display import counted, table_html

_WMT_NAME = re.compile(r"(?P<set>[^.]+)\.(?P<system>.+)\.(?P<pair>[a-z]{2,3}-[a-z]{2,3})$")
SUFFIX = ".jsonl"  # of paraphrases
_EXPECTED = "expected what `paragauge paraphrase` writes for the lines of the reference"
_ENDINGS = (".txt", ".en", ".out", ".hyp")


@dataclass(frozen=True, repr=False)
class EvaluationSet:
    """Outputs by system, one text per segment; and reference texts: the first column is the reference, then extras.

    An empty line in any column of references is not a reference.
    """

    name: str
    outputs: Mapping[str, Sequence[str]]
    references: Sequence[Sequence[str]]
    sources: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if not self.outputs:
            raise InputError(f"{self.name}: no system output; expected at least one")
        if not self.references:
            raise InputError(f"{self.name}: no reference; expected at least one column of references")
        segments = len(self.references[0])
        columns = {f"extra reference {place}": column for place, column in enumerate(self.references) if place}
        columns |= {f"the output of {system}": texts for system, texts in self.outputs.items()}
        columns |= {"the source": self.sources} if self.sources is not None else {}
        for what, column in columns.items():
            if len(column) != segments:
                raise InputError(
                    f"{self.name}: the reference has {segments:,} lines but {what} has {len(column):,}; "
                    "line n of each belongs to line n of all"
                )
        if not segments:
            raise InputError(f"{self.name}: the reference has no lines")

    def __repr__(self) -> str:
        parts = counted(len(self.outputs), "system"), counted(self.segments, "segment")
        return f"EvaluationSet({self.name!r:.60}, {', '.join(parts)}, {counted(len(self.references), 'reference')})"

    def _repr_html_(self) -> str:
        return table_html(repr(self), {"reference": self.references[0], **self.outputs})

    @property
    def systems(self) -> list[str]:
        return list(self.outputs)

    @property
    def segments(self) -> int:
        return len(self.references[0])

    @property
    def extras(self) -> int:
        """How many references there are besides the first."""
        return len(self.references) - 1

    def warnings(self) -> list[str]:
        """What the reader of a score should know."""
        bare = sum(not text.strip() for text in self.references[0])
        if not bare:
            return []
        counted = "only with the extra references that they have" if self.extras else "nowhere"
        return [f"{self.name}: {bare:,} of {self.segments:,} segments have no reference, and count {counted}"]

    def with_extras(self, extras: Sequence[Sequence[str]]) -> EvaluationSet:
        """The same outputs and reference, with these additional references."""
        return EvaluationSet(self.name, self.outputs, [self.references[0], *extras], self.sources)

    def of(self, systems: Sequence[str]) -> EvaluationSet:
        """The same with these systems only."""
        return EvaluationSet(self.name, {name: self.outputs[name] for name in systems}, self.references, self.sources)


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a text file with their ends; here every file is utf-8, and the error names no other encoding."""
    try:
        yield from Content(path).lines()
    except EncodingError as error:
        raise InputError(error.message, "convert the file to utf-8 first") from None


def read_lines(path: Path, first: int | None = None) -> list[str]:
    """The lines of a text file, or its first N lines; a shorter file is an error."""
    lines = [line.removesuffix("\n").removesuffix("\r") for line in text_lines(path)]
    if first is not None and len(lines) < first:
        raise InputError(f"{path} has {len(lines):,} lines; expected at least {first:,}")
    return lines[:first]


def system_name(path: Path) -> str:
    """`online-A.0` of `newstest2019.online-A.0.de-en`; of any other name what stands before `.en`, `.txt` …

    >>> system_name(Path("newstest2019.MSRA.MADL.6910.de-en")), system_name(Path("mine.v2.en"))
    ('MSRA.MADL.6910', 'mine.v2')
    """
    name = path.name.removesuffix(".gz")
    if found := _WMT_NAME.match(name):
        return found["system"]
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return name or path.name


def read_outputs(folder: Path, first: int | None = None) -> dict[str, list[str]]:
    """Every file of a folder as the output of a system, in the order of their names."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; expected one with a file for each system")
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    if not files:
        raise InputError(f"{folder} has no files; expected one for each system")
    found: dict[str, list[str]] = {}
    for path in files:
        name = system_name(path)
        if name in found:
            raise InputError(f"{folder} has two files for the system '{name}'; {path.name} is the second")
        found[name] = read_lines(path, first)
    return found


def read_task(
    outputs: Path,
    reference: Path,
    extras: Sequence[Path] = (),
    first: int | None = None,
    name: str | None = None,
    source: Path | None = None,
) -> EvaluationSet:
    """A folder of outputs, a reference, and any number of files of additional references.

    A file of lines is one more reference; what `paragauge paraphrase` wrote for the reference (.jsonl) is one per rank.
    """
    columns = {path: read_lines(path, first) for path in (reference, *extras) if path.suffix != SUFFIX}
    if not any(line.strip() for line in columns[reference]):
        raise InputError(f"{reference} has no text in its {len(columns[reference]):,} lines; expected references")
    for path, lines in columns.items():
        if len(lines) != len(columns[reference]):
            shorter = min(len(lines), len(columns[reference]))
            raise InputError(
                f"{reference} has {len(columns[reference]):,} lines but {path} has {len(lines):,}",
                Hint("{first} compares the first {0:,} lines of all", shorter, first=shorter),
            )
    further: list[list[str]] = []
    for path in extras:
        further += read_generated(path, columns[reference]) if path.suffix == SUFFIX else [columns[path]]
    return EvaluationSet(
        name or outputs.name,
        read_outputs(outputs, first),
        [columns[reference], *further],
        None if source is None else read_lines(source, first),
    )


def read_generated(path: Path, reference: Sequence[str]) -> list[list[str]]:
    """A column for each rank, in its order; empty where a line has fewer candidates.

    Rows beyond the last line of the reference are not read; each line has at least one row, and is its source.
    """
    found: list[dict[int, str]] = [{} for _ in reference]
    known: set[int] = set()
    try:
        with path.open(encoding="utf-8") as stream:
            for number, text in enumerate(stream, 1):
                line, rank, source, candidate = _row(path, number, text)
                if line > len(reference):
                    continue
                if source.split() != reference[line - 1].split():
                    raise InputError(
                        f"{path}, line {number}: the source of id {line}.{rank} is {source!r:.60}, and line {line} of "
                        f"the reference is {reference[line - 1]!r:.60}; {_EXPECTED}"
                    )
                known.add(line)
                if candidate is not None:
                    found[line - 1][rank] = candidate
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if lacking := set(range(1, len(reference) + 1)) - known:
        raise InputError(f"{path} has no row for line {min(lacking)} of the reference; {_EXPECTED}")
    ranks = sorted({rank for own in found for rank in own})
    return [[" ".join(own.get(rank, "").split()) for own in found] for rank in ranks]


def _row(path: Path, number: int, text: str) -> tuple[int, int, str, str | None]:
    """The line of the reference and the rank, both from 1, with the source and the candidate."""
    try:
        row = json.loads(text)
        line, rank = (int(part) for part in row["id"].split("."))
        source, candidate = row["source"], row["candidate"]
        if line > 0 and isinstance(source, str) and isinstance(candidate, str | None):
            return line, rank, source, candidate
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise InputError(
        f"{path}, line {number}: {text.strip()!r:.60} has no id such as 7.1, source and candidate; {_EXPECTED}"
    )
