"""Edits between two token lists when moving a block of words is one edit: the numerator of TER.

The numbers are those of sacrebleu's `translation_edit_rate` (Post 2018; after Tercom, Snover et al. 2006), limits and
quirks included: greedily apply the shift that lowers the edit distance most until none does, with the distance taken
inside a beam about the diagonal. Only the way to the numbers differs:

- rows of the distance matrix are bit vectors in Python integers (Myers 1999, Hyyrö 2003), one bit per column;
- distances of shifted candidates come from rapidfuzz, or from the rows that the shift has changed;
- no shift is looked for once the words that are missing, which no order can mend, make up the distance.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import repeat
from typing import Any, ClassVar, NamedTuple

from rapidfuzz.distance.LCSseq import similarity as common_subsequence
from rapidfuzz.distance.Levenshtein import distance as plain_distance

LONGEST_BLOCK = 10
FARTHEST_MATCH = 50  # between the position of a block and that of its match in the reference
MOST_SHIFTS = 1000  # looked at for one pair; the round that reaches it is abandoned
BEAM = 25  # cells on either side of the pseudo-diagonal

# Up to here words become letters below U+0100, for which rapidfuzz has direct tables; beyond, its distances cost more
# than looking again at the rows of the beam that a shift has changed.
_SHORT = 255
_ABSENT = "\0"

Words = Sequence[str]  # within this module: a string with a letter per word, or a list
Shift = tuple[int, int, int]  # -length, start, target: among equal gains, Tercom prefers the smallest


def count_edits(candidate: Sequence[Any], reference: Sequence[Any]) -> int:
    """Insertions, deletions, substitutions and shifts that turn a candidate into its reference.

    >>> count_edits(["d", "a", "b", "c"], ["a", "b", "c", "d"])
    1
    """
    longer, gap = max(len(candidate), len(reference)), abs(len(candidate) - len(reference))
    if longer == gap:
        return longer
    # A shift leaves the bag of words as it is, and with it `least`, a lower bound of the distance.
    if longer > _SHORT:
        candidate, reference = list(candidate), list(reference)
        least = longer - (Counter(candidate) & Counter(reference)).total()
    else:
        candidate, reference = _letters(candidate, reference)
        least = longer - common_subsequence("".join(sorted(candidate)), "".join(sorted(reference)))
        distance = plain_distance(candidate, reference)
        if _whole_in_beam(len(candidate), len(reference), distance):
            return distance if distance <= least + 1 else _search(candidate, distance, least, _Whole(reference))
    beam = _Beam(reference, len(candidate))
    return _search(candidate, beam.fill(candidate), least, beam)


def _whole_in_beam(candidate: int, reference: int, distance: int) -> bool:
    """Is the beam without effect on texts of these lengths with this distance?

    It holds every cell of a short reference, and otherwise every optimal path. Such a path has at most
    (distance + gap) / 2 insertions and as many deletions, and the pseudo-diagonal lies between the diagonals through
    the corners or, rounded, one cell next to them; so the path is at most (distance + gap) / 2 + 1 <= 24 cells from
    it. What the beam leaves out only makes other paths more expensive, so the distance and the trace stay. The same
    holds after any shift that lowers the distance.
    """
    return reference < BEAM or distance + abs(candidate - reference) <= 2 * (BEAM - 2)


def _search(candidate: Words, distance: int, least: int, matrix: _Matrix) -> int:
    """Shifts, greedily chosen, and the distance that they leave."""
    shifts = seen = 0
    while distance > least + 1:  # where only one edit can be saved, the shift that saves it costs as much
        matrix.fill(candidate)
        found, choices = _find_shifts(candidate, matrix, MOST_SHIFTS - seen)
        seen += found
        if seen >= MOST_SHIFTS:
            break
        best, chosen = distance, candidate
        for choice in sorted(choices):
            start, border, end = _exchanged(choice)
            # no more can be saved: as many edits take the shorter block out and put it in again
            if matrix.exact and distance - 2 * min(border - start, end - border) >= best:
                continue
            shifted = _apply(choice, candidate)
            cost = matrix.distance(shifted, choice, best - 1)
            if cost < best:
                best, chosen = cost, shifted
                if best == least:
                    break
        if best == distance:
            break
        shifts += 1
        candidate, distance = chosen, best
    return shifts + distance


def _letters(candidate: Words, reference: Words) -> tuple[str, str]:
    """Both with one letter per word; words that the reference lacks need not be told apart."""
    letters: dict[str, str] = {}
    for word in reference:
        if word not in letters:
            letters[word] = chr(len(letters) + 1)
    return "".join([letters.get(word, _ABSENT) for word in candidate]), "".join([letters[word] for word in reference])


def _find_shifts(candidate: Words, matrix: _Matrix, limit: int) -> tuple[int, set[Shift]]:
    """How many shifts sacrebleu would look at (`limit` or more are not all counted), and the distinct ones."""
    reference, columns = matrix.reference, matrix.columns
    targets, candidate_waits, reference_waits = matrix.align(candidate)
    far = max(len(candidate), len(reference)) > FARTHEST_MATCH
    found = 0
    shifts: set[Shift] = set()
    add = shifts.add
    for start, word in enumerate(candidate):
        wait = candidate_waits[start]
        if wait > LONGEST_BLOCK:
            continue
        places = columns.get(word, [])
        if far:
            places = _between(places, start - FARTHEST_MATCH, start + FARTHEST_MATCH)
        for place in places:
            # The block must not hold the word that the match of its first word is aligned with.
            longest = targets[place + 1] - 1 - start
            if longest < 0 or longest > LONGEST_BLOCK:
                longest = LONGEST_BLOCK
            shortest = max(wait, reference_waits[place])
            if shortest > longest:
                continue
            longest = min(longest, len(candidate) - start, len(reference) - place)
            length = 1
            while length < longest and candidate[start + length] == reference[place + length]:
                length += 1
            for size in range(shortest, length + 1):
                goals = set(targets[place : place + size + 1])
                found += len(goals)
                for goal in goals:
                    add((-size, start, goal))
        if found >= limit:
            break
    return found, shifts


def _between(places: list[int], first: int, last: int) -> list[int]:
    return places[bisect_left(places, first) : bisect_right(places, last)]


def _exchanged(shift: Shift) -> tuple[int, int, int]:
    """Start, border and end of the two neighbouring blocks that a shift makes change places.

    As in sacrebleu, a target within the block means: as far to the right as the target is from the block's start.
    """
    length, start, target = -shift[0], shift[1], shift[2]
    end = start + length
    if target < start:
        return target, start, end
    return start, end, target if target > end else target + length


def _apply(shift: Shift, words: Words) -> Words:
    start, border, end = _exchanged(shift)
    parts: Any = words  # strings and lists add up, sequences in general do not
    moved: Words = parts[:start] + parts[border:end] + parts[start:border] + parts[end:]
    return moved


class _Alignment(NamedTuple):
    """The cheapest edits; among equals Tercom's choice: match or substitution, then deletion, then insertion."""

    targets: list[int]  # before the first and after each word of the reference: words of the candidate used so far
    candidate_waits: list[int]  # per word, the length of the shortest block from it that holds an error
    reference_waits: list[int]


