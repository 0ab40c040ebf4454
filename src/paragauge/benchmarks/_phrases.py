"""The human-judged phrase pairs of PPDB 2.0."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import InputError
from ..tables.ratings import Ratings
from ..tables.samples import Samples


def read_phrases(file: Path, name: str) -> Ratings:
    """Lines of mean, category, phrase, paraphrase and all judgments, between tabs."""
    samples: list[tuple[str, str, float, tuple[float, ...]]] = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        cells = line.split("\t")
        if len(cells) != 5:
            raise InputError(f"{file}: line {number}: {len(cells)} cells; expected 5")
        mean, _, phrase, paraphrase, judgments = cells
        samples.append((phrase, paraphrase, float(mean), tuple(map(float, judgments.split(",")))))
    phrases, paraphrases, means, votes = zip(*samples, strict=True)
    return Ratings(Samples.of(phrases, paraphrases), np.array(means), name, judgments=list(votes))
