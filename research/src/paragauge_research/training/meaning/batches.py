"""What each step of training reads: a pure function of the configuration and the step, so that a run can be resumed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from .configuration import Configuration
from .data import Item, read_items
from .perturb import Lexicon, perturb_any, read_lexicon

_NEAR = 0.75  # how often it is the first text that is perturbed: the harder case, as most words stay


class Pools(NamedTuple):
    """The items that steps draw from."""

    taught: list[Item]
    labelled: list[Item]
    mined: list[Item]  # paraphrases, and pairs that are near and mean something else
    triples: list[Item]  # with a worse text, or paraphrases of which one is made
    lexicon: Lexicon


class Batch(NamedTuple):
    """The items of one step; in `triples` every item has a worse text."""

    taught: list[Item]
    labelled: list[Item]
    mined: list[Item]
    triples: list[Item]


def read_pools(configuration: Configuration, wordnet: Path) -> Pools:
    """The training part of every set, by what it is used for."""
    items = [
        item
        for item in read_items(configuration, "train")
        if len(item.a.split()) + len(item.b.split()) <= configuration.words
    ]
    distinct = {(item.a, item.b): item._replace(worse="") for item in items}
    taught = [item for item in distinct.values() if configuration.sets[item.data_set].taught][: configuration.taught]
    kinds = ("same", "nli") if configuration.relations else ("same",)
    labelled = [item for item in items if item.kind in kinds and not item.worse][: configuration.labelled]
    paraphrases = {name for name, data_set in configuration.sets.items() if data_set.paraphrases}
    triples = [item for item in items if item.worse or (item.data_set in paraphrases and not item.label < 1)]
    mined = [item for item in distinct.values() if item.data_set in paraphrases and not item.label < 1]
    lexicon = read_lexicon(wordnet)
    return Pools(taught, labelled, mined[: configuration.mined], triples[: configuration.tripled], lexicon)


def batch_at(pools: Pools, configuration: Configuration, step: int) -> Batch:
    """The items of a step, counted from 0."""
    taught = _draw(pools.taught, configuration.taught_batch, step, f"{configuration.seed} taught")
    labelled = _draw(pools.labelled, configuration.labelled_batch, step, f"{configuration.seed} labelled")
    mined = _draw(pools.mined, configuration.mined_batch, step, f"{configuration.seed} mined")
    candidates = _draw(pools.triples, 2 * configuration.triple_batch, step, f"{configuration.seed} triples")
    triples = [made for item in candidates if (made := _triple(item, pools.lexicon, configuration.seed))]
    return Batch(taught, labelled, mined, triples[: configuration.triple_batch])


def _draw(pool: Sequence[Item], count: int, step: int, seed: str) -> list[Item]:
    """The next items of a pool that is shuffled anew for each round."""
    if not pool or not count:
        return []
    drawn: list[Item] = []
    for place in range(step * count, (step + 1) * count):
        turn, row = divmod(place, len(pool))
        drawn.append(pool[_order(len(pool), f"{seed} {turn}")[row]])
    return drawn


_orders: dict[tuple[int, str], list[int]] = {}


def _order(count: int, seed: str) -> list[int]:
    if (count, seed) not in _orders:
        order = list(range(count))
        random.Random(seed).shuffle(order)
        _orders[count, seed] = order
    return _orders[count, seed]


def _triple(item: Item, lexicon: Lexicon, seed: int) -> Item | None:
    """The item with a worse text: its own, or one of its two texts perturbed."""
    if item.worse:
        return item
    choose = random.Random(f"{seed} {item.a} {item.b}")  # the same each time, so that its vectors are too
    first, second = (item.a, item.b) if choose.random() < 0.5 else (item.b, item.a)
    worse, kind = perturb_any(first if choose.random() < _NEAR else second, lexicon, choose)
    return item._replace(a=first, b=second, worse=worse, group=kind) if worse else None
