"""A source and a candidate through the pair model: sentence by sentence where there are several."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from ....compute.features import Encoding, read_together
from ....metric import Floats, Workspace
from ....models.encoders.encoder import Encoder
from ....models.pairs.reader import KINDS, Mark, PairReader, Reading
from ....text.sentences import sentence_places
from ....verdict.findings import GARBLED, READER, Finding, Span

Pair = tuple[str, str]
Place = tuple[int, int]

# words for the kinds of marks, where the kind itself is none
_WORDS = {"other": "other word", "time": "date or time", "person": "person or gender", "roles": "roles or order"}
_ALIKE = 0.3  # cosine of a sentence and its partner, at least
_ONE_SIDED = 3.0  # logits of both directions that are so far apart say that something is left out, or more is said
_ALONE = -6.0  # logit of what follows from a text that lacks a sentence of it


class AlignedSentences(NamedTuple):
    """Sentences of a source and of a candidate that say the same, or are meant to; one side may be empty."""

    source: tuple[Place, ...]
    candidate: tuple[Place, ...]


def read_pairs(reader: PairReader, encoder: Encoder, pairs: Sequence[Pair], work: Workspace) -> list[Reading]:
    """The reading of each pair of a source and a candidate, neither of which is empty.

    Of texts of several sentences, those that belong together are read together; the worst of them counts, and a
    sentence without a partner is dropped or added. The texts are read as a whole too, and a fault counts where both
    readings see it: the worst of many sentences is often a false alarm, and what one lacks may stand in another.
    """
    parts = _parts(encoder, pairs, work)
    asked = [
        (_joined(source, part.source), _joined(candidate, part.candidate))
        for (source, candidate), own in zip(pairs, parts, strict=True)
        for part in own
        if part.source and part.candidate
    ]
    cut = [pair for pair, own in zip(pairs, parts, strict=True) if len(own) > 1]
    answers = iter(read_together(reader, [*asked, *cut], work))
    by_parts = [
        _whole([(part, next(answers) if part.source and part.candidate else None) for part in own]) for own in parts
    ]
    return [_both(found, next(answers)) if len(own) > 1 else found for found, own in zip(by_parts, parts, strict=True)]


def _both(parts: Reading, whole: Reading) -> Reading:
    """What the readings of the parts and of the whole both see, if there was room for the whole."""
    if whole.truncated:
        return parts
    forward, backward, fluent = (max(pair) for pair in zip(parts[:3], whole[:3], strict=True))
    return parts._replace(forward=forward, backward=backward, fluent=fluent)


def findings_of(reading: Reading, lost: float, broken: float) -> list[Finding]:
    """What the reader finds: broken language, or else what is lost, where their logits are above these."""
    if -reading.fluent > broken:
        spans = [Span(mark.start, mark.end) for mark in reading.marks if mark.side and KINDS[mark.kind] == "broken"]
        return [Finding(READER, GARBLED, None, Span.of(*spans) if spans else None)]
    if -min(reading.forward, reading.backward) <= lost:
        return []
    found = []
    for kind in dict.fromkeys(mark.kind for mark in reading.marks if KINDS[mark.kind] != "broken"):
        sides = [
            [Span(mark.start, mark.end) for mark in reading.marks if mark.kind == kind and mark.side == side]
            for side in (0, 1)
        ]
        name = _WORDS.get(KINDS[kind], KINDS[kind])
        found += [Finding(READER, name, *both) for both in zip_longest(*sides)]
    if found:
        return found
    missing = reading.backward < reading.forward - _ONE_SIDED
    more = reading.forward < reading.backward - _ONE_SIDED
    whole = "dropped" if missing else "added" if more else "another meaning"
    return [Finding(READER, whole, *(map(Span._make, reading.worst) if reading.worst else (None, None)))]


def _parts(encoder: Encoder, pairs: Sequence[Pair], work: Workspace) -> list[list[AlignedSentences]]:
    places = [(sentence_places(source), sentence_places(candidate)) for source, candidate in pairs]
    texts = [
        text[start:end]
        for pair, own in zip(pairs, places, strict=True)
        if any(len(side) > 1 for side in own)
        for text, side in zip(pair, own, strict=True)
        for start, end in side
    ]
    vectors = iter(found.sentence for found in work.get(Encoding(encoder), texts)) if texts else iter(())
    parts = []
    for pair, (here, there) in zip(pairs, places, strict=True):
        if len(here) > 1 or len(there) > 1:
            one, other = ([next(vectors) for _ in side] for side in (here, there))
            alike = _cosines(np.array(one, np.float64), np.array(other, np.float64))
            parts.append(_aligned(here, there, alike))
        else:
            parts.append([AlignedSentences(((0, len(pair[0])),), ((0, len(pair[1])),))])
    return parts


def _cosines(here: Floats, there: Floats) -> Floats:
    """Of each row of one with each of the other."""
    lengths = np.outer(np.linalg.norm(here, axis=1), np.linalg.norm(there, axis=1))
    found: Floats = here @ there.T / np.maximum(lengths, 1e-12)
    return found


def _aligned(here: Sequence[Place], there: Sequence[Place], alike: Floats) -> list[AlignedSentences]:
    """Sentences are of one part where one is the nearest of all to the other; so several may be in place of one."""
    group = list(range(len(here) + len(there)))

    def first(place: int) -> int:
        while group[place] != place:
            place = group[place]
        return place

    nearest = [(row, int(column)) for row, column in enumerate(alike.argmax(axis=1))]
    nearest += [(int(row), column) for column, row in enumerate(alike.argmax(axis=0))]
    for row, column in nearest:
        if alike[row, column] >= _ALIKE:
            group[first(len(here) + column)] = first(row)
    owners = [first(place) for place in range(len(group))]
    return [
        AlignedSentences(
            tuple(place for place, owner in zip(here, owners, strict=False) if owner == own),
            tuple(place for place, owner in zip(there, owners[len(here) :], strict=True) if owner == own),
        )
        for own in dict.fromkeys(owners)
    ]


def _joined(text: str, places: Sequence[Place]) -> str:
    return " ".join(text[start:end] for start, end in places)


def _whole(parts: Sequence[tuple[AlignedSentences, Reading | None]]) -> Reading:
    readings, marks = list[Reading](), list[Mark]()
    worst: tuple[Place, Place] | None = None
    for part, reading in parts:
        if reading is not None:
            if len(parts) > 1 and min(reading[:2]) < min((min(one[:2]) for one in readings), default=np.inf):
                worst = (_over(part.source), _over(part.candidate))
            readings.append(reading)
            marks += [one for mark in reading.marks for one in _back(mark, (part.source, part.candidate)[mark.side])]
        else:
            side = 0 if part.source else 1
            kind = KINDS.index("added" if side else "dropped")
            marks += [Mark(side, start, end, kind, 1.0) for start, end in (part.source, part.candidate)[side]]
    lost = any(not part.candidate for part, _ in parts)
    more = any(not part.source for part, _ in parts)
    return (
        Reading(
            min([one.forward for one in readings] + [_ALONE] * more),
            min([one.backward for one in readings] + [_ALONE] * lost),
            min([one.fluent for one in readings], default=0.0),
            tuple(sorted(marks)),
            sum(one.tokens for one in readings),
            sum(one.unknown for one in readings),
            sum(one.truncated for one in readings),
            worst,
        )
        if readings
        else Reading(_ALONE, _ALONE, 0.0, tuple(marks), 0, 0, 0)
    )


def _over(places: Sequence[Place]) -> Place:
    return places[0][0], places[-1][1]


def _back(mark: Mark, places: Sequence[Place]) -> list[Mark]:
    """The mark where its words stand in the whole text; in two where it goes over the end of a sentence."""
    found, begin = [], 0
    for start, end in places:
        one, other = max(mark.start - begin, 0), min(mark.end - begin, end - start)
        if one < other:
            found.append(mark._replace(start=start + one, end=start + other))
        begin += end - start + 1
    return found
