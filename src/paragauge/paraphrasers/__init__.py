"""Every paraphraser by name: one file each, found without importing any of them."""

from __future__ import annotations

from collections.abc import Iterator

from ..paraphraser import Paraphraser
from ..registry import Classes

PARAPHRASERS = Classes[Paraphraser](Paraphraser, "paraphraser", "wordswap-1", __name__, group="paragauge.paraphrasers")
Given = str | Paraphraser | type[Paraphraser]  # ways to say which paraphraser is meant

names, load, parse, paraphraser_of = PARAPHRASERS.names, PARAPHRASERS.load, PARAPHRASERS.parse, PARAPHRASERS.of


def classes() -> Iterator[type[Paraphraser]]:
    """Every paraphraser that can be loaded, by name."""
    yield from sorted(PARAPHRASERS.every(), key=lambda found: found.name)
