"""Why a candidate got its scores: where it stands on the curve of diversity, which tokens matched, what is lacking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...alignments import align
from ...compute.workspace import Workspace
from ...metric import Metric
from ...metrics import parse
from ...metrics.form.ned import Ned
from ...metrics.meaning._neural import TokenMetric
from ...metrics.overall.parascore import ParaScore, diversity_score
from ...tables.samples import Samples
from ...tables.scores import Scores

_VERDICT = ("meaning", "changed")  # what `usable` has thresholds for
_MORE = "change more of the wording"


def explaining_metrics(chosen: Sequence[Metric]) -> list[Metric]:
    """What an explanation reads beside the metrics that were asked for; none of them loads another model."""
    wanted = [_distance(_curve(chosen))]
    if any(metric.name == "usable" for metric in chosen):
        # one with parameters of its own stands for that with the defaults
        wanted += [name for name in _VERDICT if not any(metric.name == name for metric in chosen)]
    own = [metric.spec for metric in chosen]
    return [parse(spec) for spec in wanted if spec not in own]


def explain(scores: Scores, metrics: Sequence[Metric], work: Workspace) -> list[dict[str, Any]]:
    """One explanation per row, of scores that have the columns of `explaining_metrics` too."""
    samples = scores.samples
    matched = _matched(metrics)
    aligned = {} if matched is None else align(samples, matched, range(len(samples)), work)
    diversity = _diversity(scores, metrics)
    result = []
    for row in range(len(samples)):
        found = aligned.get(row)
        alignment = None
        if found is not None:
            alignment = {
                "metric": found.metric,
                "source_tokens": [list(token) for token in found.other_tokens],
                "candidate_tokens": [list(token) for token in found.candidate_tokens],
            }
        result.append(
            {"diversity": diversity[row], "alignment": alignment, "needed": _needed(scores, metrics, samples, row)}
        )
    return result


def _matched(metrics: Sequence[Metric]) -> TokenMetric | None:
    """The metric whose matches with the source are shown: BERTScore itself, or one that is made of it."""
    own = [metric for metric in metrics if isinstance(metric, TokenMetric) and metric.needs == "source"]
    return next((metric for metric in own if metric.name == "bertscore"), own[0] if own else None)


def _curve(metrics: Sequence[Metric]) -> ParaScore:
    """The ParaScore that was asked for, or the one without references."""
    return next((one for one in metrics if isinstance(one, ParaScore)), None) or ParaScore(free=True)


def _distance(curve: ParaScore) -> str:
    """The edit distance that its diversity is a function of."""
    return Ned(free=True, normalize=curve.normalize).spec


def _diversity(scores: Scores, metrics: Sequence[Metric]) -> list[dict[str, Any] | None]:
    """The point of each row on the curve of ParaScore, with the parameters of the ParaScore that was asked for."""
    metric = _curve(metrics)
    distances = scores[_distance(metric)]
    values = diversity_score(distances, metric.gamma) if metric.threshold else distances
    about = {"metric": metric.spec, "gamma": metric.gamma, "omega": metric.omega, "threshold": metric.threshold}
    return [
        None if math.isnan(distance) else about | {"distance": distance, "value": value, "adds": metric.omega * value}
        for distance, value in zip(distances.tolist(), np.asarray(values).tolist(), strict=True)
    ]


def _needed(scores: Scores, metrics: Sequence[Metric], samples: Samples, row: int) -> list[dict[str, Any]]:
    """Every condition of a usable candidate: the metric, what it has, what it needs, and what to do about it."""
    usable = next((metric for metric in metrics if metric.name == "usable"), None)
    if usable is None:
        return _needed_wording(scores, metrics, samples, row)
    by_name = {metric.name: metric.spec for metric in metrics}
    found = []
    for name, limit, advice in (
        ("meaning", "accept", "say what the source says, no more and no less"),
        ("changed", "min_changed", _MORE),
    ):
        value, least = float(scores[by_name[name]][row]), float(getattr(usable, limit))
        if not math.isnan(value):
            found.append(_condition(by_name[name], value, least, advice))
    return found


def _needed_wording(scores: Scores, metrics: Sequence[Metric], samples: Samples, row: int) -> list[dict[str, Any]]:
    """Without a verdict, the one threshold that a metric has: beyond γ, change earns no more."""
    metric = _curve(metrics)
    distance = _distance(metric)
    value = float(scores[distance][row])
    if math.isnan(value) or not metric.threshold:
        return []
    advice = _MORE
    if not metric.normalize:  # else the characters that count are not those that one sees
        longer = max(len(samples.sources[row]), len(samples.candidates[row]))
        edits = round(value * longer)
        more = next(number for number in range(1, longer + 2) if (edits + number) / longer >= metric.gamma)
        advice = f"change at least {'one more character' if more == 1 else f'{more} more characters'}"
    return [_condition(distance, value, metric.gamma, advice)]


def _condition(metric: str, value: float, least: float, advice: str) -> dict[str, Any]:
    met = value >= least
    return {"metric": metric, "value": value, "least": least, "met": met, "advice": None if met else advice}
