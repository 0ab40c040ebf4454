"""Phrase pairs that people judged for PPDB 2.0."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import InputError
from ..tables.ratings import Ratings
from ..tables.samples import Samples
from . import Benchmark


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


_PPDB = "ppdb-human/ppdb-sample.tsv"
PPDB = Benchmark(
    name="ppdb",
    title="PPDB phrase pairs",
    about="26,456 phrase pairs of PPDB, each judged from 1 to 5 by two to five raters, most by five",
    languages="en",
    licence="not stated; research",
    citation="Pavlick et al. 2015, PPDB 2.0: Better paraphrase ranking, fine-grained entailment relations …, ACL",
    homepage="paraphrase.org",
    files={_PPDB: "d7c6bcac64099352b32d18eb710bec8533e9b6663507aff1781e90df0082515d"},
    read=lambda folder: read_phrases(folder / _PPDB, "ppdb"),
)

_WIKIPEDIA = "ppdb-human/wiki-sample.tsv"
WIKIPEDIA_PHRASES = Benchmark(
    name="wikipedia-phrases",
    title="Wikipedia phrase pairs",
    about="13,954 candidate paraphrases of 100 phrases from Wikipedia, judged from 1 to 5 by three to five raters",
    languages="en",
    licence="not stated; research",
    citation="Pavlick et al. 2015, PPDB 2.0: Better paraphrase ranking, fine-grained entailment relations …, ACL",
    homepage="paraphrase.org",
    files={_WIKIPEDIA: "2f6ed9c40de0505c490e956082d4fd2c0fa2ec3fea3a25295dbd5bec64f0c4cf"},
    read=lambda folder: read_phrases(folder / _WIKIPEDIA, "wikipedia-phrases"),
)
