"""Pairs of texts that describe the same facts, or facts that differ in one."""

from __future__ import annotations

import csv
import gzip
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

Facts = frozenset[tuple[str, str]]

_FACT = re.compile(r"(\w+)\[(.*?)\]")
_NAMED = frozenset({"name", "near", "food", "area", "eatType"})  # facts that a text names in these words
_DRAWN = (8, 3)  # pairs of texts of the same facts, of two sets of facts


def described(path: Path) -> Iterator[tuple[str, str, float, float]]:
    """Two texts of the E2E data, and whether each follows from the other: by the facts that they were written for.

    Both of the same facts, or of facts that differ in the value of one, or in one that is left out. A text that does
    not name all of its facts, as many of this set do not, is left out.
    """
    texts: dict[Facts, list[str]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        for described_facts, text in csv.reader(lines):
            facts = _FACT.findall(described_facts)
            if facts and all(value.lower() in text.lower() for name, value in facts if name in _NAMED):
                texts[frozenset(facts)].append(text)
    choose = random.Random("described")
    known = sorted(texts, key=sorted)
    for place, one in enumerate(known):
        for other in known[place:]:
            first, second = one - other, other - one
            changed = len(first) == len(second) == 1 and next(iter(first))[0] == next(iter(second))[0]
            if one != other and not changed and len(first) + len(second) != 1:
                continue
            pairs = [(a, b) for a in texts[one] for b in texts[other] if a != b and _alike(a, b)]
            for a, b in choose.sample(pairs, min(_DRAWN[one != other], len(pairs))):
                forward, backward = float(not second), float(not first)
                yield (a, b, forward, backward) if choose.random() < 0.5 else (b, a, backward, forward)


def _alike(one: str, other: str) -> bool:
    """Are the texts about as long? Where one is much shorter it has often left something out."""
    lengths = sorted((len(one.split()), len(other.split())))
    return lengths[1] <= 1.4 * lengths[0]
