"""What `meaning` knows of a pair of texts before it is blended: scores, what a model reads, what rules find, order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compute.features import Encoding, read_together
from ...metric import Floats, Workspace
from ...models.encoders.encoder import Encoder
from ...models.pairs.reader import KINDS, Mark, PairReader, Reading
from ...text.normalize import collapse_repeats
from ...text.sentences import sentence_places
from ...verdict.findings import GARBLED, READER, Finding, Span
from ...verdict.rules import findings
from ..form.changed import changed
from ..meaning.bertscore import BertScore
from ..meaning.cosine import Cosine
from .encoder import TokenMetric

Place = tuple[int, int]

# words for the kinds of marks, where the kind itself is none
_WORDS = {"other": "other word", "time": "date or time", "person": "person or gender", "roles": "roles or order"}
_ALIKE = 0.3  # cosine of a sentence and its partner, at least
_ONE_SIDED = 3.0  # logits of both directions that are so far apart say that something is left out, or more is said
_ALONE = -6.0  # logit of what follows from a text that lacks a sentence of it

Pair = tuple[str, str]

# rules by whose findings the blend was trained: whether a rule counts in the verdict is another thing
LEARNED_LOSSES = ("number", "name", "negation", "modal", "question", "roles", "antonym")
# BERTScore F, its recall (what of the other text is in the candidate) and the cosine of the encoder as it is; what the
# reader says of both directions, of the weaker of them, and of the language, as tanh(logit/5); how near a copy the pair
# is, and that times two more: how far words were exchanged, and whether a rule sees something lost; then what rules see
# lost, each kind by itself, since a lost number says more than a lost name.
EVIDENCE = (
    *("frozen", "recall", "cosine"),
    *("forward", "backward", "weaker", "fluent"),
    *("near", "crossed", "lost"),
    *(f"lost_{rule}" for rule in LEARNED_LOSSES),
)
NEAR = 0.5  # `changed` from which on a pair is not a near copy
_SCALE = 5.0

_WORD = re.compile(r"\w+|[,;]")
_JOINS = frozenset([",", ";", "and", "or", "nor"])
_LIST = 4  # words: those of a list are this far apart at most
_LONGEST = 250  # shared words: longer texts are left alone


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


def evidence(metric: TokenMetric, pairs: Sequence[Pair], reader: PairReader, work: Workspace) -> Floats:
    """What is known of each pair of a candidate and another text [n, k], in the order of `EVIDENCE`."""
    turned = [(other, text) for text, other in pairs]
    near = nearness(turned, work)
    found = [{one.rule for one in own} for own in work.get(Findings(), turned)]
    losses = np.array([[rule in own for rule in LEARNED_LOSSES] for own in found], np.float64)
    losses = losses.reshape(-1, len(LEARNED_LOSSES))
    said = np.full((len(pairs), 3), np.nan)
    whole = [row for row, pair in enumerate(turned) if all(map(str.strip, pair))]
    if whole:
        readings = read_pairs(reader, metric.load(), [turned[row] for row in whole], work)
        said[whole] = np.tanh(np.array([one[:3] for one in readings]) / _SCALE)
    plain = [(collapse_repeats(text), collapse_repeats(other)) for text, other in pairs]
    order = np.array([np.sqrt(crossed(*pair)) if own else 0.0 for pair, own in zip(turned, near, strict=True)])
    score = BertScore(**metric.token_parameters())
    likeness = [
        score.compare(plain, work),
        BertScore(**metric.token_parameters() | {"part": "recall"}).compare(plain, work),
        Cosine(**metric.encoder_parameters()).compare(plain, work),
    ]
    both = [*said[:, :2].T, said[:, :2].min(axis=1), said[:, 2]]
    return np.column_stack([*likeness, *both, near, near * order, near * losses.any(axis=1), *losses.T])


def nearness(pairs: Sequence[Pair], work: Workspace) -> Floats:
    """How near a copy each pair of a source and a candidate is: 1 for a copy, 0 from `changed` = `NEAR` on."""
    return np.clip(1 - np.nan_to_num(changed(pairs, work), nan=1.0) / NEAR, 0, 1)


def crossed(source: str, candidate: str) -> float:
    """The share of pairs of shared words in another order, once the part whose move explains most of it is left out.

    0 where the order is the same, where one part stands elsewhere ("today it rains", "it rains today"), and for items
    of a list that changed places; more where two parts were exchanged. Words that either text has twice are left out,
    and texts that share more than 250.

    >>> crossed("Today Ann paid Bob", "Ann paid Bob today"), crossed("Ann or Bob pays", "Bob or Ann pays")
    (0.0, 0.0)
    >>> round(crossed("Ann paid Bob today", "Bob paid Ann today"), 2)
    0.17
    """
    here, there = _WORD.findall(source.lower()), _WORD.findall(candidate.lower())
    once, places = Counter(here), _places(there)
    shared = [place for place, word in enumerate(here) if once[word] == 1 and word in places and word not in _JOINS]
    order = np.array([places[here[place]] for place in shared])
    if not 3 <= len(order) <= _LONGEST or (order[1:] > order[:-1]).all():
        return 0.0
    turned = np.triu(order[:, None] > order[None, :], 1)
    apart = np.subtract.outer(shared, shared).T
    for one, other in np.argwhere(turned & (apart <= _LIST)):
        if not _JOINS.isdisjoint(here[shared[one] + 1 : shared[other]]):
            turned[one, other] = False
    left = turned.sum() - _explained(turned | turned.T)
    return float(left / (len(order) * (len(order) - 1) / 2))


def _places(words: Sequence[str]) -> dict[str, int]:
    counts = Counter(words)
    return {word: place for place, word in enumerate(words) if counts[word] == 1}


def _explained(turned: NDArray[np.bool_]) -> int:
    """Of the turned pairs [n, n], how many have one word inside and one outside of the same run of words, at most."""
    sums = np.zeros(np.add(turned.shape, 1), np.int64)
    sums[1:, 1:] = turned.cumsum(axis=0).cumsum(axis=1)
    whole, own = sums[:, -1], np.diag(sums)
    across = whole[None, :] - whole[:, None] - own[None, :] - own[:, None] + 2 * sums  # of the run from row to column
    return int(np.triu(across).max())


@dataclass(frozen=True)
class Findings:
    """What the rules find in a candidate, given its source."""

    signature: str = "findings"

    def compute(self, keys: Sequence[tuple[str, str]]) -> Iterable[list[Finding]]:
        return (findings(source, candidate) for source, candidate in keys)
