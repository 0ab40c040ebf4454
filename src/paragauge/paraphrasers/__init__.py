"""Every paraphraser by name: one file each, found without importing any of them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import NamedTuple

from ..paraphraser import Paraphraser
from ..registry import Classes

PARAPHRASERS = Classes[Paraphraser](Paraphraser, "paraphraser", "wordswap-1", __name__, group="paragauge.paraphrasers")
Given = str | Paraphraser | type[Paraphraser]  # ways to say which paraphraser is meant

names, load, parse, paraphraser_of = PARAPHRASERS.names, PARAPHRASERS.load, PARAPHRASERS.parse, PARAPHRASERS.of


def classes() -> Iterator[type[Paraphraser]]:
    """Every paraphraser that can be loaded, by name."""
    yield from sorted(PARAPHRASERS.every(), key=lambda found: found.name)


class Chosen(NamedTuple):
    """A method, and in a clause why it was taken."""

    name: str
    why: str


def default_method() -> Chosen:
    """`round-trip` where its models were downloaded before, else `wordnet-swap`: neither is bound to research."""
    from ..models.hub.registry import ENTRIES
    from ..models.hub.verify import present_folder
    from .round_trip import RoundTrip

    plain = RoundTrip()
    there = [present_folder(ENTRIES[name]) is not None for name in (plain.there, plain.back)]
    if all(there) and find_spec("torch") is not None:  # their weights are torch files
        return Chosen(plain.name, "its models are here, and may be used for any purpose")
    return Chosen("wordnet-swap", "it needs WordNet alone, and may be used for any purpose")