class _Matrix(ABC):
    """The distance matrix: a row per word of the candidate, in each a bit per word of the reference.

    Kept of a row is what the way back needs: the cells that are cheaper than coming from the diagonal (`askew`),
    those that are one more expensive than the cell above (`deleting`), and the words before the first bit (`bases`).
    """

    exact: ClassVar[bool] = False  # are its distances those without a beam, so that they obey the triangle inequality?
    bases: list[int]
    askew: list[int]
    deleting: list[int]

    def __init__(self, reference: Words) -> None:
        self.reference = reference
        self.columns: dict[str, list[int]] = {}
        for place, word in enumerate(reference):
            self.columns.setdefault(word, []).append(place)

    @abstractmethod
    def fill(self, candidate: Words) -> int:
        """Compute the rows of this candidate; returns its distance."""

    @abstractmethod
    def distance(self, shifted: Words, shift: Shift, most: int) -> int:
        """The distance after a shift of the candidate, or some number above `most`."""

    def align(self, candidate: Words) -> _Alignment:
        reference, bases, askew, deleting = self.reference, self.bases, self.askew, self.deleting
        row, column = len(candidate), len(reference)
        targets, candidate_waits, reference_waits = [0] * (column + 1), [1] * row, [1] * column
        here = there = LONGEST_BLOCK
        while row and column:
            bit = column - 1 - bases[row - 1]
            if not askew[row - 1] >> bit & 1:
                targets[column] = row
                row -= 1
                column -= 1
                if candidate[row] == reference[column]:
                    here += 1
                    there += 1
                else:
                    here = there = 1
                candidate_waits[row] = here
                reference_waits[column] = there
            elif deleting[row - 1] >> bit & 1:
                row -= 1
                here = 1
            else:
                targets[column] = row
                column -= 1
                there = 1
        return _Alignment(targets, candidate_waits, reference_waits)


