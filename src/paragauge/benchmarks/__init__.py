"""Human-rated data sets by name, those read alike in one file: where the user keeps them, never carried along."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import Hint, InputError, nearest
from ..files.folders import cache_folder
from ..files.layout import Layout
from ..files.ratings import read_ratings
from ..files.write import PathLike, atomic_write, check_path
from ..registry import Registry
from ..tables.ratings import Ratings

VARIABLE = "PARAGAUGE_DATA"


@dataclass(frozen=True)
class Benchmark:
    """Where a data set comes from, what its files are, and how they are read."""

    name: str
    title: str
    about: str
    languages: str
    licence: str
    citation: str
    homepage: str
    files: Mapping[str, str]  # path below the data folder: sha256
    read: Callable[[Path], Ratings]  # from the data folder

    def load(self, folder: Path | None = None) -> Ratings:
        """The rows and their human scores; refuses files that are not as they were published."""
        place = self.place(folder)
        for file in self.changed(place):
            raise InputError(
                f"{place / file} is not the file that was published, whose sha256 is {self.files[file]}; to judge by "
                "changed data, give `paragauge meta` a table of your own"
            )
        return self.read(place)

    def changed(self, place: Path) -> list[str]:
        """Those files in a data folder that are not as they were published."""
        return [file for file, digest in self.files.items() if sha256(place / file) != digest]

    def place(self, folder: Path | None = None) -> Path:
        """The first data folder that has all files."""
        looked = folders(folder)
        for place in looked:
            if all((place / file).is_file() for file in self.files):
                return place
        missing = list(self.files)[:3] + ["…"] * (len(self.files) > 3)
        raise InputError(
            f"{self.name} was not found: {', '.join(missing)} looked for in {', '.join(map(str, looked))}; "
            f"download it from {self.homepage} and run `paragauge data import {self.name} FOLDER`",
            Hint("or name its folder with {folder} or {0}", VARIABLE, folder=None),
        )

    def here(self, folder: Path | None = None) -> Path | None:
        """The data folder that has all files, if there is one."""
        with suppress(InputError):
            return self.place(folder)
        return None

    def import_from(self, origin: Path, folder: Path | None = None, *, overwrite: bool = False) -> Path:
        """Copy the publisher's files, found by their content wherever they lie in `origin`, to the data folder.

        A file that is there already is left as it is; another one of its name is replaced only with `overwrite`.
        """
        target = folder or home()
        found = {sha256(file): file for file in _below(origin)}
        for name, digest in self.files.items():
            if digest not in found:
                same = [file for file in found.values() if file.name == Path(name).name]
                hint = f"; {same[0]} has that name and the sha256 {sha256(same[0])}" if same else ""
                raise InputError(f"{origin} holds no file with the content of {name} (sha256 {digest[:12]}…){hint}")
        absent = {name: found[digest] for name, digest in self.files.items() if not _holds(target / name, digest)}
        for name in absent:
            try:
                (target / name).parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(
                    f"cannot put {name} into {target}: {error.strerror or error}",
                    Hint("name another with {folder}", folder=None),
                ) from error
            check_path(target / name, inputs=absent.values(), overwrite=overwrite)
        for name, file in absent.items():
            atomic_write(target / name, file.read_bytes())
        return target


FAMILIES = {  # files that hold several
    "published": (
        "bq-para", "bq-para-extended", "cr", "imdb", "mr", "ppdb", "sst2", "stsb", "twitter-para",
        "twitter-para-extended", "wikipedia-phrases", "wmt19",
    ),
}  # fmt: skip
BENCHMARKS = Registry[Benchmark](Benchmark, "data set", __name__, group="paragauge.benchmarks", families=FAMILIES)
names, benchmark = BENCHMARKS.names, BENCHMARKS.load


def open_ratings(
    table: PathLike,
    human: str | None = None,
    scores: Sequence[str] = (),
    folder: Path | None = None,
    layout: Layout = Layout(),
) -> Ratings:
    """The data set of that name, or a table in a file: `human`, `scores` and `layout` are those of `read_ratings`."""
    if table in BENCHMARKS:
        for name, given in {"human": human, "scores": scores, **layout._asdict()}.items():
            if given and name in ("human", "scores", "columns", "header", "delimiter"):
                hint = Hint(f"{{{name}}} is for a file", **{name: None})
                raise InputError(f"{table} is a data set, whose columns are known", hint)
        return benchmark(str(table)).load(folder)
    if table != "-" and not Path(table).is_file():
        raise InputError(f"{table} is neither a file nor a data set{nearest(str(table), names())}")
    return read_ratings(table, human or "human", scores, **layout._asdict())


def files_of(table: PathLike, folder: Path | None = None) -> list[PathLike]:
    """What no output may replace: the file, or those of the data set."""
    if table not in BENCHMARKS:
        return [table]
    known = benchmark(str(table))
    return [known.place(folder) / file for file in known.files]


def verify(name: str | None = None, folder: Path | None = None) -> Iterator[tuple[str, list[str] | None]]:
    """One data set, or all: its name and those of its files that are not as published; None of one that is not here."""
    for found in [benchmark(name)] if name else BENCHMARKS.every():
        place = found.place(folder) if name else found.here(folder)
        yield found.name, None if place is None else found.changed(place)


def folders(folder: Path | None = None) -> list[Path]:
    """Where data sets are looked for, in this order: the folder named, else the variable's, then the cache."""
    if folder is not None:
        return [folder]
    chosen = os.environ.get(VARIABLE)
    return [*([Path(chosen)] if chosen else []), cache_folder() / "data"]


def home() -> Path:
    """Where an imported data set is put by default."""
    return folders()[0]


def sha256(file: Path) -> str:
    """Of a file's content."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def data_files(folder: Path | None = None) -> list[Path]:
    """The files of every data set that is here."""
    here = [(known, known.here(folder)) for known in BENCHMARKS.every()]
    return [place / file for known, place in here if place is not None for file in known.files]


def _holds(file: Path, digest: str) -> bool:
    return file.is_file() and sha256(file) == digest


def _below(origin: Path) -> list[Path]:
    if origin.is_file():
        return [origin]
    if not origin.is_dir():
        raise InputError(f"there is no file or folder {origin}")
    return [file for file in sorted(origin.rglob("*")) if file.is_file()]
