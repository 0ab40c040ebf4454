"""The pickles of Shen et al. 2022."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..files.pickles import read_plain
from ..tables.ratings import Ratings
from ..tables.samples import Samples


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