class _Whole(_Matrix):
    """The matrix without a beam, for short texts."""

    exact: ClassVar[bool] = True

    def __init__(self, reference: Words) -> None:
        super().__init__(reference)
        self.masks = {word: sum([1 << place for place in places]) for word, places in self.columns.items()}

    def fill(self, candidate: Words) -> int:
        mask = rising = (1 << len(self.reference)) - 1
        falling = 0
        askew, deleting = [], []
        for match in map(self.masks.get, candidate, repeat(0)):
            level = (((match & rising) + rising) ^ rising) | match | falling
            up = falling | ~(level | rising)
            askew.append(level & ~match)
            deleting.append(up)
            up = up << 1 | 1
            rising, falling = ((level & rising) << 1 | ~(level | up)) & mask, up & level & mask
        self.bases, self.askew, self.deleting = [0] * len(candidate), askew, deleting
        return len(candidate) + rising.bit_count() - falling.bit_count()

    def distance(self, shifted: Words, shift: Shift, most: int) -> int:  # noqa: ARG002
        return plain_distance(shifted, self.reference, score_cutoff=most)


class _Row(NamedTuple):
    """The value before the first bit, and where a cell is one more (`rising`) or less (`falling`) than the last."""

    edge: int
    rising: int
    falling: int

    @property
    def end(self) -> int:
        return self.edge + self.rising.bit_count() - self.falling.bit_count()


class _Step(NamedTuple):
    """What changes from one row of the beam to the next."""

    base: int
    slide: int  # columns that the beam leaves behind
    stays: bool  # on the left is a cell outside the beam, and was in the row above
    mask: int
    known: int  # the columns that the row above has too


class _Beam(_Matrix):
    """The matrix inside sacrebleu's beam, whose outside is infinitely expensive.

    Differences of -1, 0 and 1 are enough for an infinity that never wins: a cell outside counts as one more than its
    neighbour inside, so that a way through it costs more than the way past it.
    """

    def __init__(self, reference: Words, rows: int) -> None:
        super().__init__(reference)
        width = len(reference)
        ratio = width / rows
        reach = math.ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
        self.rows = [_Row(0, (1 << width) - 1, 0)]
        self.steps: list[_Step] = []
        low, last, base = 0, width, 0
        for row in range(1, rows + 1):
            diagonal = math.floor(row * ratio)
            low, above_low = max(0, diagonal - reach), low
            last, above_last = width if row == rows else min(width, diagonal + reach - 1), last
            base, above_base = max(low - 1, 0), base
            mask = (1 << last - base) - 1
            known = mask & ((1 << above_last - base) - 1)
            self.steps.append(_Step(base, base - above_base, 0 < low == above_low, mask, known))
        self.bases = [step.base for step in self.steps]

    def fill(self, candidate: Words) -> int:
        self.askew, self.deleting = [], []
        del self.rows[1:]
        for word, step in zip(candidate, self.steps, strict=True):
            row, askew, deleting = self._below(self.rows[-1], step, word)
            self.rows.append(row)
            self.askew.append(askew)
            self.deleting.append(deleting)
        return self.rows[-1].end

    def distance(self, shifted: Words, shift: Shift, most: int) -> int:
        if isinstance(shifted, str):
            plain = plain_distance(shifted, self.reference, score_cutoff=most)
            if plain > most:  # and inside the beam it is no less
                return plain
        first, _, end = _exchanged(shift)
        row = self.rows[first]
        for number in range(first, len(shifted)):
            row, _, _ = self._below(row, self.steps[number], shifted[number])
            before = self.rows[number + 1]
            if number + 1 >= end and row[1:] == before[1:]:  # and so it goes on to the end
                return self.rows[-1].end + row.edge - before.edge
        return row.end

    def _below(self, row: _Row, step: _Step, word: str) -> tuple[_Row, int, int]:
        """The next row, its cells that are askew and those that are deleting."""
        edge, rising, falling = row
        base, slide, stays, mask, known = step
        match = 0
        for place in _between(self.columns.get(word, []), base, base + mask.bit_length() - 1):
            match |= 1 << place - base
        if slide:
            passed = (1 << slide) - 1
            edge += (rising & passed).bit_count() - (falling & passed).bit_count()
            rising >>= slide
            falling >>= slide
        elif stays:  # so only the cell above leads to the first one
            edge += (rising & 1) - (falling & 1) + 1
            rising &= ~1
            falling |= 1
            match &= ~1
        rising = rising & known | mask ^ known
        falling &= known
        reached = (known << 1 | 1) & mask  # only the cell on the left leads to those on the right of it
        match &= reached
        level = (((match & rising) + rising) ^ rising) | match | falling
        up = falling | ~(level | rising)
        askew, deleting = level & ~match | mask ^ reached, up & reached
        up = up << 1 | 1
        return _Row(edge + 1, ((level & rising) << 1 | ~(level | up)) & mask, up & level & mask), askew, deleting
