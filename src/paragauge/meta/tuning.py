"""Parameters chosen on one part of the ratings, and judged honestly on the other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple

import numpy as np

from ..compute.store import FeatureStore
from ..compute.workspace import Progress, Workspace
from ..errors import Hint, InputError, nearest
from ..evaluate.plan import check_needs, choose, needs_store
from ..metric import Floats, Metric
from ..metrics import parse
from ..parameters import read_parameters, written
from ..stats.agreement import resample
from ..stats.correlation import correlate
from ..stats.interval import Estimate
from ..tables.ratings import SPLITS, Ratings

LARGEST = 100_000  # points of a grid
FEW = 100  # rows, below which the interval of a correlation of 0.5 is wider than 0.3
GRIDS: dict[str, dict[str, str]] = {"parascore": {"omega": "0:1:0.02", "gamma": "0.1:0.6:0.05"}}


class SplitAgreement(NamedTuple):
    """The agreement of one setting with people, on the part it was chosen on and on the other."""

    metric: str
    dev: float
    test: Estimate  # by drawing sources


class Tuned(NamedTuple):
    """The setting that agrees best on the dev part, next to the setting it was to improve on."""

    chosen: SplitAgreement
    before: SplitAgreement
    gain: Estimate  # on the test part
    dev_rows: int
    test_rows: int
    shared: int  # sources that stand in both parts, as the published split has them
    edges: tuple[str, ...]  # parameters whose best value is the last one tried
    grid: tuple[tuple[dict[str, Any], float], ...]  # every point, and its agreement on the dev part
    statistic: str
    left_out: int  # rows without a human score or a score of the metric

    def remarks(self) -> list[str]:
        """What the reader of the gain should know."""
        tried = (
            f"{len(self.grid):,} settings tried; {self.statistic}; intervals by resampling the sources of the test part"
        )
        notes = [tried]
        if self.left_out:
            notes.append(f"{self.left_out:,} rows left out, without a human score or a score of the metric")
        if self.dev_rows < FEW:
            said = "{0} rows are few for choosing a setting: a larger {share} uses more of them"
            notes.append(Hint(said, self.dev_rows, share=None))
        if not self.chosen.dev > self.before.dev:
            notes.append("no setting that was tried agrees better with people on the dev part than the current one")
        elif not (self.gain.low or 0.0) > 0:
            notes.append("on the test part the chosen setting is not significantly better: keep the current one")
        if self.edges:
            are = "are" if len(self.edges) > 1 else "is"
            said = "the best {0} {1} at the end of what was tried: a wider {grid} may find better"
            notes.append(Hint(said, " and ".join(self.edges), are, grid=None))
        if self.shared:
            said = "{0:,} of the sources are in both parts; {split} keeps them apart"
            notes.append(Hint(said, self.shared, split="source"))
        return notes


def tune(
    ratings: Ratings,
    metric: str | Metric | None = None,
    grid: Mapping[str, str | Sequence[Any]] | None = None,
    *,
    statistic: str = "pearson",
    level: str = "pooled",
    split: str = "source",
    share: float | None = None,
    seed: int = 0,
    resamples: int = 1000,
    lang: str = "auto",
    encoder: str | None = None,
    progress: Progress | None = None,
) -> Tuned:
    """Try every point of a grid of parameters on the dev part, and measure the best of them on the test part.

    By default the metric is parascore, or parascore-free without references, and the dev part a tenth.
    The default split keeps the rows of a source together; `published` takes the first rows for dev, as papers do. Of
    equally good points the first wins, so list the values that you like best first. A setting that is undefined for
    more than half of the dev rows is not chosen: of few rows any correlation may come.
    """
    if split not in SPLITS:
        raise InputError(f"no split named '{split}'{nearest(split, SPLITS)}")
    if share is not None and split == "published" and ratings.dev is not None:
        hint = Hint("{share} is for {split}", share=None, split="source")
        raise InputError(f"the published dev part of {ratings.name} is fixed", hint)
    if metric is None:
        metric = "parascore" if any(ratings.samples.references) else "parascore-free"
    given, share = len(ratings), 0.1 if share is None else share
    ratings = ratings.judged()
    before = _ready(metric, lang, encoder, any(ratings.samples.references))
    points = _points(before, grid)
    dev, test = ratings.published_split(share) if split == "published" else ratings.split(share, seed)
    for name, part in (("dev", dev), ("test", test)):
        if len(part) < 3:
            raise InputError(f"the {name} part has {len(part)} rows; a correlation that means anything needs more")
    check_needs([before], [dev.samples])
    work = Workspace(FeatureStore.default() if needs_store(before) else None, progress=progress)
    try:
        values = []
        for number, point in enumerate(points, 1):
            values.append(_agreement(replace(before, **point), dev, statistic, level, work))
            if progress is not None:
                progress("trying parameters", number, len(points))
        if all(map(math.isnan, values)):
            raise InputError(
                f"no setting of {before.spec} has a {statistic} correlation with people on the {len(dev):,} dev rows: "
                "its scores or the ratings are constant there, or it is undefined for most of them"
            )
        best = int(np.nanargmax(values))
        chosen = replace(before, **points[best])
        dev_before = _agreement(before, dev, statistic, level, work)
        found = [_rate(one, test, work) for one in (chosen, before)]
    finally:
        work.close()
    known = ~np.isnan(found).any(axis=0)
    rest = test.rows(np.flatnonzero(known))
    drawn = resample(
        np.array(found)[:, known], rest.human, rest.sources(), statistic, level, rest.systems(), resamples, seed
    )
    return Tuned(
        chosen=SplitAgreement(chosen.spec, values[best], drawn.estimate(0)),
        before=SplitAgreement(before.spec, dev_before, drawn.estimate(1)),
        gain=drawn.difference(0, 1),
        dev_rows=len(dev),
        test_rows=len(rest),
        shared=len(set(dev.samples.sources) & set(test.samples.sources)),
        edges=_edges(before, points, best),
        grid=tuple(zip(points, values, strict=True)),
        statistic=statistic,
        left_out=given - len(dev) - len(rest),
    )


def read_grid(metric: Metric, name: str, text: str) -> list[Any]:
    """Values of a parameter as typed: `0,0.05,0.1`, or `0:1:0.1` for 0 to 1 in steps of 0.1, both ends included."""
    parts = text.split(":")
    if len(parts) != 3:
        return [read_parameters(type(metric), {name: item.strip()})[name] for item in text.split(",")]
    try:
        low, high, step = map(float, parts)
    except ValueError as error:
        raise InputError(f"{name}={text}: expected numbers from:to:step, as in 0:1:0.1") from error
    if not (step > 0 and high >= low and math.isfinite(high - low)) or (high - low) / step >= LARGEST:
        raise InputError(f"{name}={text}: expected from:to:step with to ≥ from and a step that reaches it")
    count = math.floor((high - low) / step + 1e-9) + 1  # 0:1:0.1 has its 1 although 0.1 is not exact
    digits = max(len(item.partition(".")[2]) for item in parts)
    items = [f"{low + step * place:.{digits}f}" for place in range(count)]
    return [read_parameters(type(metric), {name: item})[name] for item in items]


def _ready(metric: str | Metric, lang: str, encoder: str | None, references: bool) -> Metric:
    plain = parse(metric) if isinstance(metric, str) else metric
    return choose([plain], references, lang=lang, encoder=encoder)[0]


def _points(metric: Metric, grid: Mapping[str, str | Sequence[Any]] | None) -> list[dict[str, Any]]:
    named = dict(grid or GRIDS.get(metric.name, {}))
    if not named:
        known = ", ".join(field.name for field in fields(metric))
        raise InputError(
            f"which parameters of {metric.name} to try? Known: {known}", Hint("as in {grid}", grid=_example(metric))
        )
    values = {
        name: read_grid(metric, name, given) if isinstance(given, str) else list(given) for name, given in named.items()
    }
    size = math.prod(map(len, values.values()))
    if not 0 < size <= LARGEST:
        raise InputError(f"the grid has {size:,} points; expected 1 to {LARGEST:,}")
    points = [dict(zip(values, point, strict=True)) for point in itertools.product(*values.values())]
    for point in points:
        replace(metric, **point)  # refuses what a parameter may not be, before any work is done
    return points


def _example(metric: Metric) -> dict[str, str]:
    for field in fields(metric):
        if isinstance(field.default, float) and not isinstance(field.default, bool):
            return {field.name: f"{written(field.default / 2)},{written(field.default)}"}
    return {"NAME": "VALUE,VALUE"}


def _rate(metric: Metric, part: Ratings, work: Workspace) -> Floats:
    scores = metric.score(part.samples, work)
    return scores if metric.higher_is_better else -scores


def _agreement(metric: Metric, part: Ratings, statistic: str, level: str, work: Workspace) -> float:
    scores = _rate(metric, part, work)
    known = ~np.isnan(scores)
    if 2 * known.sum() < len(scores):
        return math.nan
    rows = np.flatnonzero(known)
    rest = part.rows(rows)
    return correlate(scores[known], rest.human, statistic, level, rest.sources(), rest.systems()).value


def _edges(metric: Metric, points: Sequence[dict[str, Any]], best: int) -> tuple[str, ...]:
    """Parameters whose best value is the last one tried, where the metric allows to go on."""
    found = []
    for name, value in points[best].items():
        tried = sorted({point[name] for point in points})
        if isinstance(value, (str, bool)) or len(tried) < 2 or value not in (tried[0], tried[-1]):
            continue
        beyond = 2 * value - (tried[1] if value == tried[0] else tried[-2])
        try:
            replace(metric, **{name: beyond})
        except InputError:
            continue
        found.append(name)
    return tuple(found)
