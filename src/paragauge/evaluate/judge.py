"""Judge candidates: `judge`, the twin of what `paragauge score` prints first, and what it gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any
from warnings import warn

from ..compute.workspace import Workspace
from ..metric import Metric
from ..metrics.overall.usable import Usable
from ..printable import listed, printable
from ..tables.display import counted, table_html
from ..tables.notices import COPIES, sentences
from ..tables.samples import Samples
from ..tables.scores import Scores, judgment_columns
from ..tables.shared_rows import SharedRows, check_empty
from ..tables.summary import Summary, SummaryRow, criterion_of
from ..verdict.judgment import Judgment
from ..verdict.tally import SystemVerdict, Verdict
from ..verdict.words import UNCALIBRATED, conclusion, reasons
from .api import evaluate_whole, table_of
from .part import workspace_for
from .plan import VERDICT, choose

if TYPE_CHECKING:
    import polars

_FLUSHED = 256  # pairs, after which what they took is written down and memory kept within its bound


def verdict_of(summary: Summary, rows: Sequence[SummaryRow], metrics: Sequence[Metric]) -> Verdict | None:
    """The verdict on each system, given the rows of the summary, where the metrics are there that it is made of."""
    criterion = summary.criterion
    judges = [
        one for one in metrics if isinstance(one, Usable) and criterion is not None and one.spec == criterion.usable
    ]
    return summary.verdict(rows, calibrated=judges[0].meaning.calibrated) if judges else None


class Judge:
    """Judges one pair after another: models, thresholds and the disk cache stay at hand, and nothing is summed up.

    The arguments are those of `judge`. It is for one thread; `close`, or the end of `with`, writes what it computed.

    >>> with Judge() as one:
    ...     one.check("How old are you?", "How are you?").usable
    False
    """

    def __init__(self, *, cache: bool = True, **settings: Any) -> None:
        self._metric = _metrics(False, **settings)[-1]
        self._work = workspace_for([self._metric], cache=cache)
        self._checked = 0

    def check(self, source: str, candidate: str, references: Sequence[str] = ()) -> Judgment:
        """Is the candidate a usable paraphrase of the source, and if not, why?"""
        judgments = self._metric.judgments(Samples.of([source], [candidate], [references]), self._work)
        assert judgments is not None
        self._checked += 1
        if not self._checked % _FLUSHED:
            self._work.flush()
        return judgments[0]

    def close(self) -> None:
        """Write what was computed to the disk cache, and release it."""
        self._work.close()

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Judgments:
    """The verdict on every candidate (`frame`) and on every system (`systems`)."""

    def __init__(self, scores: Scores, metrics: Sequence[Metric]) -> None:
        self.scores = scores
        self.metrics = metrics
        criterion = criterion_of({name: column.aggregation for name, column in scores.columns.items()})
        assert criterion is not None
        self.criterion = criterion

    @cached_property
    def summary(self) -> Summary:
        """Means and intervals, computed when they are asked for."""
        found = Summary(shared=SharedRows(self.scores.empty, [self.scores.samples]))
        found.add(self.scores)
        return found

    @property
    def remarks(self) -> list[str]:
        """What the reader of the means should know of the rows behind them: nothing where all of one system count."""
        samples = self.scores.samples
        whole = len(set(samples.systems)) == 1 and not samples.missing and not samples.failures().any()
        return [] if whole else self.summary.remarks()

    @property
    def rows(self) -> Sequence[Judgment]:
        """The verdict on every candidate, as data."""
        return self.scores.columns[self.criterion.usable].judgments or ()

    @property
    def frame(self) -> polars.DataFrame:
        """One line per candidate: sample, system, meaning, changed, usable (1 or 0), outcome, findings, why."""
        import polars

        notes = self.scores.columns[self.criterion.usable].notes
        return polars.DataFrame(
            {
                "sample": polars.Series(self.scores.samples.ids, dtype=polars.String),
                "system": polars.Series(self.scores.samples.systems, dtype=polars.String),
                "meaning": polars.Series([one.meaning for one in self.rows], dtype=polars.Float64),
                "changed": polars.Series([one.changed for one in self.rows], dtype=polars.Float64),
                "usable": polars.Series([one.usable for one in self.rows], dtype=polars.Boolean).cast(polars.Int8),
                **judgment_columns([self.rows], len(self)),
                "why": polars.Series([notes.get(row) for row in range(len(self.scores))], dtype=polars.String),
            }
        )

    @property
    def systems(self) -> polars.DataFrame:
        """One line per system: means, the share that is usable with its 95% interval, and why not, in words."""
        import polars

        rows = []
        for one in self.verdicts:
            line: dict[str, Any] = {"system": one.system, "rows": one.rows}
            for name, share in zip(VERDICT, (one.meaning, one.changed, one.usable), strict=True):
                line |= {name: share.value, f"{name}_low": share.low, f"{name}_high": share.high}
            rows.append(line | {"why": reasons(one.why), "check": one.check})
        numbers = [name + end for name in VERDICT for end in ("", "_low", "_high")]  # of one source, all ends are null
        return polars.DataFrame(rows, schema_overrides=dict.fromkeys(numbers, polars.Float64), infer_schema_length=None)

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict on every system, as data."""
        found = verdict_of(self.summary, self.summary.rows(), self.metrics)
        assert found is not None
        return found

    @property
    def verdicts(self) -> list[SystemVerdict]:
        """Of every system, with the reasons as counts."""
        return self.verdict.systems

    @property
    def conclusion(self) -> str:
        """What to conclude, in one sentence."""
        return conclusion(self.verdict)

    @property
    def signatures(self) -> Mapping[str, str]:
        """What the numbers depend on."""
        return self.scores.signatures

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        shares = [f"{one.system} {one.usable.value:.0%}" for one in self.verdicts if one.usable.value is not None]
        return f"Judgments({counted(len(self), 'row')}; usable: {listed(shares) or 'none could be judged'})"

    def _repr_html_(self) -> str:
        return table_html(repr(self), self.systems.to_dict(as_series=False))


