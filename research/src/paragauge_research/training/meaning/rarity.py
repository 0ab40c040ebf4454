"""How rare each piece of a word is, by the texts that are trained on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.models.encoders.tokenize import read_tokenizer
from paragauge.models.formats.checks import whole
from paragauge.models.hub.checksum import file_sha256
from paragauge.models.hub.locate import ModelFiles
from paragauge.models.pairs.learned import RARITY, RARITY_STEP

from .configuration import Configuration
from .data import read_items

_AT_ONCE = 2000  # texts


def write_rarity(configuration: Configuration, folder: Path, base: ModelFiles) -> str:
    """Write the table beside the weights; gives its sha256."""
    items = read_items(configuration, "train")
    texts = sorted({text for item in items for text in (item.a, item.b)})
    table = rarity(texts, read_tokenizer(base.folder), whole(base.config, "vocab_size"))
    temporary = folder / f"part-{RARITY}"
    with temporary.open("wb") as stream:
        np.save(stream, table)
    temporary.replace(folder / RARITY)
    return file_sha256(folder / RARITY, afresh=True)


def rarity(texts: Sequence[str], tokenizer: Any, vocabulary: int) -> NDArray[np.uint8]:
    """log((texts + 1) / (texts with the piece + 1)) for each piece, in whole steps."""
    counts = np.zeros(vocabulary)
    for start in range(0, len(texts), _AT_ONCE):
        for found in tokenizer.encode_batch(list(texts[start : start + _AT_ONCE]), add_special_tokens=False):
            counts[list(set(found.ids))] += 1
    logs = np.log((len(texts) + 1) / (counts + 1))
    return np.minimum(np.rint(logs / RARITY_STEP), 255).astype(np.uint8)
