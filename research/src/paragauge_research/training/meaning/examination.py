"""The verdict on pairs that were written to judge it by: how many good and bad ones it accepts, by kind and domain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from paragauge.compute.workspace import Workspace
from paragauge.metrics.overall.usable import Usable
from paragauge.tables.samples import Samples
from paragauge.text.sentences import sentences
from paragauge.verdict.judgment import Judgment

from .development import Written, read_written

_DECORATED = "decorated-copy"  # refused as copies; no words are at fault


class Shares(NamedTuple):
    """Of some pairs."""

    good: int
    good_accepted: float
    bad: int
    bad_accepted: float


def examined(rows: Sequence[Written], encoder: str) -> list[Judgment]:
    """The verdict on each pair."""
    pairs = [row.pair for row in rows]
    samples = Samples.of([source for source, _ in pairs], [candidate for _, candidate in pairs])
    return Usable(encoder=encoder).judgments(samples, Workspace())


def shares(rows: Sequence[Written], judged: Sequence[Judgment], chosen: Callable[[Written], bool]) -> Shares:
    """How many are accepted of the pairs that are chosen."""
    accepted: dict[bool, list[bool]] = {True: [], False: []}
    for row, one in zip(rows, judged, strict=True):
        if chosen(row):
            accepted[row.good].append(bool(one.usable))
    good, bad = accepted[True], accepted[False]
    return Shares(len(good), _mean(good), len(bad), _mean(bad))


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else float("nan")


def marked(rows: Sequence[Written], judged: Sequence[Judgment]) -> float:
    """F1 of the characters that are marked in bad pairs whose words at fault are known."""
    both = found_alone = missed = 0
    for row, one in zip(rows, judged, strict=True):
        if row.good or row.kind == _DECORATED:
            continue
        for side in (0, 1):
            wanted = {
                place
                for words in row.words[side]
                for start in [row.pair[side].find(words)]
                if start >= 0
                for place in range(start, start + len(words))
            }
            spans = [(finding.source, finding.candidate)[side] for finding in one.findings]
            found = {place for span in spans if span is not None for place in range(*span)}
            both += len(wanted & found)
            found_alone += len(found - wanted)
            missed += len(wanted - found)
    return 2 * both / (2 * both + found_alone + missed) if both else 0.0


def lines(folder: Path, part: str, encoder: str) -> Iterator[str]:
    """The whole report on one half of the examination."""
    rows = read_written(folder / f"{part}.jsonl")
    judged = examined(rows, encoder)
    yield f"examination, {part}: {len(rows)} pairs, encoder {encoder}"
    yield f"{'':32} {'good':>6} {'accepted':>9} {'bad':>6} {'accepted':>9}"
    several = {row.pair for row in rows if len(sentences(row.pair[0])) > 1}
    groups: dict[str, Callable[[Written], bool]] = {
        "all": lambda _: True,
        "reworded": lambda row: not row.near,
        "near": lambda row: row.near,
        "free rewrites": lambda row: row.kind == "free",
        "light edits aside": lambda row: row.good is False or not row.near,
        "broken": lambda row: row.kind == "broken",
        "of several sentences": lambda row: row.pair in several,
    }
    for domain in dict.fromkeys(row.domain for row in rows):
        groups[f"domain: {domain}"] = lambda row, own=domain: row.domain == own  # type: ignore[misc]
    for good, kind in sorted({(not row.good, row.kind) for row in rows}):
        groups[f"{'bad' if good else 'good'}: {kind}"] = lambda row, own=kind: row.kind == own  # type: ignore[misc]
    for name, chosen in groups.items():
        found = shares(rows, judged, chosen)
        yield f"{name:32} {found.good:6} {_shown(found.good_accepted)} {found.bad:6} {_shown(found.bad_accepted)}"
    for near in (True, False):
        chosen_rows = [place for place, row in enumerate(rows) if row.near == near]
        value = marked([rows[place] for place in chosen_rows], [judged[place] for place in chosen_rows])
        yield f"marked characters, F1, {'near' if near else 'reworded'}: {value:.3f}"


def _shown(share: float) -> str:
    return f"{share:9.1%}" if share == share else f"{'–':>9}"
