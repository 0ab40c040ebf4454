"""Word vectors: of a registered name or a file, converted once to a matrix that is mapped into memory."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, nearest
from ...files.folders import cache_folder
from ..hub.registry import ENTRIES
from ..hub.verify import file_sha256, filled_once
from .neighbours import nearest_rows

if TYPE_CHECKING:
    from .vector_files import Block

DEFAULT = "glove-6b-50d"
VERSION = 1  # of the converted form; part of the name under which it is kept

_BLOCK = 1 << 16  # rows of the matrix that are compared at once
_SHOWN = 8  # files of a folder that an error lists
_FILES = ("matrix.npy", "words.txt")


class Vectors:
    """A vector for each word. A word is looked up as it is written, and if there is none, in lower case."""

    def __init__(self, name: str, sha256: str, words: Sequence[str], matrix: NDArray[np.float32]) -> None:
        self.name = name
        self.sha256 = sha256  # of the file they were read from
        self.words = words
        self.matrix = matrix  # [words, dimension], mapped into memory: read where it is used
        self.vocabulary = {word: row for row, word in enumerate(words)}

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return self.row(word) >= 0

    @property
    def dimension(self) -> int:
        return int(self.matrix.shape[1])

    def row(self, word: str) -> int:
        """The row of a word, or −1."""
        found = self.vocabulary.get(word)
        return self.vocabulary.get(word.lower(), -1) if found is None else found

    def of(self, words: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """The row of every word, and whether there is one; the row is −1 where there is none."""
        rows = np.fromiter(map(self.row, words), dtype=np.intp, count=len(words))
        return rows, rows >= 0

    @functools.cached_property
    def lengths(self) -> NDArray[np.float32]:
        """The Euclidean length of every vector."""
        blocks = (self.matrix[start : start + _BLOCK] for start in range(0, len(self), _BLOCK))
        return np.concatenate([np.sqrt(np.einsum("nd,nd->n", block, block)) for block in blocks])

    def nearest(self, queries: Sequence[str] | NDArray[np.floating], k: int = 10) -> list[list[tuple[str, float]]]:
        """The k words of the highest cosine to each query, best first; a word is not among its own neighbours.

        A query that is an unknown word is an InputError; a zero vector has no neighbours.
        """
        if k < 1:
            raise InputError(f"k={k}; expected at least one neighbour")
        own: NDArray[np.intp] | None = None
        if isinstance(queries, np.ndarray):
            if queries.ndim != 2 or queries.shape[1] != self.dimension:
                raise InputError(f"queries of the shape {queries.shape}; expected [n, {self.dimension}]")
            wanted: NDArray[np.float32] = queries.astype(np.float32)
        else:
            own, known = self.of(queries)
            if not known.all():
                raise InputError(f"{self.name} has no vector for {queries[int(np.argmin(known))]!r}")
            wanted = self.matrix[own]
        cosines, rows = nearest_rows(self.matrix, self.lengths, wanted, k, own)
        return [
            [(self.words[row], cosine) for cosine, row in zip(*found, strict=True) if np.isfinite(cosine)]
            if query.any()
            else []
            for query, found in zip(wanted, zip(cosines.tolist(), rows.tolist(), strict=True), strict=True)
        ]


def load_vectors(name: str = "default") -> Vectors:
    """The vectors of a registered name, of a file, or of a folder that holds one such file, once per process."""
    name = DEFAULT if name == "default" else name
    if name not in ENTRIES:
        file = Path(name).expanduser()
        if file.is_dir():
            file = _file_in(file)
        if not file.is_file():
            known = [entry.name for entry in ENTRIES.values() if entry.kind == "vectors"]
            raise InputError(
                f"no word vectors named '{name}'{nearest(name, known)}; a file of vectors is accepted too, "
                "or a folder with one in it"
            )
        name = str(file.resolve())
        stamp = file.stat()
        return _load(name, (stamp.st_mtime_ns, stamp.st_size))
    return _load(name, (0, 0))


def _file_in(folder: Path) -> Path:
    """The one file of vectors in a folder; a read-me or a licence may lie next to it."""
    from .vector_files import holds_vectors

    try:
        files = sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror or error}") from None
    fitting = files if len(files) == 1 else [file for file in files if holds_vectors(file)]
    if len(fitting) == 1:
        return fitting[0]
    listed = ", ".join(file.name for file in (fitting or files)[:_SHOWN]) or "no file"
    listed += f" and {len(fitting or files) - _SHOWN} more" if len(fitting or files) > _SHOWN else ""
    several = f"{len(fitting)} files of word vectors" if fitting else "no file of word vectors"
    raise InputError(f"the folder {folder} holds {several}; expected one; found: {listed}")


@functools.lru_cache(maxsize=8)
def _load(name: str, stamp: tuple[int, int]) -> Vectors:  # noqa: ARG001 - a file that changed is read again
    from .vector_files import read_blocks, read_table, read_wink

    if name in ENTRIES:
        from ..hub.fetch import ensure

        entry = ENTRIES[name]
        if entry.kind != "vectors":
            raise InputError(f"{name} is not a set of word vectors; its kind is: {entry.kind}")
        folder = ensure(entry)
        sha256 = hashlib.sha256("".join(entry.files[file] for file in sorted(entry.files)).encode()).hexdigest()
        read = functools.partial(read_wink, folder / next(iter(entry.files))) if entry.source.npm else None
        return _mapped(name, sha256, _converted(sha256, read or functools.partial(read_table, folder)))
    path = Path(name)
    sha256 = file_sha256(path)
    return _mapped(path.name, sha256, _converted(sha256, lambda: read_blocks(path)))


def _mapped(name: str, sha256: str, folder: Path) -> Vectors:
    words = (folder / "words.txt").read_bytes().decode().split("\n")[:-1]
    return Vectors(name, sha256, words, np.load(folder / "matrix.npy", mmap_mode="r", allow_pickle=False))


def _converted(sha256: str, blocks: Callable[[], Iterator[Block]]) -> Path:
    """The folder of the converted form, made unless it is there and undamaged."""
    folder = cache_folder() / "vectors" / f"{sha256[:32]}-v{VERSION}"
    return filled_once(folder, lambda made: _write(made, blocks()), _FILES, "word vectors")


def _write(folder: Path, blocks: Iterable[Block]) -> None:
    """Of a word that comes twice the first vector is kept."""
    seen: set[str] = set()
    dimension = rows = 0
    with (folder / "matrix.npy").open("wb") as matrix, (folder / "words.txt").open("wb") as words:
        for block in blocks:
            if not rows:
                dimension = block.vectors.shape[1]
                _head(matrix, 0, dimension)
            fresh = []
            for place, word in enumerate(block.words):
                if word not in seen:
                    seen.add(word)
                    fresh.append(place)
            matrix.write(np.ascontiguousarray(block.vectors[fresh], "<f4").tobytes())
            words.write("".join(f"{block.words[place]}\n" for place in fresh).encode())
            rows += len(fresh)
        body = matrix.tell()
        matrix.seek(0)
        _head(matrix, rows, dimension)
        assert body - matrix.tell() == 4 * rows * dimension, "the header grew over the first rows"


def _head(file: IO[bytes], rows: int, dimension: int) -> None:
    # numpy pads the header so that its length is the same for any number of rows
    header = {"descr": "<f4", "fortran_order": False, "shape": (rows, dimension)}
    np.lib.format.write_array_header_1_0(file, header)
