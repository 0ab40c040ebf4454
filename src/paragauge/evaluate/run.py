"""A complete run of scoring: its record, and its tables when they are asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, ParagaugeError
from ..files.write import PathLike
from ..metric import Floats
from ..metrics import parse
from ..runs.listing import complete_record, verify_run
from ..tables.samples import Samples
from ..tables.scores import Aggregation, Scores
from ..tables.summary import SummaryRow
from ..verdict.tally import Verdict
from .part import aggregation_of


@dataclass(frozen=True)
class Run:
    """What scoring found: summary, verdict, signatures and warnings, and every score if it was kept in a folder."""

    folder: Path | None
    record: Mapping[str, Any]

    @cached_property
    def summary(self) -> list[SummaryRow]:
        """Each metric by system, as `paragauge score` prints it."""
        with self._guarded("summary"):
            return [SummaryRow(**row) for row in self.record["summary"]]

    @cached_property
    def verdict(self) -> Verdict | None:
        """How many candidates of each system are usable, and why the others are not, if that was asked for."""
        with self._guarded("verdict"):
            return Verdict.read(self.record["verdict"]) if "verdict" in self.record else None

    @property
    def signatures(self) -> dict[str, str]:
        """What the numbers of each metric depend on."""
        return dict(self.record.get("signatures", {}))

    @property
    def warnings(self) -> list[str]:
        """What a reader of the numbers should know."""
        return list(self.record.get("warnings", []))

    @cached_property
    def scores(self) -> Scores:
        """Every score, with its texts; the files are checked against their sha256."""
        if self.folder is None:
            raise InputError("the scores were not kept in a folder; give run")
        return _read(self.folder, self.record)

    def __repr__(self) -> str:
        return f"Run({str(self.folder or 'not kept')!r}, {self.record.get('rows', 0):,} rows)"

    @contextmanager
    def _guarded(self, entry: str) -> Iterator[None]:
        try:
            yield
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            name = "run" if self.folder is None else self.folder.resolve().name
            raise InputError(f"{name}: the {entry} in its record is not what a run has there") from error


def open_run(folder: PathLike) -> Run:
    """A complete run that scoring kept in a folder."""
    path = Path(folder)
    if not path.is_dir():
        raise InputError(f"{path} is not a run folder; expected one that scoring kept")
    return Run(path, complete_record(path))


def _read(folder: Path, record: Mapping[str, Any]) -> Scores:
    import polars

    if wrong := verify_run(folder):
        raise InputError(f"{folder} was modified after the run: {'; '.join(wrong)}")
    aggregations = {metric: stored_aggregation(metric, record) for metric in record["metrics"]}
    try:
        rows = polars.read_parquet(folder / "samples.parquet", glob=False)
        samples = Samples.of(
            rows["source"].to_list(), rows["candidate"].to_list(), rows["references"].to_list(),
            rows["system"].to_list(), rows["sample"].to_list(),
        )  # fmt: skip
        frame = polars.read_parquet(folder / "scores.parquet", glob=False)
        found = Scores.from_stored(samples, frame, aggregations, record.get("notes", {}))
    except (polars.exceptions.PolarsError, ValueError) as error:
        first = str(error).partition("\n")[0]
        raise InputError(f"the tables in {folder} are not those of a run: {first}") from error
    return Scores(samples, found.columns, record.get("signatures", {}), found.notices, record.get("empty", "worst"))


def stored_aggregation(metric: str, record: Mapping[str, Any], *, texts: bool = True) -> Aggregation:
    """As the metric itself has it; of one that is not installed, what the record of the run says."""
    try:
        found = aggregation_of(parse(metric))
    except ParagaugeError:
        higher = {row.get("metric"): row.get("higher_is_better") for row in record.get("summary", [])}
        scale = record.get("scales", {}).get(metric, {})
        low, high = scale.get("low"), scale.get("high")
        low, high = -math.inf if low is None else low, math.inf if high is None else high
        worst = low if higher.get(metric, True) else high
        worst = worst if math.isfinite(worst) else math.nan
        by_record = partial(_worst_where_empty, worst)
        return Aggregation(None, higher.get(metric, True), _unweighted, by_record, worst, (low, high))
    if texts:
        return found
    worst = partial(_worst_where_empty, found.worst)
    return replace(found, from_counts=None, weights=_unweighted, with_failures=worst)


def _unweighted(samples: Samples) -> None:  # noqa: ARG001
    return None


def _worst_where_empty(worst: float, samples: Samples, scores: Floats, empty: str) -> Floats:
    replaced = samples.failures() & (empty == "worst") & (worst == worst)
    return np.where(replaced, worst, scores)
