"""Aligned text: files of which line n belongs to line n."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..tables.samples import Samples
from .content import Content
from .input import CHARACTERS, Input
from .write import PathLike

_Line = tuple[str, str, tuple[str, ...], str, int]  # source, candidate, references, system, number


def open_aligned(
    source: PathLike | None,
    candidates: Sequence[PathLike],
    references: Sequence[PathLike] = (),
    encoding: str = "utf-8",
) -> Input:
    """Text files of which line n belongs to line n; each candidate file is a system, named by the file's stem.

    Where nothing reads the sources, `source` may be None.
    """
    if not candidates:
        raise InputError("no candidate file; aligned text needs a source file and at least one candidate file")
    for name, paths in (("candidates", candidates), ("references", references)):
        if isinstance(paths, (str, os.PathLike)):
            raise InputError(f"{name} is one path; expected a list of paths, such as [{os.fspath(paths)!r}]")
    return _Aligned(
        None if source is None else Content(source, encoding),
        {name: Content(path, encoding) for name, path in _systems(candidates).items()},
        [Content(path, encoding) for path in references],
    )


class _Aligned(Input):
    def __init__(self, source: Content | None, candidates: dict[str, Content], references: list[Content]) -> None:
        self._systems = list(candidates)
        self.several_systems = len(self._systems) > 1
        self._sources = source is not None
        self._files = [*([source] if source is not None else ()), *candidates.values(), *references]
        self.name = self._files[0].name
        self.files = tuple(file.given for file in self._files)
        self._done = 0
        lines = [sum(1 for _ in file.lines()) for file in self._files]
        for file, count in zip(self._files, lines, strict=True):
            if not count:
                raise InputError(f"{file.name} is empty")
            if count != lines[0]:
                raise _unequal(self._files[0], lines[0], file, count)
        self.length = lines[0] * len(candidates)

    def progress(self) -> tuple[int, int]:
        return self._done, self.length or 0

    def _identity(self) -> list[Any]:
        digests = [file.digest() for file in self._files]
        return ["aligned", self._files[0].encoding, self._sources, self._systems, digests]

    def _rows(self) -> Iterator[_Line]:
        """All systems of a line follow each other, so that what is computed for its source is still at hand."""
        files = [map(_line_text, file.lines()) for file in self._files]
        first = int(self._sources)
        last = first + len(self._systems)
        for number, texts in enumerate(zip(*files, strict=True), 1):
            for system, candidate in zip(self._systems, texts[first:last], strict=True):
                yield texts[0] if self._sources else "", candidate, texts[last:], system, number

    def _read(self, rows: int) -> Iterator[Samples]:
        self._done = 0
        lines = self._rows()
        while batch := list(self._some(lines, rows)):
            self._done += len(batch)
            sources, candidates, references, systems, ids = zip(*batch, strict=True)
            yield Samples.of(sources, candidates, references, systems, ids)

    def _some(self, lines: Iterator[_Line], rows: int) -> Iterator[_Line]:
        begin = sum(file.taken for file in self._files)
        for line in islice(lines, rows):
            yield line
            if sum(file.taken for file in self._files) - begin > CHARACTERS:
                return


def _systems(paths: Iterable[PathLike]) -> dict[str, PathLike]:
    """Each file by its stem or, where two stems are equal, by its path as given."""
    stems = {os.fspath(path): Path(os.fspath(path).removesuffix(".gz")).stem for path in paths}
    if len(stems) < len(given := [os.fspath(path) for path in paths]):
        twice = next(path for path, times in Counter(given).items() if times > 1)
        raise InputError(f"the candidate file {twice} is given twice; each system needs a file of its own")
    times = Counter(stems.values())
    return {stem if times[stem] == 1 else path: path for path, stem in stems.items()}


def _line_text(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


def _unequal(source: Content, expected: int, file: Content, count: int) -> InputError:
    shorter, longer = (file, source) if count < expected else (source, file)
    ends = min(count, expected)
    last, beyond = (
        _line_text(next(islice(content.lines(), line - 1, None)))
        for content, line in ((shorter, ends), (longer, ends + 1))
    )
    return InputError(
        f"{source.name} has {expected:,} lines but {file.name} has {count:,}; {shorter.name} ends after line {ends:,} "
        f"({last!r:.60}), and {longer.name} continues with {beyond!r:.60}"
    )
