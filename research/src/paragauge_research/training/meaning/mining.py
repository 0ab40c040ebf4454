"""Texts that are near a paraphrase and say something else: what a model must learn to tell from one.

Found once, by the frozen encoder, and kept beside the run, so that training can be resumed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from paragauge.models.encoders.load import load_encoder

from .data import Item

MINED = "mined"  # the name of its data set
_HIGHEST = 0.8  # cosine: what is nearer may well mean the same
_BLOCK = 1024


def mined_items(items: Sequence[Item], encoder: str, file: Path, progress: Callable[[str], None]) -> list[Item]:
    """Each pair of paraphrases, labelled 1, and its first text with the nearest one of another meaning, labelled 0."""
    if not items:
        return []
    if file.exists():
        others = json.loads(file.read_text("utf-8"))
    else:
        progress(f"looking for texts near {len(items)} paraphrases")
        others = nearest_of_other_meaning(items, encoder)
        temporary = file.with_name(f"part-{file.name}")
        temporary.write_text(json.dumps(others), "utf-8")
        temporary.replace(file)
    found = []
    for item, other in zip(items, others, strict=True):
        found.append(item._replace(label=1.0, kind="same", data_set=MINED, worse=""))
        if other is not None:
            found.append(item._replace(b=other, label=0.0, kind="same", data_set=MINED, worse=""))
    return found


def nearest_of_other_meaning(items: Sequence[Item], encoder: str) -> list[str | None]:
    """For each pair the text nearest to its first one that no chain of paraphrases leads to; None if none is near."""
    texts = list(dict.fromkeys(text for item in items for text in (item.a, item.b)))
    place = {text: row for row, text in enumerate(texts)}
    groups = _connected(len(texts), [(place[item.a], place[item.b]) for item in items])
    vectors = np.stack([encoded.sentence for encoded in load_encoder(encoder).encode(texts)])
    firsts = np.array([place[item.a] for item in items])
    found: list[str | None] = []
    for start in range(0, len(firsts), _BLOCK):
        rows = firsts[start : start + _BLOCK]
        cosines = vectors[rows] @ vectors.T
        cosines[(groups[rows][:, None] == groups[None, :]) | (cosines > _HIGHEST)] = -1
        best = cosines.argmax(axis=1)
        near = cosines[np.arange(len(rows)), best] > 0
        found += [texts[text] if one else None for text, one in zip(best.tolist(), near.tolist(), strict=True)]
    return found


def _connected(count: int, edges: Sequence[tuple[int, int]]) -> np.ndarray:
    """The number of each node's component."""
    parent = list(range(count))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for one, other in edges:
        parent[root(one)] = root(other)
    return np.array([root(node) for node in range(count)])
