"""The data of a report as text inside its page, and back: exact, compressed, and no markup whatever it holds."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import InputError
from ..files.write import PathLike
from ..metric import Floats
from ..tables.scores import Scores, as_records, findings_of, judgment_columns
from ..verdict.findings import Outcome
from ..verdict.judgment import Judgment
from .align import Alignment

if TYPE_CHECKING:
    import polars

VERSION = 1
_BLOCK = '<script type="text/plain" id="data-{}">{}</script>'
_FOUND = r'<script type="text/plain" id="data-{}">([A-Za-z0-9+/=]*)</script>'


class Packed(NamedTuple):
    """What a report carries: texts and all else as JSON, and the scores (metrics, rows), exact."""

    header: dict[str, Any]
    scores: Floats


def pack_scores(scores: Scores, scales: Mapping[str, Mapping[str, Any]], alignments: Mapping[int, Alignment]) -> Packed:
    """The samples and scores of a report of runs; a text that comes up again is kept once."""
    texts: dict[str, int] = {}
    samples = scores.samples

    def places(column: Sequence[str]) -> list[int]:
        return [texts.setdefault(text, len(texts)) for text in column]

    systems = list(dict.fromkeys(samples.systems))
    at = {name: place for place, name in enumerate(systems)}
    groups: dict[tuple[str, ...], int] = {}
    group_of = [groups.setdefault(group, len(groups)) for group in samples.references]
    source, candidate = places(samples.sources), places(samples.candidates)
    for row in samples.missing:
        candidate[row] = -1
    header: dict[str, Any] = {
        "version": VERSION,
        "rows": len(samples),
        "systems": systems,
        "system": [at[name] for name in samples.systems],
        "ids": samples.ids,
        "source": source,
        "candidate": candidate,
        "groups": [places(group) for group in groups],
        "group": group_of,
        "metrics": [
            {"name": name, "signature": scores.signatures.get(name, ""), **scales.get(name, {})}
            for name in scores.columns
        ],
        "reasons": {name: _by_text(column.reasons) for name, column in scores.columns.items() if column.reasons},
        "notes": {name: _by_text(column.notes) for name, column in scores.columns.items() if column.notes},
        "judged": {name: _judged(column.judgments) for name, column in scores.columns.items() if column.judgments},
        "alignments": {
            row: {
                "metric": one.metric, "against": one.against, "other": places([one.other])[0],
                "candidate": one.candidate_tokens, "tokens": one.other_tokens,
            }
            for row, one in alignments.items()
        },
    }  # fmt: skip
    header["texts"] = list(texts)
    table = [column.scores for column in scores.columns.values()]
    return Packed(header, np.stack(table) if table else np.empty((0, len(samples))))


def _by_text(found: Mapping[int, str]) -> dict[str, list[int]]:
    """Each text once, with its rows."""
    grouped: dict[str, list[int]] = {}
    for row, text in found.items():
        grouped.setdefault(text, []).append(row)
    return grouped


def _judged(judgments: Sequence[Judgment]) -> dict[str, Any]:
    """The outcome of each row, by its place in the list of outcomes, and what was found, where something was."""
    outcomes = list(dict.fromkeys(one.outcome for one in judgments))
    places = {outcome: place for place, outcome in enumerate(outcomes)}
    return {
        "outcomes": outcomes,
        "outcome": [places[one.outcome] for one in judgments],
        "findings": {row: as_records(one.findings) for row, one in enumerate(judgments) if one.findings},
    }


def written(packed: Packed) -> str:
    """As elements of the page."""
    header = json.dumps(packed.header, ensure_ascii=False, allow_nan=False).encode()
    numbers = np.ascontiguousarray(packed.scores, dtype="<f8").tobytes()
    return "\n".join(_BLOCK.format(name, _compressed(data)) for name, data in (("header", header), ("scores", numbers)))


def read_packed(path: PathLike) -> Packed:
    """What a report carries."""
    try:
        page = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    blocks = [re.search(_FOUND.format(name), page) for name in ("header", "scores")]
    if blocks[0] is None or blocks[1] is None:
        raise InputError(f"{path} is not a report of paragauge: it carries no data")
    try:
        first, second = (gzip.decompress(base64.b64decode(block[1])) for block in blocks if block is not None)
        header = json.loads(first)
        scores = np.frombuffer(second, dtype="<f8").reshape(len(header["metrics"]), header["rows"])
    except (OSError, EOFError, ValueError, KeyError) as error:
        raise InputError(f"the data in {path} are damaged: {error}") from error
    return Packed(header, scores)


def scores_frame(packed: Packed) -> polars.DataFrame:
    """One line per sample and metric, as `paragauge score -o` writes them."""
    import polars

    header = packed.header
    names = [metric["name"] for metric in header["metrics"]]
    columns = {}
    for what in ("reasons", "notes"):
        cells: list[str | None] = [None] * (header["rows"] * len(names))
        for place, name in enumerate(names):
            for text, rows in header[what].get(name, {}).items():
                for row in rows:
                    cells[row * len(names) + place] = text
        columns[what] = cells
    judged = [_judgments(header.get("judged", {}).get(name)) for name in names]
    repeat = np.repeat(np.arange(header["rows"]), len(names))
    systems = [header["systems"][place] for place in header["system"]]
    return polars.DataFrame(
        {
            "sample": polars.Series(header["ids"], dtype=polars.String).gather(repeat),
            "system": polars.Series(systems, dtype=polars.String).gather(repeat),
            "metric": polars.Series(names * header["rows"], dtype=polars.String),
            "score": polars.Series(packed.scores.T.ravel(), dtype=polars.Float64, nan_to_null=True),
            "reason": polars.Series(columns["reasons"], dtype=polars.String),
            "note": polars.Series(columns["notes"], dtype=polars.String),
            **judgment_columns(judged, header["rows"]),
        }
    )


def _judgments(judged: Mapping[str, Any] | None) -> list[Judgment] | None:
    """The inverse of `_judged`, without the numbers, which are scores of their own."""
    if judged is None:
        return None
    found = {int(row): findings_of(own) for row, own in judged["findings"].items()}
    outcomes = [Outcome(name) for name in judged["outcomes"]]
    return [Judgment(outcomes[place], findings=found.get(row, ())) for row, place in enumerate(judged["outcome"])]


def samples_frame(packed: Packed) -> polars.DataFrame:
    """The texts that were scored, as a table that can be scored again."""
    import polars

    header = packed.header
    texts = header["texts"]
    return polars.DataFrame(
        {
            "id": polars.Series(header["ids"], dtype=polars.String),
            "system": [header["systems"][place] for place in header["system"]],
            "source": [texts[place] for place in header["source"]],
            "candidate": [None if place < 0 else texts[place] for place in header["candidate"]],
            "references": polars.Series(
                [[texts[place] for place in header["groups"][group]] for group in header["group"]],
                dtype=polars.List(polars.String),
            ),
        }
    )


def _compressed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, compresslevel=6, mtime=0)).decode()
