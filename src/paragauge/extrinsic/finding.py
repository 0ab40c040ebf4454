"""The finding in plain words: which paraphraser can replace the originals, and which metric predicts it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..stats.tests import holm
from ..tables.display import counted
from .modes import AUGMENT, REPLACE, ROBUSTNESS
from .prediction import Prediction
from .results import Associated, TaskOutcome, names_of
from .tasks.versions import ORIGINAL

MARGIN = 0.02  # of accuracy: a loss that is surely less does not matter
YES, NO, OPEN = "yes", "no", "undecided"
AT_CHANCE = "at chance"  # a classifier that learned nothing from the originals loses nothing by paraphrases
SIGNIFICANT = 0.05


def verdict(mode: str, low: float, high: float, margin: float = MARGIN) -> str:
    """Is the question of the mode answered with yes, no, or not at all?

    Replace and robustness: is less than the margin lost? Yes where the whole interval of the gain lies above −margin,
    no where all of it lies below. Augment: is anything gained? Yes above 0, no below.
    """
    bound = 0.0 if mode == AUGMENT else -margin
    return OPEN if math.isnan(low) else YES if low > bound else NO if high < bound else OPEN


def findings(
    rows: Sequence[TaskOutcome],
    associated: Sequence[Associated],
    predicted: Sequence[Prediction],
    margin: float = MARGIN,
) -> list[str]:
    """One sentence for each task and mode, one on Table 3, one on prediction for each mode."""
    return [*_modes(rows, margin), *_associations(associated), *_prediction(predicted)]


def _modes(rows: Sequence[TaskOutcome], margin: float) -> Iterator[str]:
    for task, mode in dict.fromkeys((row.task, row.mode) for row in rows):
        own = [row for row in rows if (row.task, row.mode) == (task, mode)]
        shares = sorted({row.share for row in own})
        for share in shares:
            at = [row for row in own if row.share == share and row.paraphraser != ORIGINAL and row.verdict != AT_CHANCE]
            if at:
                of = f", {100 * share:g}% of the data" if mode == AUGMENT else ""
                yield f"{task}{of}: {_answer(at, mode, margin)}"
        if mode == REPLACE or not any((row.task, row.mode) == (task, REPLACE) for row in rows):
            yield from _at_chance(
                task, [row for row in own if row.paraphraser == ORIGINAL and row.verdict == AT_CHANCE]
            )


def _at_chance(task: str, rows: Sequence[TaskOutcome]) -> Iterator[str]:
    if rows:
        shown = [
            f"{row.model} ({100 * row.accuracy:.1f}%; {100 * row.low:.1f} to {100 * row.high:.1f})" for row in rows
        ]
        yield (
            f"{task}: trained on originals, {_and(shown)} {'is' if len(rows) == 1 else 'are'} not shown to be better "
            "than always the most frequent label, and excluded."
        )


def _answer(rows: Sequence[TaskOutcome], mode: str, margin: float) -> str:
    points = f"{100 * margin:g} points"
    questions = {
        REPLACE: ("able to replace the originals", f"loses less than {points} of accuracy"),
        AUGMENT: ("of help in addition to the originals", "gains accuracy"),
        ROBUSTNESS: ("read as well as the originals", f"costs less than {points} of accuracy"),
    }
    what, meaning = questions[mode]

    def can(names: Sequence[str]) -> str:
        return "can replace the originals" if mode == REPLACE else f"{'is' if len(names) == 1 else 'are'} {what}"

    names = names_of(rows)
    good = {name: [row.model for row in rows if row.paraphraser == name and row.verdict == YES] for name in names}
    models = list(dict.fromkeys(row.model for row in rows))
    best = max(rows, key=lambda row: row.gain)
    worst = min(rows, key=lambda row: row.gain)
    whole = [name for name in names if len(good[name]) == len(models)]
    if whole:
        said = f"{_and(whole)} {can(whole)}: each {meaning} with every classifier"
    elif any(good.values()):
        some = [f"{name} with {_and(own)}" for name, own in good.items() if own]
        said = f"{_and(some)} {can(some)}, and with no other classifier"
    else:
        refused = sum(row.verdict == NO for row in rows)
        undecided = len(rows) - refused
        said = f"no paraphraser is shown to be {what}: of {counted(len(rows), 'comparison')}, "
        said += f"{refused} {'shows' if refused == 1 else 'show'} the opposite"
        said += f", {undecided} {'is' if undecided == 1 else 'are'} undecided" if undecided else ""
    if best.gain == worst.gain == 0:
        return f"{said}. No accuracy differs."
    if len(rows) == 1:
        return f"{said}. The difference is {_points(best)}."
    if _signed(best.gain) == _signed(worst.gain):
        return f"{said}. Every difference is {_signed(best.gain)} points."
    return f"{said}. The differences go from {_points(worst)} to {_points(best)}."


def _points(row: TaskOutcome) -> str:
    interval = "" if math.isnan(row.gain_low) else f"; {_signed(row.gain_low)} to {_signed(row.gain_high)}"
    return f"{_signed(row.gain)} points ({row.paraphraser}, {row.model}{interval})"


def _signed(share: float) -> str:
    """In points."""
    return f"{100 * share:+.1f}".replace("-", "−")


def _associations(rows: Sequence[Associated]) -> Iterator[str]:
    """Of the first metric, which is the one asked about, and of the one with the highest mean."""
    means = {}
    for metric in dict.fromkeys(row.found.metric for row in rows):
        values = [row.found.pearson for row in _defined(rows, metric)]
        if values:
            means[metric] = sum(values) / len(values)
    if not means:
        return
    best = max(means, key=means.__getitem__)
    for metric in dict.fromkeys([next(iter(means)), best]):
        own = _defined(rows, metric)
        significant = [row for row in own if row.found.pearson_p <= SIGNIFICANT]
        up = sum(row.found.pearson > 0 for row in significant)
        values = [row.found.pearson for row in own]
        highest = ", the highest mean of all metrics" if metric == best and len(means) > 1 else ""
        yield (
            f"{metric} of a paraphrased text and its being classified correctly: mean r {_minus(means[metric], 3)}"
            f"{highest}, from {_minus(min(values), 3)} to {_minus(max(values), 3)}, in "
            f"{counted(len(own), 'combination')} of task, paraphraser and classifier; p ≤ 0.05 in {len(significant)} "
            f"of them, {up} with r above 0."
        )


def _defined(rows: Sequence[Associated], metric: str) -> list[Associated]:
    return [row for row in rows if row.found.metric == metric and not math.isnan(row.found.pearson)]


def _prediction(rows: Sequence[Prediction]) -> Iterator[str]:
    unknown: dict[str, list[str]] = {}  # modes by why nothing is known
    for mode in dict.fromkeys(row.mode for row in rows):
        own = [row for row in rows if row.mode == mode and not math.isnan(row.value)]
        if not own:
            unknown.setdefault(next(row.reason for row in rows if row.mode == mode), []).append(mode)
            continue
        best = own[0]
        adjusted = holm([row.p for row in own])
        # the interval is that of so few paraphrasers: where it holds 0, a small p is of these tasks alone
        sure = [row for row, p in zip(own, adjusted, strict=True) if p <= SIGNIFICANT and row.low > 0]
        if sure:
            verb = "predicts" if len(sure) == 1 else "predict"
            said = f"{_and([row.metric for row in sure])} {verb} the gain (p ≤ 0.05 by Holm, interval above 0)"
        else:
            said = "no metric is shown to predict the gain"
        yield (
            f"{mode}: {said}; the highest rank correlation is that of {best.metric}, {_minus(best.value, 2)} "
            f"({_minus(best.low, 2)} to {_minus(best.high, 2)}, p = {best.p:.2g}), with {best.paraphrasers} "
            f"paraphrasers, of which no p-value below {best.least_p:.2g} could come."
        )
    for reason, modes in unknown.items():
        yield f"{_and(modes)}: no metric can be said to predict the gain: {reason}."


def _minus(value: float, digits: int) -> str:
    return f"{value:z.{digits}f}".replace("-", "−")


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
