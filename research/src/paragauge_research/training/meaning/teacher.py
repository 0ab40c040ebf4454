"""What a larger encoder says of pairs: its BERTScore F, as soft labels.

Computed once and kept beside the run, so that training can be resumed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paragauge.models.encoders.encoder import Encoder
from paragauge.models.encoders.load import load_encoder
from paragauge.models.encoders.matching import match_pairs

from .data import Item

Floats = NDArray[np.float64]
Pair = tuple[str, str]

TEACHER = "teacher"  # the name of its data set
_SHARD = 500  # pairs in a file


def taught_items(items: Sequence[Item], teacher: str, folder: Path, progress: Callable[[str], None]) -> list[Item]:
    """The pairs labelled by the teacher's F, as a data set of its own."""
    if not items:
        return []
    found = similarities([(item.a, item.b) for item in items], teacher, "int8", folder, progress)
    return [
        item._replace(label=min(max(value, 0.0), 1.0), kind="same", data_set=TEACHER)
        for item, value in zip(items, found.tolist(), strict=True)
    ]


def similarities(
    pairs: Sequence[Pair], name: str, precision: str, folder: Path, progress: Callable[[str], None]
) -> Floats:
    """BERTScore F of each pair by an encoder; what is in the folder is not computed again."""
    folder.mkdir(parents=True, exist_ok=True)
    found: list[Floats] = []
    for start in range(0, len(pairs), _SHARD):
        shard = pairs[start : start + _SHARD]
        digest = hashlib.sha256(repr((name, precision, shard)).encode()).hexdigest()[:16]
        file = folder / f"{Path(name).name}-{start:06d}-{digest}.npy"
        if not file.exists():
            temporary = file.with_name(f"part-{file.name}")
            np.save(temporary, greedy_f(shard, load_encoder(name, precision=precision)))
            temporary.replace(file)
            progress(f"{name}: {start + len(shard)} of {len(pairs)} pairs")
        found.append(np.load(file))
    return np.concatenate(found)


def greedy_f(pairs: Sequence[Pair], encoder: Encoder) -> Floats:
    """BERTScore F of each pair."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    found = dict(zip(texts, encoder.encode(texts), strict=True))
    one, other = ([found[pair[side]] for pair in pairs] for side in (1, 0))
    return match_pairs(one, other, encoder.special_ids)[:, 2]