def judge(
    sources: Any = None,
    candidates: Iterable[str | None] | None = None,
    references: Iterable[Iterable[str | None] | None] | None = None,
    *,
    systems: Iterable[str | None] | None = None,
    ids: Iterable[object] | None = None,
    samples: Any = None,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
    accept: float | None = None,
    min_changed: float | None = None,
    strict: bool | None = None,
    against: str | None = None,
    encoder: str | None = None,
    layer: int | None = None,
    precision: str | None = None,
    empty: str = "worst",
    cache: bool = True,
    work: Workspace | None = None,
) -> Judgments:
    """Is each candidate a usable paraphrase of its source, and if not, why?

    `accept` is the least `meaning` of a usable candidate, `min_changed` the least `changed`; without
    `strict` it may lack a number, a name or what else is found; `against`, `encoder`, `layer` and `precision` are
    those of `meaning`. The rest is as in `score`: columns, or a table and how it is laid
    out, `systems`, `ids`.
    """
    check_empty(empty)
    table = table_of(sources, candidates, references, systems, ids, samples, columns, delimiter, header)
    metrics = _metrics(
        any(table.references), accept=accept, min_changed=min_changed, strict=strict, against=against, encoder=encoder,
        layer=layer, precision=precision,
    )  # fmt: skip
    judged = Judgments(evaluate_whole(table, metrics, work, cache=cache, empty=empty), metrics)
    for sentence in (*sentences(judged.scores.notices, without=COPIES), *judged.remarks):
        warn(printable(sentence), stacklevel=2)
    return judged


def _metrics(references: bool, **settings: Any) -> list[Metric]:
    """The metrics of the verdict; a warning where they judge by what is not calibrated."""
    metrics = choose(VERDICT, references, **settings)
    if not all(metric.meaning.calibrated for metric in metrics if isinstance(metric, Usable)):
        warn(UNCALIBRATED, stacklevel=3)
    return metrics
