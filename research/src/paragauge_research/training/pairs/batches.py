"""What each step reads: a pure function of the configuration and the step, so that a training can be resumed."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..meaning.data import reserved_sentences
from .configuration import Configuration
from .errors import KINDS
from .lexicon import Lexicon, read_lexicon
from .rows import UNKNOWN, Row, joined, lowered, made_row, paraphrase_rows, read_set, written_rows

IGNORED = -100


class Pools(NamedTuple):
    """What steps draw from."""

    rows: dict[str, list[Row]]  # by set; also written and soft
    paraphrases: list[Row]  # into which errors are put
    lexicon: Lexicon


def read_pools(configuration: Configuration, config_folder: Path, output: Path, wordnet: Path) -> Pools:
    """The rows of every set, and the lexicon as it learned from them."""
    reserved = reserved_sentences(configuration.data_folder)
    rows = {
        name: read_set(configuration.data_folder, name, one, reserved, configuration.longest)
        for name, one in configuration.sets.items()
    }
    for name, read in (("written", written_rows), ("paraphrases", paraphrase_rows)):
        folders = [config_folder / folder for folder in getattr(configuration, name)]
        rows[name] = read(sorted(file for folder in folders for file in folder.glob("*.jsonl")))
    rows["soft"] = [soft_row(json.loads(line)) for name in configuration.soft for line in (output / name).open()]
    written = [row for row in rows["written"] if row.same == 1] + rows["paraphrases"]
    plain = [
        row
        for name, one in configuration.sets.items()
        if one.kind in ("paraphrases", "triples")
        for row in rows[name]
        if row.same == 1
    ]
    lexicon = read_lexicon(wordnet)
    lexicon.learn([text for row in plain[:60000] for text in (row.source, row.candidate)])
    return Pools(rows, plain + written * max(1, len(plain) // max(1, len(written))), lexicon)


def soft_row(cells: Any) -> Row:
    """A pair with probabilities of a teacher."""
    probable = (cells["forward"], cells["backward"], cells["fluent"])
    return Row(cells["source"], cells["candidate"], UNKNOWN, *probable, None, origin="soft")


def batch_at(pools: Pools, configuration: Configuration, step: int) -> list[Row]:
    """The pairs of a step, counted from 0."""
    choose = random.Random(f"{configuration.seed} {step}")
    shares = {**{name: one.weight for name, one in configuration.sets.items()}, **configuration.shares}
    names = [name for name, share in shares.items() if share and (name in ("made", "joined") or pools.rows.get(name))]
    drawn: list[Row] = []
    while len(drawn) < configuration.batch:
        name = choose.choices(names, [shares[name] for name in names])[0]
        row = _draw(pools, configuration, name, choose)
        if row is not None:
            if row.fluent != 0 and row.marks is not None and choose.random() < configuration.lower:
                row = lowered(row)
            drawn.append(row)
    return drawn


def _draw(pools: Pools, configuration: Configuration, name: str, choose: random.Random) -> Row | None:
    if name == "made":
        return made_row(choose.choice(pools.paraphrases), pools.lexicon, choose, configuration.near, configuration.harm)
    if name == "joined":
        rows: list[Row] = []
        count = choose.choice([2, 2, 3, 4])
        while len(rows) < count:
            base = choose.choice(pools.paraphrases)
            made = (
                made_row(base, pools.lexicon, choose, configuration.near, 1.0)
                if choose.random() < 0.6 / count
                else base
            )
            if made is not None and len(made.source.split()) < 25:
                rows.append(made)
        return joined(rows, choose)
    return choose.choice(pools.rows[name])


class Inputs(NamedTuple):
    """Rows as the network reads them."""

    ids: list[list[int]]
    types: list[list[int]]
    marks: list[list[int]]  # of each piece: a kind, or IGNORED


def tokenize(tokenizer: Any, rows: Sequence[Row]) -> Inputs:
    """Ids, types and marks of pieces; the tokenizer cuts at its limit."""
    ids, types, marks = [], [], []
    for row, encoding in zip(rows, tokenizer.encode_batch([(row.source, row.candidate) for row in rows]), strict=True):
        ids.append(encoding.ids)
        types.append(encoding.type_ids)
        own = [IGNORED] * len(encoding.ids)
        if row.marks is not None:
            for place, (side, (start, end)) in enumerate(zip(encoding.sequence_ids, encoding.offsets, strict=True)):
                if side is not None and row.known[side]:
                    hit = [kind for at, first, last, kind in row.marks if at == side and first < end and start < last]
                    own[place] = KINDS.index(hit[0]) if hit else 0
        marks.append(own)
    return Inputs(ids, types, marks)
