"""The contract of a paraphraser, checked: for those of this package, and for the authors of plug-ins."""

from __future__ import annotations

import dataclasses
import math
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..errors import ParagaugeError
from ..parameters import kinds, types_of
from ..paraphraser import Candidates, Paraphraser
from .expected import failures, refuse

SOURCES = (
    "How can I improve my writing skills?",
    "The boy was running towards a large house when he stopped.",
    "Mary gave John 15 books on 3 May 2019.",
    "It is not clear what happened.",
    "How can I improve my writing skills?",
)
EMPTY = ("", " \t", "\u200b")
# beyond the limit of most models, in sentences that are not
LONG = " ".join(f"The train number {number} was late, and nobody knew why." for number in range(1200))
N = 3


def _texts(found: Sequence[Candidates]) -> list[list[str]]:
    return [[candidate.text for candidate in own] for own in found]


def check_declared(paraphraser: Paraphraser) -> None:
    """It says what it is, and its signature changes with every parameter that its candidates depend on.

    What a parameter may be follows from its declaration; names of models and files are not tried.
    """
    for name in ("name", "title", "citation"):
        assert getattr(paraphraser, name, ""), f"it has no {name}"
    assert paraphraser.about, "its class has no docstring"
    signature = paraphraser.signature
    assert signature.startswith(f"{paraphraser.name}|"), f"the signature {signature!r} does not begin with the name"
    assert signature == type(paraphraser)(**_fields(paraphraser)).signature, "an equal one has another signature"
    expected = None
    for name, value in _other_values(paraphraser):
        other = dataclasses.replace(paraphraser, **{name: value})
        try:
            if other.signature != signature:
                continue
            found = _texts(list(other.generate(SOURCES, N)))
        except ParagaugeError:  # a value that this model or this machine cannot have, such as a backend
            continue
        expected = expected or _texts(list(paraphraser.generate(SOURCES, N)))
        assert found == expected, f"{name}={value!r} gives other candidates, and the signature is the same"


def _other_values(paraphraser: Paraphraser) -> Iterator[tuple[str, object]]:
    """Parameters, each with values that it does not have, as far as its declaration says what it may be."""
    hints = types_of(type(paraphraser))
    for field in dataclasses.fields(paraphraser):
        own = getattr(paraphraser, field.name)
        choices, low, high = (field.metadata.get(key) for key in ("choices", "low", "high"))
        values: Iterable[object] = choices or ()
        if not choices and bool in kinds(hints[field.name]):
            values = (True, False)
        elif not choices and isinstance(own, (int, float)):
            near = (own - 1, own + 1) if isinstance(own, int) else (own / 2, own + 0.25)
            values = [one for one in near if (low is None or one >= low) and (high is None or one <= high)]
        yield from ((field.name, value) for value in values if value != own)


def _fields(paraphraser: Paraphraser) -> dict[str, object]:
    return {field.name: getattr(paraphraser, field.name) for field in dataclasses.fields(paraphraser)}


def check_one_set_per_source(paraphraser: Paraphraser) -> None:
    """As many sets as sources; of no sources none."""
    for size in (0, 1, len(SOURCES)):
        found = list(paraphraser.generate(SOURCES[:size], N))
        assert len(found) == size, f"{size} sources gave {len(found)} sets"
        assert all(isinstance(own, Candidates) for own in found), "a set is not of the type Candidates"
    assert any(own for own in paraphraser.generate(SOURCES, N)), "no plain source has a candidate"


def check_at_most_n(paraphraser: Paraphraser) -> None:
    """No set has more candidates than were asked for.

    The best need not be the same however many are asked for: a beam of n, or the best of 2 n draws, may find a better.
    """
    for n in (1, 2, N):
        for own in paraphraser.generate(SOURCES, n):
            assert len(own) <= n, f"{len(own)} candidates, where {n} were asked for"


