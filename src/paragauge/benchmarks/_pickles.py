"""The pickles of Shen et al. 2022, opened without running anything in them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from ..ratings import Ratings
from ..samples import Samples


class _Plain(pickle.Unpickler):
    """Builds dicts, lists, tuples, texts and numbers; a pickle that names a class or a function is refused."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"it asks for {module}.{name}")


def read_plain(path: Path) -> Any:
    """The plain values in a pickle; nothing named in it is ever imported."""
    try:
        with path.open("rb") as stream:
            return _Plain(stream).load()
    except (pickle.UnpicklingError, EOFError, ValueError, IndexError, KeyError, AttributeError) as error:
        raise InputError(f"{path} is not a pickle of plain values: {error}") from error


def read_pickles(folder: Path, name: str, votes: int | None = None) -> Ratings:
    """Sources with one reference and several judged candidates each, in the published order."""
    references = read_plain(folder / "source-reference.pickle")
    rows = [
        (source, candidate, (references[source][0],), float(score), f"{number}-{place}")
        for number, (source, group) in enumerate(read_plain(folder / "source-candidate.pickle").items(), 1)
        for place, (candidate, score) in enumerate(group, 1)
    ]
    sources, candidates, groups, scores, ids = zip(*rows, strict=True)
    samples = Samples.of(sources, candidates, groups, ids=ids)
    return Ratings(samples, np.array(scores), name, votes=votes, dev=len(scores) // 10)
