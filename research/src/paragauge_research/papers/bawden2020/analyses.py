"""Two analyses of Bawden et al. 2020 from their published scores: gain by number of paraphrases, and by diversity."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from paragauge.references.gains import spread
from paragauge.stats.correlation import Correlation, pearson, spearman

from .evidence import Evidence, Method
from .published import METHODS, read_diversity

NUMBERS = (1, 2, 5, 10, 20)


class Point(NamedTuple):
    """A kind and number of paraphrases: how diverse they are, and their gain in percent over all language pairs."""

    method: str
    extras: int
    words: float | None  # DS-BOW as published; None where there is none, as of a single paraphrase
    trees: float | None
    gain: float
    low: float
    high: float
    systems: int  # of all pairs, with a human score and with scores of this metric


class Relation(NamedTuple):
    """How diversity and gain go together over the points that have both."""

    diversity: str
    pearson: Correlation
    spearman: Correlation


def points(folder: Path, metric: str = "bleu") -> list[Point]:
    """Every method with 1, 2, 5, 10 and 20 paraphrases; the gain is relative to the reference alone.

    Two of Meteor's files lack systems (beam, 1 and 20): there both are over the systems that are left.
    """
    evidence = Evidence(folder)
    found = []
    for name in METHODS:
        for extras in NUMBERS:
            every = [evidence.system(metric, Method(name, extras), "syslevel", pair) for pair in evidence.pairs]
            gains = spread([100 * (one.value / one.baseline - 1) for one in every])
            judged = sum(one.judged for one in every)
            words, trees = (_diversity(folder, name, kind, extras) for kind in ("bow", "syntax"))
            found.append(Point(name, extras, words, trees, gains.mean, gains.low, gains.high, judged))
    return found


def relations(found: list[Point], extras: int | None = None) -> list[Relation]:
    """Diversity against gain, over all points or those of one number of paraphrases."""
    result = []
    for kind in ("words", "trees"):
        both = [
            (getattr(point, kind), point.gain)
            for point in found
            if getattr(point, kind) is not None and extras in (None, point.extras)
        ]
        diversity, gains = [pair[0] for pair in both], [pair[1] for pair in both]
        result.append(Relation(kind, pearson(diversity, gains), spearman(diversity, gains)))
    return result


def _diversity(folder: Path, method: str, kind: str, extras: int) -> float | None:
    path = folder / "published" / "diversity-results" / f"{method}.{kind}.{extras}.wmt19"
    return read_diversity(path)["average"] if path.is_file() else None
