"""The method of a call that names none: one that may be used for any purpose, and needs nothing that is not here."""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

from ..models.hub.registry import ENTRIES
from ..models.hub.verify import present_folder
from .round_trip import RoundTrip
from .wordnet_swap import WordnetSwap


class Chosen(NamedTuple):
    """A method, and in a clause why it was taken."""

    name: str
    why: str


def default_method() -> Chosen:
    """`round-trip` where its models were downloaded before, else `wordnet-swap`: neither is bound to research."""
    plain = RoundTrip()
    there = [present_folder(ENTRIES[name]) is not None for name in (plain.there, plain.back)]
    if all(there) and find_spec("torch") is not None:  # their weights are torch files
        return Chosen(RoundTrip.name, "its models are here, and may be used for any purpose")
    return Chosen(WordnetSwap.name, "it needs WordNet alone, and may be used for any purpose")
