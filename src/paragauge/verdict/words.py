"""What is said of a verdict, and of what a candidate needs to be usable: the one place that writes these sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..printable import listed
from ..stats.interval import Estimate
from .findings import Finding, Outcome, Span
from .judgment import Criterion, Judgment, Thresholds, counts
from .tally import Reason, SystemVerdict, Verdict

UNCALIBRATED = (
    "Meaning was trained on English and is not calibrated with this encoder: it ranks candidates, but 0.8 does not "
    "mean that people would call 80% the same."
)
_CORRECTED = (Outcome.MEANING, Outcome.CLOSE, Outcome.CHECK)  # where correcting what was found makes it better
MORE_CHANGE = "change more of the wording"

RULES = "rules"  # by which a condition is named that is not a metric's


def why(judgment: Judgment, source: str, candidate: str) -> str | None:
    """`meaning lost (number): “2500” → “3500”`; None where there is nothing to say."""
    if judgment.outcome in (Outcome.OK, Outcome.UNDEFINED):
        return None
    if not judgment.findings:
        return str(judgment.outcome)
    kinds = f" ({', '.join(judgment.kinds)})" if judgment.kinds else ""
    told = "; ".join(places(one, source, candidate) for one in judgment.findings if one.source or one.candidate)
    if not kinds:  # a fault of the candidate as a whole, and the part that shows it; of another language it is all
        first = judgment.findings[0]
        told = "" if first.source is not None or first.candidate is None else _quoted(candidate, first.candidate)
    return f"{judgment.outcome}{kinds}" + (f": {told}" if told else "")


def places(found: Finding, source: str, candidate: str) -> str:
    """`“2500” → “3500”`; nothing is `–`."""
    return f"{_quoted(source, found.source)} → {_quoted(candidate, found.candidate)}"


def _quoted(text: str, span: Span | None) -> str:
    return "–" if span is None else f"“{text[span.start : span.end]}”"


def reasons(why: Mapping[Outcome, Reason]) -> str:
    """`2 meaning lost (1 number, 1 negation), 1 empty`."""
    told = []
    for outcome, reason in why.items():
        kinds = ", ".join(counted_kind(*one) for one in reason.kinds.items())
        told.append(counted_reason(outcome, reason.rows) + (f" ({kinds})" if kinds else ""))
    return ", ".join(told)


def counted_reason(outcome: Outcome, rows: int) -> str:
    """`2 copies`."""
    return f"{rows:,} {'copies' if outcome is Outcome.COPY and rows != 1 else outcome}"


def counted_kind(kind: str, rows: int) -> str:
    """`1 number`."""
    return f"{rows:,} {kind}"


def criterion(thresholds: Thresholds) -> str:
    """What usable means, in one sentence."""
    accept, min_changed, strict = thresholds
    lost = ", and no number, name, negation or the like lost as far as rules and model see" if strict else ""
    return f"Usable: meaning at least {accept:g}, words changed at least {min_changed:g}{lost}."


def to_check(systems: Sequence[SystemVerdict]) -> str | None:
    """How many usable candidates there is something to look at in, where there are any."""
    told = ", ".join(f"{one.system} {one.check:,}" for one in systems if one.check)
    return f"To check, as a difference was found in usable candidates: {told}." if told else None


def conclusion(verdict: Verdict) -> str:
    """What to conclude, in one sentence."""
    found = [one for one in verdict.systems if one.usable.value is not None]
    if not found:
        return "No candidate could be judged."
    best, *others = found
    rate = best.usable.value or 0.0
    if not rate:
        return f"No candidate is usable: {reasons(best.why)}{' in ' + best.system if others else ''}."
    if not others:
        counts = [reason.rows for reason in best.why.values()]
        most = f"; most of the others fail by: {next(iter(best.why))}" if counts and 2 * counts[0] > sum(counts) else ""
        return f"{rate:.0%} of the candidates are usable{_interval(best.usable)}{most}."
    if verdict.gap is None:
        shares = listed([f"{one.system} {one.usable.value or 0.0:.0%}" for one in found])
        return f"The systems have no source in common, so their usable candidates do not compare: {shares}."
    second = others[0].system
    gap, low, high, _ = verdict.gap
    equal = f"{best.system} and {second} have equally many usable candidates, {rate:.0%}"
    leads = f"{best.system} has the most usable candidates, {rate:.0%}"
    points = f"{100 * (gap or 0.0):.0f} points more"
    if low is None or high is None:
        return f"{leads}: {points} than {second}." if gap else f"{equal}."
    said = f"95% interval {100 * low:.0f} to {100 * high:.0f} points".replace("-", "−")
    if not gap:
        return f"{equal} (difference: {said})."
    if low > 0:
        return f"{leads}: {points} than {second} ({said})."
    return f"{leads}, but is not clearly better than {second}: {points} ({said})."


def _interval(share: Estimate) -> str:
    return "" if share.low is None or share.high is None else f" (95% interval {share.low:.0%} to {share.high:.0%})"


def to_do(judgment: Judgment, source: str, candidate: str) -> str:
    """What would keep more of the meaning."""
    if not judgment.findings or judgment.outcome not in _CORRECTED:
        return "say what the source says, no more and no less"
    told = "; ".join(f"{one.kind}: {places(one, source, candidate)}" for one in judgment.findings)
    return f"correct what was found ({told})"


class Requirement(NamedTuple):
    """One condition: a metric, its value and the least it needs; or what rules found, which no value makes up for."""

    metric: str
    value: float | None
    least: float | None
    met: bool
    lacks: float | None
    advice: str | None

    @classmethod
    def of(cls, metric: str, value: float, least: float, advice: str) -> Requirement:
        """Of a metric."""
        met = value >= least
        return cls(metric, value, least, met, 0.0 if met else least - value, None if met else advice)


def conditions(judgment: Judgment, criterion: Criterion, source: str, candidate: str) -> list[Requirement]:
    """The conditions of a usable candidate, as far as they are defined."""
    accept, min_changed, strict = criterion.thresholds
    advice = to_do(judgment, source, candidate)
    found = []
    if judgment.meaning is not None:
        found.append(Requirement.of(criterion.meaning, judgment.meaning, accept, advice))
    if judgment.changed is not None:
        found.append(Requirement.of(criterion.changed, judgment.changed, min_changed, MORE_CHANGE))
    if strict and judgment.outcome is Outcome.MEANING and counts(judgment.findings):
        found.append(Requirement(RULES, None, None, False, None, advice))
    return found
