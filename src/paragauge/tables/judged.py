"""Judgments as columns of a table of scores: `outcome`, and `findings` as a list of structs; and back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..verdict.findings import Finding, Outcome, Span
from ..verdict.judgment import Criterion, Judgment, judge
from ..verdict.rules import findings
from .samples import Samples

if TYPE_CHECKING:
    import polars

    from .scores import ScoreColumn


def judgment_columns(judged: Sequence[Sequence[Judgment] | None], rows: int) -> dict[str, polars.Series]:
    """One line per row and metric, in the order of rows; null for a metric that does not judge.

    A span is [start, end) in code points; findings are null where there are none.
    """
    import polars

    span = polars.List(polars.Int64)
    fields: Any = {"rule": polars.String, "kind": polars.String, "source": span, "candidate": span}
    outcomes: list[str | None] = [None] * (rows * len(judged))
    found: list[list[dict[str, Any]] | None] = [None] * (rows * len(judged))
    for place, judgments in enumerate(judged):
        for row, one in enumerate(judgments or ()):
            outcomes[row * len(judged) + place] = str(one.outcome)
            found[row * len(judged) + place] = as_records(one.findings) or None
    return {
        "outcome": polars.Series(outcomes, dtype=polars.String),
        "findings": polars.Series(found, dtype=polars.List(polars.Struct(fields))),
    }


def as_records(found: Sequence[Finding]) -> list[dict[str, Any]]:
    """Findings as plain values: rule, kind, and [start, end) in each text or None."""
    return [
        {name: list(value) if isinstance(value, Span) else value for name, value in one._asdict().items()}
        for one in found
    ]


def read_judgments(
    frame: polars.DataFrame, samples: Samples, criterion: Criterion, columns: Mapping[str, ScoreColumn]
) -> list[Judgment] | None:
    """The inverse, of the lines of one metric; None where an older table has no outcomes and they cannot be derived.

    They can where it has the numbers that they follow from, as rules need nothing but the texts.
    """
    meaning, changed = (
        columns[name].scores.tolist() if name in columns else [math.nan] * len(samples)
        for name in (criterion.meaning, criterion.changed)
    )
    if "outcome" in frame.columns:
        stored = zip(frame["outcome"].to_list(), meaning, changed, frame["findings"].to_list(), strict=True)
        return [
            Judgment(Outcome(outcome), _known(one), _known(other), findings_of(found or ()))
            for outcome, one, other, found in stored
        ]
    if not {criterion.meaning, criterion.changed} <= columns.keys():
        return None
    texts = zip(samples.sources, samples.candidates, strict=True)
    empty = (samples.failures() & (frame["score"] == 0).fill_null(value=False).to_numpy()).tolist()
    return [
        Judgment(Outcome.UNDEFINED)
        if row in samples.missing
        else judge(meaning[row], changed[row], findings(*pair), criterion.thresholds, empty=empty[row])
        for row, pair in enumerate(texts)
    ]


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def findings_of(records: Sequence[Mapping[str, Any]]) -> tuple[Finding, ...]:
    """The inverse of `as_records`."""
    return tuple(
        Finding(one["rule"], one["kind"], *(_span(one[side]) for side in ("source", "candidate"))) for one in records
    )


def _span(places: Sequence[int] | None) -> Span | None:
    return None if places is None else Span(*places)
