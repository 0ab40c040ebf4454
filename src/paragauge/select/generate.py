"""A part of the sources to paraphrases: candidates are generated until enough of them meet the condition."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..errors import Hint, InputError, check_count
from ..evaluate.api import evaluate_whole
from ..evaluate.plan import Part
from ..evaluate.plan import choose as choose_metrics
from ..files.rows import Row, as_json
from ..metric import ComparisonMetric, Metric
from ..metrics import Given as GivenMetric
from ..paraphraser import Candidate, Paraphraser
from ..paraphrasers import Given, default_method, paraphraser_of
from ..runs.store import Parts
from ..tables.samples import Samples
from .condition import Condition, parse_condition
from .filter import CandidateRows, choose

PART = ("counts.json", "jsonl")  # of each part, in the folder next to the output
OWN = "score"  # in a condition: the score that the method itself gives a candidate
_MISSING = "the source is missing"
_NONE_KEPT = "no candidate met the condition"
BUDGET_TIMES = 4  # candidates of the budget for each that is wanted, where nothing else is said


class PartRows(NamedTuple):
    """What came of a part: its rows as lines of JSON, where nothing keeps them, and what was counted."""

    lines: bytes
    counts: Mapping[str, int]


@dataclass
class Kept:
    """The candidates of one source that were kept, with the numbers of each; why there is none."""

    candidates: list[Candidate]
    numbers: list[Row]
    reason: str


@dataclass
class PartParaphraser:
    """Paraphrases a part, in whatever process it is called; all it needs can be pickled."""

    paraphraser: Paraphraser
    system: str
    n: int
    budget: int  # candidates of a source that are asked for at most, in all rounds, to find n that meet the condition
    condition: Condition | None
    metrics: Sequence[Metric]
    parts: Parts | None = None  # of these files: PART

    def __call__(self, part: Part) -> PartRows:
        kept = None if self.parts is None else self.parts.load(part.number)
        if kept is not None:
            return PartRows(b"", json.loads(kept[0]))
        rows, counts = self._rows(part.samples)
        lines = b"".join(map(as_json, rows))
        if self.parts is None:
            return PartRows(lines, counts)
        self.parts.save(part.number, as_json(counts), lines)
        return PartRows(b"", counts)

    def _rows(self, chunk: Samples) -> tuple[list[Row], Counter[str]]:
        """A row for each candidate, or for each source without one; what is counted of them."""
        asked = ["" if place in chunk.missing else source for place, source in enumerate(chunk.candidates)]
        found, rejected = self.kept(asked)
        counts = Counter({f"rejected: {what}": count for what, count in rejected.items()} | {"sources": len(chunk)})
        rows = []
        for place, own in enumerate(found):
            missing = place in chunk.missing
            common = {"id": chunk.ids[place], "source": None if missing else chunk.candidates[place]}
            counts["candidates"] += len(own.candidates)
            if not own.candidates:
                reason = _MISSING if missing else own.reason
                counts[f"empty: {reason}"] += 1
                rows.append(self._row(common, 1, Candidate(""), reason, {metric.spec: None for metric in self.metrics}))
            for rank, (candidate, numbers) in enumerate(zip(own.candidates, own.numbers, strict=True), 1):
                rows.append(self._row(common, rank, candidate, None, numbers))
        return rows, counts

    def _row(self, common: Row, rank: int, found: Candidate, reason: str | None, numbers: Row) -> Row:
        return {
            "id": f"{common['id']}.{rank}",  # as each row of a system has an id of its own
            "source": common["source"],
            "candidate": None if reason is not None else found.text,
            "system": self.system,
            "rank": rank,
            "score": found.score if math.isfinite(found.score) else None,
            "provenance": dict(found.provenance),
            "reason": reason,
        } | numbers  # fmt: skip

    def kept(self, sources: Sequence[str]) -> tuple[list[Kept], Counter[str]]:
        """Up to n candidates of each source that meet the condition, and how many others were rejected for what.

        Each round asks for more than the one before, as a method gives the same again when it is asked for as many.
        """
        found = [Kept([], [], "") for _ in sources]
        seen: list[set[str]] = [set() for _ in sources]
        rejected: Counter[str] = Counter()
        lacking = list(range(len(sources)))
        rounds = [self.n] if self.condition is None else _rounds(self.n, self.budget, self.paraphraser.max_candidates)
        for asked in rounds:
            if not lacking:
                break
            generated = self.paraphraser.generate([sources[place] for place in lacking], asked)
            fresh: list[tuple[int, Candidate]] = []
            for place, own in zip(lacking, generated, strict=True):
                found[place].reason = own.reason or _NONE_KEPT
                fresh += [(place, candidate) for candidate in own if candidate.text not in seen[place]]
                seen[place].update(candidate.text for candidate in own)
            texts = Samples.of([sources[place] for place, _ in fresh], [candidate.text for _, candidate in fresh])
            numbers: dict[str, list[float]] = {}
            if self.metrics and fresh:
                scores = evaluate_whole(texts, self.metrics)
                numbers = {metric.spec: scores[metric.spec].tolist() for metric in self.metrics}
            columns = numbers | {OWN: [candidate.score for _, candidate in fresh]}
            passed, failed = choose(CandidateRows(texts.sources, texts.candidates, columns), self.condition)
            rejected += failed
            for row in passed:
                place, candidate = fresh[row]
                if len(found[place].candidates) < self.n:
                    found[place].candidates.append(candidate)
                    found[place].numbers.append({name: column[row] for name, column in numbers.items()})
            some = {place for place, _ in fresh}
            lacking = [place for place in lacking if len(found[place].candidates) < self.n and place in some]
        return found, rejected


def part_paraphraser(
    method: Given | None, n: int, where: str | None, budget: int | None, metrics: Iterable[GivenMetric]
) -> PartParaphraser:
    """What paraphrases parts as it is asked to; a metric, condition or budget that cannot be met is refused."""
    n = check_count("n", n)
    budget = None if budget is None else check_count("budget", budget)
    if budget is not None and where is None:
        raise InputError(
            "a budget is for a condition on the candidates", Hint("give {where} too", where="cosine.free >= 0.8")
        )
    if budget is not None and budget < n:
        raise InputError(f"a budget of {budget} is less than the {n} candidates that are wanted of each source")
    method = default_method().name if method is None else method
    found = paraphraser_of(method)
    condition = None if where is None else parse_condition(where)
    asked = [name for name in (condition.names if condition is not None else ()) if name != OWN]
    named = [*metrics, *asked]
    chosen = choose_metrics(named, False) if named else []
    specs = {metric.spec for metric in chosen}
    for metric in chosen:
        if "references" in metric.needs:
            raise InputError(
                f"{metric.spec} needs references, and a new paraphrase has none{_without_references(metric)}"
            )
        if metric.unit != "pair":
            raise InputError(f"{metric.spec} judges sets, not single candidates, so it cannot choose among them")
    for name in asked:
        if name not in specs:
            raise InputError(f"'{name}' is written '{choose_metrics([name], False)[0].spec}' here")
    system = method if isinstance(method, str) else found.spec
    return PartParaphraser(found, system, n, budget or BUDGET_TIMES * n, condition, chosen)


def _rounds(n: int, budget: int, max_candidates: int | None = None) -> Iterator[int]:
    """How many candidates each round asks for: twice as many as before, the last round all that are left.

    No round asks for more than the method can give, its `max_candidates`.

    >>> list(_rounds(2, 8)), list(_rounds(2, 3)), list(_rounds(5, 100)), list(_rounds(3, 100, 10))
    ([2, 6], [3], [5, 10, 20, 65], [3, 6, 10])
    """
    asked, left, most = n, budget, budget if max_candidates is None else max(n, max_candidates)
    while left > 2 * asked and asked < most:  # so that a round that asks for more than this one can follow
        yield asked
        left -= asked
        asked *= 2
    yield min(left, most)


def _without_references(metric: Metric) -> str:
    """The name to type for the form of a metric that reads no references, where it has one."""
    return f"; expected {replace(metric, free=True).spec}" if isinstance(metric, ComparisonMetric) else ""
