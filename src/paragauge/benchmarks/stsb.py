"""STS benchmark: how alike two sentences are in meaning, whatever their wording."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..tables.ratings import Ratings
from ..tables.samples import Samples
from . import Benchmark

FILES = {
    "stsb/sts-dev.csv": "5d7e944d8b02734b07bfdb5df67db3420c64bed153fcaa1ba47ad03480cf4234",
    "stsb/sts-test.csv": "affe45928a66ee5a708531233c95b7dacbbdc57f974f002a3d32ea0180cf816a",
}


def _read(folder: Path) -> Ratings:
    """Dev first, then test: tab-separated, the score in the fifth cell and the sentences in the next two."""
    rows: list[tuple[str, str, float, str]] = []
    dev = 0
    for file in FILES:
        part = Path(file).stem.removeprefix("sts-")
        for number, line in enumerate((folder / file).read_text("utf-8").splitlines(), 1):
            cells = line.split("\t")
            if len(cells) < 7:
                raise InputError(f"{folder / file}: line {number}: {len(cells)} cells; expected at least 7")
            rows.append((cells[5], cells[6], float(cells[4]), f"{part}-{number}"))
        dev = dev or len(rows)
    first, second, scores, ids = zip(*rows, strict=True)
    return replace(Ratings(Samples.of(first, second, ids=ids), np.array(scores), "stsb"), dev=dev)


BENCHMARK = Benchmark(
    name="stsb",
    title="STS benchmark",
    about="2,879 sentence pairs (1,500 dev, 1,379 test), scored 0 to 5 for meaning only: wording must not count",
    languages="en",
    licence="CC BY-SA 4.0 (scores); each text as in its LICENSE.txt",
    citation="Cer et al. 2017, SemEval-2017 Task 1: Semantic Textual Similarity, SemEval",
    homepage="ixa2.si.ehu.eus/stswiki",
    files=FILES,
    read=_read,
)
