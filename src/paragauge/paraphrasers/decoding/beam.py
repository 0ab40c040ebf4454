"""Beam search: the n best, in groups that differ, with constraints by dynamic beam allocation.

One loop does all of it. Without groups and constraints it is the search of CTranslate2: of the `width` best
continuations those that end are set aside and replaced by the next best that do not, until `width` have ended.
Constraints follow Post and Vilar 2018: continuations are sorted into banks by how many constraint tokens are in place,
and each bank has its share of the beam. Groups follow Vijayakumar et al. 2018: a group's tokens of a step are made
unlikely for the groups after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from .constraints import PhraseProgress, Phrases, banned_next, check_constraints
from .step import Hypothesis, LogProbabilities, StepModel, Where, score_of


@dataclass(frozen=True)
class BeamSettings:
    """How wide, how many, how long, and what lengths cost."""

    width: int = 5
    n: int = 5
    longest: int = 128  # tokens of a text, its prefix included
    penalty: float = 1.0  # exponent of the length that a log-probability is divided by
    groups: int = 1  # of width / groups each
    diversity: float = 0.5  # what a token costs a group for each earlier group that has it at this step

    def __post_init__(self) -> None:
        if self.width < 1 or self.n < 1 or self.longest < 1 or self.groups < 1:
            raise InputError(f"{self}: expected numbers of at least 1")
        if self.width % self.groups:
            raise InputError(f"a beam of {self.width} cannot be cut into {self.groups} equal groups")


class _Choice(NamedTuple):
    """A continuation: which hypothesis of the group, with which token."""

    parent: int
    token: int
    total: float  # log-probability
    rank: float  # what it is sorted by: the same, less what other groups cost
    progress: PhraseProgress


class _Live(NamedTuple):
    tokens: tuple[int, ...]
    total: float
    progress: PhraseProgress


@dataclass
class _Group:
    """Part of the beam of one source."""

    live: list[_Live]
    ended: list[Hypothesis] = field(default_factory=list)
    best_ended: bool = False  # has the best continuation of a step been an end?


@dataclass
class _Search:
    """The beam of one source."""

    prefix: tuple[int, ...]
    banned: Phrases
    groups: list[_Group]

    @property
    def live(self) -> list[_Live]:
        return [one for group in self.groups for one in group.live]


def beam_search(
    model: StepModel[Where],
    sources: Sequence[Sequence[int]],
    settings: BeamSettings,
    *,
    prefixes: Sequence[Sequence[int]] | None = None,
    required: Sequence[Phrases] | None = None,
    banned: Sequence[Phrases] | None = None,
) -> list[list[Hypothesis]]:
    """The n best sequences for each source, best first.

    A sequence begins with the `prefix` of its source, which costs nothing; it contains every phrase of `required` and
    none of `banned`. There are fewer than n where the search finds fewer.
    """
    nothing: list[Phrases] = [()] * len(sources)
    begins = prefixes or [()] * len(sources)
    searches = _begun(model, settings, begins, required or nothing, banned or nothing)
    state = model.start(sources)
    active = list(range(len(sources)))
    tokens = [model.begin] * len(sources)
    step = 0
    while active:
        log_probabilities, state = model.step(state, np.array(tokens, np.intp))
        rows: list[int] = []
        tokens = []
        first, still = 0, []
        for place in active:
            search = searches[place]
            count = len(search.live)
            parents = _advance(search, log_probabilities[first : first + count], step, settings, model.end)
            rows += [first + parent for parent in parents]
            tokens += [one.tokens[-1] for one in search.live]
            still += [place] if search.live else []
            first += count
        active = still
        step += 1
        if active:
            state = state.select_rows(np.array(rows, np.intp))
    return [_best(search, settings) for search in searches]


def _begun(
    model: StepModel[Where],
    settings: BeamSettings,
    prefixes: Sequence[Sequence[int]],
    required: Sequence[Phrases],
    banned: Sequence[Phrases],
) -> list[_Search]:
    """One hypothesis per source (the groups after the first begin as copies of it); what cannot be met is refused."""
    found = []
    for prefix, wanted, unwanted in zip(map(tuple, prefixes), required, banned, strict=True):
        room = settings.longest - len(prefix)
        check_constraints(wanted, unwanted, room, model.vocabulary, model.end, model.suppressed)
        begin = _Live((), 0.0, PhraseProgress(wanted))
        found.append(_Search(prefix, unwanted, [_Group([begin]), *(_Group([]) for _ in range(settings.groups - 1))]))
    return found


def _advance(
    search: _Search, log_probabilities: LogProbabilities, step: int, settings: BeamSettings, end: int
) -> list[int]:
    """Go on by one token; gives, for each hypothesis that is live then, the row that it continues."""
    if step < len(search.prefix):
        (begin,) = search.live
        search.groups[0].live = [begin._replace(tokens=(*begin.tokens, search.prefix[step]))]
        if step + 1 == settings.longest:
            search.groups[0].ended.append(_hypothesis(search.groups[0].live[0], settings, ended=False))
            search.groups[0].live = []
        return [0] * len(search.live)
    if step == len(search.prefix):  # until here one hypothesis stands for all groups
        starts = [0] * len(search.groups)
        lives = [list(search.groups[0].live) for _ in search.groups]
    else:
        starts = np.cumsum([0, *(len(group.live) for group in search.groups)])[:-1].tolist()
        lives = [group.live for group in search.groups]
    last = step + 1 == settings.longest
    taken: Counter[int] = Counter()
    parents = []
    for group, live, start in zip(search.groups, lives, starts, strict=True):
        own = log_probabilities[start : start + len(live)]
        if live:
            going = _go_on(group, live, own, taken, search.banned, settings, end, last=last)
            parents += [start + one.parent for one in going]
    return parents


def _go_on(
    group: _Group,
    live: Sequence[_Live],
    log_probabilities: LogProbabilities,
    taken: Counter[int],
    banned: Phrases,
    settings: BeamSettings,
    end: int,
    *,
    last: bool,
) -> list[_Choice]:
    """One step of a group: what ends is kept, what goes on becomes live; its tokens are `taken` for later groups."""
    width = settings.width // settings.groups
    totals = log_probabilities.astype(np.float64) + np.array([one.total for one in live])[:, None]
    for row, one in enumerate(live):
        totals[row, banned_next(one.tokens, banned)] = -np.inf
        if not one.progress.complete:
            totals[row, end] = -np.inf
    ranks = totals
    if taken and settings.diversity:
        ranks = totals.copy()
        for token, count in taken.items():
            ranks[:, token] -= settings.diversity * count
    candidates = _candidates(live, totals, ranks, width)
    ending, going = _allocate(candidates, width, live[0].progress, end)
    taken.update({one.token for one in (*ending, *going)})
    if candidates and candidates[0].token == end:
        group.best_ended = True
    group.ended += [_hypothesis(_continued(live, choice, end), settings, ended=True) for choice in ending]
    if last:
        room = max(0, width - len(ending))
        complete = [one for one in going if one.progress.complete][:room]
        group.ended += [_hypothesis(_continued(live, one, end), settings, ended=False) for one in complete]
        going = []
    if settings.penalty == 0:
        over = group.best_ended and len(group.ended) >= -(-settings.n // settings.groups)
    else:
        over = len(group.ended) >= width
    going = [] if over else going
    group.live = [_continued(live, one, end) for one in going]
    return going


def _candidates(
    live: Sequence[_Live], totals: NDArray[np.float64], ranks: NDArray[np.float64], width: int
) -> list[_Choice]:
    """The best continuations of all; with constraints also each that meets one, and the best of each hypothesis."""
    flat = ranks.ravel()
    count = min(2 * width, len(flat))
    best = np.flatnonzero(flat >= np.partition(flat, len(flat) - count)[len(flat) - count])
    places = set(best[np.argsort(-flat[best], kind="stable")][:count].tolist())
    if live[0].progress.unmet or live[0].progress.done:
        for row, one in enumerate(live):
            places.update(row * totals.shape[1] + token for token in one.progress.wanted())
            places.add(row * totals.shape[1] + int(ranks[row].argmax()))
    found = []
    for place in places:
        row, token = divmod(place, totals.shape[1])
        if np.isfinite(totals[row, token]):
            progress = live[row].progress.after(token)
            found.append(_Choice(row, token, float(totals[row, token]), float(ranks[row, token]), progress))
    return sorted(found, key=lambda one: (-one.rank, one.parent, one.token))


def _allocate(
    candidates: Sequence[_Choice], width: int, progress: PhraseProgress, end: int
) -> tuple[list[_Choice], list[_Choice]]:
    """The continuations that end, and those that go on, `width` of them where there are so many.

    A bank has those with the same number of constraint tokens in place. Each has an equal share of the beam, the last
    one what is left over; what a bank cannot fill goes to the others, those with more constraints met first.
    """
    most = progress.done + sum(map(len, progress.unmet))  # constraint tokens in all
    banks: list[list[_Choice]] = [[] for _ in range(most + 1)]
    for one in candidates:
        banks[one.progress.met].append(one)
    shares = [width // len(banks)] * len(banks)
    shares[-1] += width % len(banks)
    taken = [min(share, len(bank)) for share, bank in zip(shares, banks, strict=True)]
    left = width - sum(taken)
    for number in range(most, -1, -1):
        more = min(left, len(banks[number]) - taken[number])
        taken[number] += more
        left -= more
    ending, going = [], []
    for bank, share in zip(banks, taken, strict=True):
        spare = (one for one in bank[share:] if one.token != end)
        for one in bank[:share]:
            if one.token == end:
                ending.append(one)
                replacement = next(spare, None)
                going += [replacement] if replacement is not None else []
            else:
                going.append(one)
    return ending, sorted(going, key=lambda one: (-one.rank, one.parent, one.token))


def _continued(live: Sequence[_Live], choice: _Choice, end: int) -> _Live:
    before = live[choice.parent].tokens
    tokens = before if choice.token == end else (*before, choice.token)
    return _Live(tokens, choice.total, choice.progress)


def _hypothesis(found: _Live, settings: BeamSettings, *, ended: bool) -> Hypothesis:
    score = score_of(found.total, len(found.tokens) + ended, settings.penalty)
    return Hypothesis(found.tokens, found.total, score, ended)


def _best(search: _Search, settings: BeamSettings) -> list[Hypothesis]:
    """The n best by score; of several groups the best of each first."""
    places = {
        one: place
        for group in search.groups
        for place, one in enumerate(sorted(group.ended, key=lambda one: -one.score))
    }
    found = sorted(places, key=lambda one: (places[one] if settings.groups > 1 else 0, -one.score))
    distinct: dict[tuple[int, ...], Hypothesis] = {}
    for one in found:
        distinct.setdefault(one.tokens, one)
    return list(distinct.values())[: settings.n]
