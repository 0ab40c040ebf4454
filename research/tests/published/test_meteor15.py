"""METEOR 1.5 against the scores that Bawden et al. 2020 published: newstest2019 de-en, the first 500 segments.

Their options follow from the numbers: `-l en` without `-norm` gives them to the last digit, with it none. The numbers
were printed by the program in full; the last steps of the arithmetic are ours, so 1e-12 allows for their rounding.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge.compute.workspace import Workspace
from paragauge.metrics import parse
from paragauge.tables.samples import Samples

pytestmark = pytest.mark.thorough  # the program reads its tables for 20 s; tests/unit/metrics asks it once
WITHIN = 1e-12
SEGMENTS = 500


def lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").split("\n")[:SEGMENTS]


def published(file: Path) -> dict[str, list[float]]:
    """Scores by system, in the order of the segments."""
    if not file.is_file():
        pytest.skip(f"needs the published scores: there is no {file}")
    found: dict[str, list[float]] = {}
    for line in file.read_text().splitlines():
        _, _, _, system, _, score = line.split("\t")
        found.setdefault(system, []).append(float(score))
    return found


class Published:
    def __init__(self, wmt19: Path) -> None:
        self.scores = wmt19 / "published" / "metric-scores"
        self.outputs = wmt19 / "system-outputs" / "de-en"
        self.references = lines(wmt19 / "references" / "newstest2019-deen-ref.en")
        self.paraphrases = [lines(wmt19 / "human-paraphrases" / f"deen-{number}.en.500") for number in range(1, 6)]
        self.metric = parse("meteor15:normalize=no")
        self.work = Workspace()

    def samples(self, system: str, *, paraphrases: bool) -> Samples:
        groups = zip(self.references, *self.paraphrases if paraphrases else [], strict=True)
        candidates = lines(self.outputs / f"newstest2019.{system}.de-en")
        return Samples.of(self.references, candidates, [list(group) for group in groups])

    def compare(self, system: str, segments: list[float], whole: list[float], *, paraphrases: bool) -> None:
        samples = self.samples(system, paraphrases=paraphrases)
        assert len(segments) == SEGMENTS
        np.testing.assert_allclose(self.metric.score(samples, self.work), segments, rtol=0, atol=WITHIN)
        np.testing.assert_allclose(self.metric.corpus(samples, self.work), whole[0], rtol=0, atol=WITHIN)


@pytest.fixture(scope="module")
def wmt19(data: Path, meteor_jar: Any) -> Published:  # noqa: ARG001
    if not (data / "wmt19").is_dir():
        pytest.skip(f"needs newstest2019: there is no {data / 'wmt19'}")
    return Published(data / "wmt19")


def test_every_system_and_segment(wmt19: Published) -> None:
    segments = published(wmt19.scores / "Meteor-seglevel.500.tsv")
    whole = published(wmt19.scores / "Meteor-syslevel.500.tsv")
    assert len(segments) == 16
    for system in segments:
        wmt19.compare(system, segments[system], whole[system], paraphrases=False)


def test_with_five_human_paraphrases_as_further_references(wmt19: Published) -> None:
    segments = published(wmt19.scores / "human" / "parmeteor-human-seglevel.500.tsv")
    whole = published(wmt19.scores / "human" / "parmeteor-human-syslevel.500.tsv")
    for system in sorted(segments)[::4]:
        wmt19.compare(system, segments[system], whole[system], paraphrases=True)
