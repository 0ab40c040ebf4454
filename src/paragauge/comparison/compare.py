"""Two or more systems on the same samples: how far apart they are, whether that could be chance, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import InputError, nearest
from ..evaluate.run import Run
from ..files.write import PathLike
from ..stats.interval import widen_p
from ..stats.resample import RESAMPLES
from ..stats.tests import ALPHA, resamples_needed
from ..tables.display import counted
from ..tables.scores import Scores
from ..tables.summary import criterion_of
from .paired import CommonRows, MetricDraws, resample_all
from .reading import read_all
from .results import Comparison, Gap, SystemRow
from .slices import slices_of

FEWEST = 5  # sources in a slice, and outside it; with fewer there is nothing to learn from their difference
MOST = 100_000  # resamples, however many systems there are
MOST_SYSTEMS = 100  # with as many resamples as they need, these take 4 GB


def compare(
    *inputs: PathLike | Scores | Run,
    metrics: Sequence[str] | str | None = None,
    baseline: str | None = None,
    resamples: int | None = None,
    seed: int = 0,
    examples: int = 10,
) -> Comparison:
    """Compare the systems of run folders, files of scores or Scores, on the rows that all of them have.

    `metrics` are those of the inputs to compare by (all of them by default, those of the verdict first); slices and
    examples are for the first.
    A metric with a corpus score, such as BLEU, is compared by that, others by their mean. Sources are resampled, all
    systems together, so that differences are paired. With a `baseline` the others are compared with it alone; else all
    pairs are. p-values are two-sided, and corrected by Holm for the pairs of one metric.
    """
    if not inputs:
        raise InputError("nothing to compare; expected run folders, files of scores or Scores")
    scores, texts, notes = read_all(inputs)
    criterion = criterion_of({name: column.aggregation for name, column in scores.columns.items()})
    judging = () if criterion is None else criterion.metrics.values()
    chosen = _chosen(metrics, [*judging, *scores.columns])
    systems = list(dict.fromkeys(scores.samples.systems))
    check_systems(systems)
    if len(systems) < 2:
        raise InputError(f"there is one system, {systems[0]!r:.60}; expected at least 2 to compare")
    if baseline is not None and baseline not in systems:
        raise InputError(f"no system named '{baseline}'{nearest(baseline, systems)}")
    table = CommonRows(scores, systems)
    notes += table.notes
    if not texts:
        notes.append("a file of scores has no sources, so that rows are resampled, as if they were independent")
    slices = {
        name: mask
        for name, mask in (slices_of(table.sources) if texts else {}).items()
        if FEWEST <= mask.sum() <= len(mask) - FEWEST
    }
    number = resamples or max(RESAMPLES, min(resamples_needed(len(systems), max(len(table.sources), 2)), MOST))
    notes += _beyond_reach(len(systems), len(table.sources), number, baseline)
    drawn = {metric: MetricDraws(table, metric, scores.columns[metric]) for metric in chosen}
    drawn[chosen[0]].masks = slices
    resample_all(list(drawn.values()), table, number, seed)
    rows: list[SystemRow] = []
    gaps: list[Gap] = []
    for own in drawn.values():
        standings, between = own.compared(baseline, resamples or RESAMPLES)
        rows += standings
        gaps += between
        if own.undefined:
            notes.append(f"{own.metric} is undefined for a system in {counted(own.undefined, 'row')}, left out for all")
    first = drawn[chosen[0]]
    pairs = [(gap.first, gap.second) for gap in gaps if gap.metric == first.metric]
    if baseline is None:  # each other system with the first one given
        pairs = [pair for pair in pairs if systems[0] in pair]
    found = [example for pair in pairs for example in first.examples(*pair, examples)] if texts else []
    return Comparison(rows, gaps, first.sliced(pairs), found, baseline, len(table.sources), table.matched, notes)


def check_systems(systems: Iterable[str]) -> None:
    """Refuse, before they are scored, more systems than can be compared; `systems` may repeat their names."""
    number = len(set(systems))
    if number > MOST_SYSTEMS:
        raise InputError(f"{number:,} systems are too many to compare; expected at most {MOST_SYSTEMS}")


def _beyond_reach(systems: int, sources: int, resamples: int, baseline: str | None) -> list[str]:
    """Of many systems on few sources no difference can be significant, however large; that is not a finding."""
    if sources < 2:
        return []
    pairs = systems * (systems - 1) // 2 if baseline is None else systems - 1
    least = min(1.0, 2 * pairs * float(widen_p([1 / (resamples + 1)], sources)[0]))
    if least <= ALPHA:
        return []
    return [
        f"no difference can be significant: corrected for {counted(pairs, 'pair')} of systems, p is at least "
        f"{least:.2f} with {counted(sources, 'source')} and {resamples:,} resamples; compare fewer systems, or "
        "with one baseline"
    ]


def _chosen(metrics: Sequence[str] | str | None, known: list[str]) -> list[str]:
    wanted = [metrics] if isinstance(metrics, str) else list(metrics or known)
    for metric in wanted:
        if metric not in known:
            raise InputError(f"no metric '{metric}' in the inputs{nearest(metric, known)}")
    return list(dict.fromkeys(wanted))
