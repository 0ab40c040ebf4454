"""Data sets of labelled texts, for `paragauge extrinsic`: known by their files, without human scores of paraphrases."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..errors import InputError
from ..tables.ratings import Ratings
from . import Benchmark


def labelled(
    name: str, title: str, about: str, licence: str, citation: str, homepage: str, files: Mapping[str, str]
) -> Benchmark:
    """A data set of English texts with a label each."""

    def read(folder: Path) -> Ratings:
        raise InputError(
            f"{name} (in {folder}) has a label for each text, and no human score of a paraphrase; use `paragauge "
            f"extrinsic {name}`"
        )

    return Benchmark(name, title, f"{about}; for `paragauge extrinsic`", "en", licence, citation, homepage, files, read)
