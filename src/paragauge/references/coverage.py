"""Which n-grams of the outputs further references reward, and which stay unrewarded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..compute.features import Tokens
from ..compute.workspace import Workspace
from ..errors import InputError, nearest
from ..text.tokens import NAMES
from .task import Task

Gram = tuple[str, ...]
ORDER = 4


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
    task: Task, top: int = 20, tokenizer: str = "13a", work: Workspace | None = None
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
    task: Task,
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


def _tokens(task: Task, tokenizer: str, work: Workspace | None) -> tuple[list[list[list[str]]], list[list[list[str]]]]:
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