def check_no_doubles(paraphraser: Paraphraser) -> None:
    """The candidates of a source are texts, none empty and none there twice."""
    for own in _texts(list(paraphraser.generate(SOURCES, N))):
        assert all(text.strip() for text in own), "a candidate is empty"
        assert len(set(own)) == len(own), f"a candidate is there twice: {own}"


def check_provenance(paraphraser: Paraphraser) -> None:
    """Scores are numbers (or NaN), never infinite; JSON can hold what a candidate was made of."""
    import json

    for own in paraphraser.generate(SOURCES, N):
        for candidate in own:
            assert isinstance(candidate.score, float), f"the score {candidate.score!r} is not a float"
            assert not math.isinf(candidate.score), "a score is infinite"
            json.dumps(dict(candidate.provenance), allow_nan=False)


def check_deterministic(paraphraser: Paraphraser) -> None:
    """The same again, from the same object and from one that went through pickle to a worker."""
    expected = _texts(list(paraphraser.generate(SOURCES, N)))
    assert _texts(list(paraphraser.generate(SOURCES, N))) == expected, "the second call gives other candidates"
    copied: Paraphraser = pickle.loads(pickle.dumps(paraphraser))
    assert _texts(list(copied.generate(SOURCES, N))) == expected, "a pickled copy gives other candidates"


def check_sources_are_independent(paraphraser: Paraphraser) -> None:
    """What comes of a source does not depend on its place, nor on the sources next to it."""
    expected = _texts(list(paraphraser.generate(SOURCES, N)))
    turned = _texts(list(paraphraser.generate(SOURCES[::-1], N)))[::-1]
    assert turned == expected, "the candidates depend on the order of the sources"
    for source, own in zip(SOURCES, expected, strict=True):
        (alone,) = _texts(list(paraphraser.generate([source], N)))
        assert alone == own, f"a batch of one gives {alone}, a batch of many {own}"


def check_empty_source(paraphraser: Paraphraser) -> None:
    """An empty source has an empty set, with a reason, and does not shift the others."""
    mixed = [EMPTY[0], SOURCES[0], EMPTY[1], SOURCES[1], EMPTY[2]]
    found = list(paraphraser.generate(mixed, N))
    for own in found[::2]:
        assert not own, f"an empty source has candidates: {_texts([own])}"
        assert own.reason, "an empty set has no reason"
    assert _texts(found[1::2]) == _texts(list(paraphraser.generate(SOURCES[:2], N))), "empty sources shift the others"
    assert all(own.reason == "" for own in found if own), "a set with candidates has a reason to be empty"


def check_long_source(paraphraser: Paraphraser) -> None:
    """A text beyond the limit is split at its sentences, or refused with how long it is."""
    limit = paraphraser.limit
    if limit is None:
        return
    (length,) = paraphraser.lengths([LONG])
    assert length > limit, f"the limit {limit} is beyond the longest text that is tried, of {length}"
    few = " ".join(LONG.split()[: max(11, 11 * (2 * limit // max(1, length // 1200) // 11))])
    for own in paraphraser.generate([few], 1):
        assert own or own.reason, "a long text has neither a candidate nor a reason"
    (refused,) = paraphraser.generate(["word" * 50 + " word" * (limit + 10)], 1)
    assert not refused, "a sentence beyond the limit has a candidate"
    assert f"{limit:,}" in refused.reason, f"the reason {refused.reason!r} does not say the limit"


CHECKS: tuple[Callable[[Paraphraser], None], ...] = (
    check_declared,
    check_one_set_per_source,
    check_at_most_n,
    check_no_doubles,
    check_provenance,
    check_deterministic,
    check_sources_are_independent,
    check_empty_source,
    check_long_source,
)


def failed_checks(paraphraser: Paraphraser) -> dict[str, str]:
    """The names of the checks that a paraphraser fails, and what each found."""
    return failures(CHECKS, paraphraser)


def check_paraphraser(paraphraser: Paraphraser) -> None:
    """Run every check; an AssertionError names those that failed, and what each found."""
    refuse(paraphraser.name, failed_checks(paraphraser), len(CHECKS))
