"""What more references cover of the systems' outputs, and how much versions of the same lines differ in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..compute.features import Tokens
from ..compute.workspace import Workspace
from ..errors import Hint, InputError, nearest
from ..metrics.diversity.ds_bow import DsBow
from ..tables.samples import Samples
from ..text.tokens import NAMES
from .human import read_score_file
from .scoring import score_task
from .task import EvaluationSet

Gram = tuple[str, ...]
ORDER = 4
Table = tuple[list[str], list[list[str | float | int]]]


class Counted(NamedTuple):
    """An n-gram, how often it occurs in the outputs of all systems, and in how many segments."""

    gram: str
    occurrences: int
    segments: int


class Coverage(NamedTuple):
    """The n-grams of one length in all outputs: those that the reference rewards, those that the extras add."""

    length: int
    total: int
    single: int  # clipped matches with the reference alone
    augmented: int  # clipped matches with all references
    gained: list[Counted]  # most frequent newly matched
    missing: list[Counted]  # most frequent still without match

    @property
    def single_share(self) -> float:
        return self.single / self.total if self.total else float("nan")

    @property
    def augmented_share(self) -> float:
        return self.augmented / self.total if self.total else float("nan")


class Unrewarded(NamedTuple):
    """An n-gram that good systems agree on and the reference lacks."""

    segment: int  # from 0
    gram: str
    systems: int
    share: float  # of the systems looked at


def measure_coverage(
    task: EvaluationSet, top: int = 20, tokenizer: str = "13a", work: Workspace | None = None
) -> list[Coverage]:
    """For n = 1 … 4, what BLEU's clipped matches gain by the extra references, and what they still miss.

    An occurrence is gained if it is matched with all references and was not with the first alone; it is missing if it
    is matched by none. Both are clipped as in BLEU: of three "the" in an output against two in a reference, one is
    missing.
    """
    outputs, references = _tokens(task, tokenizer, work)
    result = []
    for length in range(1, ORDER + 1):
        total = single = augmented = 0
        gained: Counter[Gram] = Counter()
        missing: Counter[Gram] = Counter()
        gained_in: Counter[Gram] = Counter()
        missing_in: Counter[Gram] = Counter()
        for segment in range(task.segments):
            columns = [_grams(column[segment], length) for column in references]
            first, most = columns[0], columns[0].copy()
            for other in columns[1:]:
                most |= other  # the largest count in any one reference
            here: tuple[set[Gram], set[Gram]] = (set(), set())
            for column in outputs:
                for gram, count in _grams(column[segment], length).items():
                    before, after = min(count, first[gram]), min(count, most[gram])
                    total, single, augmented = total + count, single + before, augmented + after
                    if after > before:
                        gained[gram] += after - before
                        here[0].add(gram)
                    if count > after:
                        missing[gram] += count - after
                        here[1].add(gram)
            gained_in.update(here[0])
            missing_in.update(here[1])
        result.append(
            Coverage(length, total, single, augmented, _top(gained, gained_in, top), _top(missing, missing_in, top))
        )
    return result


def better_half(quality: Mapping[str, float], systems: Sequence[str]) -> list[str]:
    """The better half of the systems that have been judged, best first; of an odd number the larger half."""
    judged = [system for system in systems if system in quality]
    if not judged:
        raise InputError("none of the systems has been judged; expected a score for at least one")
    ranked = sorted(judged, key=lambda system: (-quality[system], system))
    return ranked[: -(-len(ranked) // 2)]


def unrewarded(
    task: EvaluationSet,
    systems: Sequence[str],
    share: float = 0.75,
    lengths: Sequence[int] = (1, 2, 3, 4),
    maximal: bool = False,
    tokenizer: str = "13a",
    work: Workspace | None = None,
) -> list[Unrewarded]:
    """N-grams absent from the reference that at least this share of `systems` have in their output of a segment.

    `systems` are the good ones (`better_half`). With `maximal`, an n-gram inside a longer one that is listed for the
    same segment is left out: a paraphrase that has the longer has it too. Only the first reference counts.
    """
    if not 0 < share <= 1:
        raise InputError(f"a share of {share} of the systems; expected more than 0 and at most 1")
    if not systems:
        raise InputError("no systems to look at; expected at least one")
    outputs, references = _tokens(task.of(systems), tokenizer, work)
    found = []
    for segment in range(task.segments):
        listed: list[Gram] = []
        for length in sorted(lengths, reverse=True):
            known = _grams(references[0][segment], length)
            agreed: Counter[Gram] = Counter()
            for column in outputs:
                agreed.update(_grams(column[segment], length).keys() - known.keys())
            for gram, count in sorted(agreed.items(), key=lambda item: (-item[1], item[0])):
                # a whole number of systems against a product of floats: 0.75 · 8 must let 6 pass
                if count < share * len(systems) - 1e-9 or (maximal and any(_inside(gram, other) for other in listed)):
                    continue
                listed.append(gram)
                found.append(Unrewarded(segment, " ".join(gram), count, count / len(systems)))
    return found


def _inside(gram: Gram, other: Gram) -> bool:
    return any(other[start : start + len(gram)] == gram for start in range(len(other) - len(gram) + 1))


def _grams(tokens: list[str], length: int) -> Counter[Gram]:
    return Counter(zip(*(tokens[start:] for start in range(length)), strict=False))


def _tokens(
    task: EvaluationSet, tokenizer: str, work: Workspace | None
) -> tuple[list[list[list[str]]], list[list[list[str]]]]:
    if tokenizer not in NAMES:
        raise InputError(f"no tokenizer named '{tokenizer}'{nearest(tokenizer, NAMES)}")
    work, feature = Workspace() if work is None else work, Tokens(tokenizer)
    return (
        [work.get(feature, texts) for texts in task.outputs.values()],
        [work.get(feature, column) for column in task.references],
    )


def _top(counts: Counter[Gram], segments: Counter[Gram], top: int) -> list[Counted]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [Counted(" ".join(gram), count, segments[gram]) for gram, count in ranked[:top]]


class Fold(NamedTuple):
    """Systems that are scored, and the others, whose outputs may shape the references they are scored with."""

    scored: list[str]
    others: list[str]


def split_systems(systems: Sequence[str], folds: int = 10, seed: int = 0) -> list[Fold]:
    """Every system is scored in exactly one fold; folds differ in size by at most one system.

    References that contain what good systems write (Bawden et al. 2020's constraints) would otherwise reward the very
    systems they were taken from. With fewer systems than folds, each system is a fold of its own.
    """
    if folds < 2:
        raise InputError(f"{folds} folds leave no other systems; expected at least 2")
    if len(set(systems)) != len(systems):
        raise InputError("a system is named twice; expected every system once")
    if len(systems) < 2:
        raise InputError(f"{len(systems)} systems cannot be split; expected at least 2")
    order = np.random.default_rng(seed).permutation(len(systems))
    parts = np.array_split(order, min(folds, len(systems)))
    return [
        Fold([systems[place] for place in sorted(part)], [systems[place] for place in sorted(set(order) - set(part))])
        for part in parts
    ]


def unrewarded_by_fold(
    task: EvaluationSet,
    quality: Mapping[str, float],
    folds: int = 10,
    seed: int = 0,
    share: float = 0.75,
    lengths: Sequence[int] = (4,),
) -> list[tuple[Fold, list[Unrewarded]]]:
    """For each fold the n-grams that the better half of the other systems agree on: what its references may use."""
    judged = [system for system in task.systems if system in quality]
    return [
        (fold, unrewarded(task, better_half(quality, fold.others), share, lengths, maximal=True))
        for fold in split_systems(judged, folds, seed)
    ]


def coverage_table(task: EvaluationSet, show: str = "shares", top: int = 20) -> Table:
    """`shares` of the n-grams that are matched, or the most frequent n-grams that are `gained` or still `missing`."""
    if not task.extras and show == "gained":
        hint = Hint("give at least one file with {extras}", extras=None)
        raise InputError("there are no additional references", hint)
    found = measure_coverage(task, top)
    if show == "shares":
        return ["n", "n-grams", "by the reference", "with the extras", "gained"], [
            [row.length, row.total, row.single_share, row.augmented_share, row.augmented_share - row.single_share]
            for row in found
        ]
    return ["n", "n-gram", "occurrences", "segments"], [
        [row.length, *counted] for row in found for counted in (row.gained if show == "gained" else row.missing)
    ]


def unrewarded_table(
    task: EvaluationSet, human: Path | None = None, share: float = 0.75, folds: int | None = None, seed: int = 0
) -> Table:
    """By segment, n-grams that the reference lacks and that share of the better half of the systems have.

    With `folds`, for each of them by the systems of the others.
    """
    quality = system_quality(task, human)
    if folds is None:
        found = unrewarded(task, better_half(quality, task.systems), share, maximal=True)
        return ["segment", "n-gram", "systems", "share"], [[row.segment + 1, *row[1:]] for row in found]
    return ["fold", "scored", "segment", "n-gram", "systems", "share"], [
        [number, " ".join(fold.scored), row.segment + 1, *row[1:]]
        for number, (fold, listed) in enumerate(unrewarded_by_fold(task, quality, folds, seed, share), 1)
        for row in listed
    ]


def system_quality(task: EvaluationSet, human: Path | None = None) -> dict[str, float]:
    """How good each system is: the mean of its scores in a file of human scores, or else its BLEU."""
    if human is not None:
        judged = read_score_file(human)
        return {system: float(np.nanmean(values)) for system, values in judged.items() if not np.isnan(values).all()}
    scored = score_task(task, sizes=[0])[0]
    return dict(zip(scored.systems, map(float, scored.corpus), strict=True))


class Diversity(NamedTuple):
    """Mean over the lines, and on how many of them it is defined."""

    kind: str
    value: float
    lines: int
    undefined: int


def word_diversity(versions: Sequence[Sequence[str]], tokenizer: str = "13a") -> Diversity:
    """DS-BOW of Bawden et al. 2020: line n of every version is a set, in which an empty line is a word of its own."""
    lines = by_line(versions)
    sets = [Samples.of(candidates=texts) for texts in lines]
    # as published: with empty lines, which `DsBow.rate` leaves out of a set
    return mean_of("words", DsBow(tokenizer=tokenizer).rate_sets(sets, Workspace()))


def by_line(versions: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Line n of every version, for each n."""
    if len(versions) < 2:
        raise InputError(f"{len(versions)} version has nothing to differ from; expected at least 2")
    lengths = {len(column) for column in versions}
    if lengths == {0}:
        raise InputError("the versions have no lines; expected at least one")
    if len(lengths) > 1:
        raise InputError(f"the versions have {sorted(lengths)} lines; line n of each belongs to line n of all")
    return list(zip(*versions, strict=True))


def mean_of(kind: str, scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Diversity:
    """The mean of the lines that have a score."""
    defined = scores[~np.isnan(scores)]
    mean = float(defined.mean()) if len(defined) else float("nan")
    return Diversity(kind, mean, len(scores), len(scores) - len(defined))
