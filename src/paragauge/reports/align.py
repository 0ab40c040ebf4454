"""Which tokens BERTScore matched in some rows of a run, kept in its folder to explain a score later."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..compute.features import spell
from ..compute.workspace import Workspace
from ..evaluate.part import workspace_for
from ..files.write import atomic_write
from ..metric import Metric
from ..metrics.shared.encoder import TokenMetric
from ..models.encoders.encoder import Encoded, Encoder
from ..models.encoders.matching import Matches, matches
from ..runs.record import file_sha256
from ..tables.samples import Samples

if TYPE_CHECKING:
    from ..models.encoders.matching import Spelled

FILE = "alignments.parquet"
MOST = 1000  # rows; an alignment takes more room than a row's texts and scores together
_TOKENS = 512  # of a text; what a longer one matched could not be read by a person anyway

Token = tuple[int, int, int, float]  # from, to, place of the match in the other list (−1: a special token), cosine


class Alignment(NamedTuple):
    """One row: the text that its candidate was compared with, and the tokens of both with what each matched."""

    metric: str
    against: str  # source, or reference
    other: str
    candidate_tokens: list[Token]
    other_tokens: list[Token]


def write_alignments(folder: Path, samples: Samples, metrics: Sequence[Metric], rows: Iterable[int]) -> int:
    """Align these rows of a complete run as its first metric of token matches does; gives how many were kept.

    A metric that compares with the source is preferred; against references, the one that matches best is taken.
    """
    import polars

    metric = matching_metric(metrics)
    if metric is None:
        return 0
    work = workspace_for([metric])
    try:
        found = align(samples, metric, list(dict.fromkeys(rows))[:MOST], work)
    finally:
        work.close()
    table = [
        {
            "row": row,
            "metric": one.metric,
            "against": one.against,
            "other": one.other,
            "candidate_tokens": [list(map(float, token)) for token in one.candidate_tokens],
            "other_tokens": [list(map(float, token)) for token in one.other_tokens],
        }
        for row, one in found.items()
    ]
    numbers = polars.List(polars.List(polars.Float64))
    schema = {"row": polars.Int64, "metric": polars.String, "against": polars.String, "other": polars.String}
    frame = polars.DataFrame(table, schema=schema | {"candidate_tokens": numbers, "other_tokens": numbers})
    about = {"scores": file_sha256(folder / "scores.parquet")}
    atomic_write(folder / FILE, lambda stream: frame.write_parquet(stream, compression="zstd", metadata=about))
    return len(found)


def read_alignments(folder: Path) -> dict[int, Alignment]:
    """Row to alignment; none where the folder has none that can be read, or has those of other scores."""
    import polars

    path = folder / FILE
    if not path.is_file():
        return {}
    try:
        about = polars.read_parquet_metadata(path)
        if about.get("scores") != file_sha256(folder / "scores.parquet"):
            return {}
        return {
            row: Alignment(metric, against, other, _tokens(own), _tokens(others))
            for row, metric, against, other, own, others in polars.read_parquet(path, glob=False).rows()
        }
    except (polars.exceptions.PolarsError, ValueError, TypeError):  # a damaged one explains nothing
        return {}


def matching_metric(metrics: Sequence[Metric]) -> TokenMetric | None:
    """The first metric that matches tokens, rather one that compares with the source, rather BERTScore itself."""
    own = [metric for metric in metrics if isinstance(metric, TokenMetric)]
    return min(own, key=lambda metric: ("source" not in metric.needs, metric.name != "bertscore"), default=None)


def align(samples: Samples, metric: TokenMetric, rows: Iterable[int], work: Workspace) -> dict[int, Alignment]:
    """Row to alignment; none for a row with nothing to compare, or longer than a person could read."""
    encoder = metric.load()
    against = "source" if "source" in metric.needs else "reference"
    others = {
        row: [samples.sources[row]] if against == "source" else list(samples.references[row])
        for row in rows
        if samples.candidates[row].strip()
    }
    pairs = [(row, text) for row, group in others.items() for text in group if text.strip()]
    texts = list(dict.fromkeys(text for row, other in pairs for text in (samples.candidates[row], other)))
    encoded = dict(zip(texts, metric.encode(texts, work), strict=True))
    spelled: dict[str, Spelled] = {}
    if metric.unknown == "surface":
        spelled = dict(zip(texts, spell(encoder, texts, list(encoded.values()), work), strict=True))
    spans = dict(zip(texts, encoder.spans(texts), strict=True))
    best: dict[int, tuple[float, Alignment]] = {}
    for row, other in pairs:
        candidate = samples.candidates[row]
        one, two = encoded[candidate], encoded[other]
        if not 0 < len(one.ids) <= _TOKENS or not 0 < len(two.ids) <= _TOKENS:
            continue
        if len(spans[candidate]) != len(one.ids) or len(spans[other]) != len(two.ids):
            continue
        forth, back = matches(one, two, (spelled[candidate], spelled[other]) if spelled else None)
        found = Alignment(
            metric.spec,
            against,
            other,
            _tokens_of(encoder, one, spans[candidate], two, forth),
            _tokens_of(encoder, two, spans[other], one, back),
        )
        quality = float(forth.cosines.mean() + back.cosines.mean())
        if row not in best or quality > best[row][0]:
            best[row] = quality, found
    return {row: found for row, (_, found) in best.items()}


def _tokens_of(
    encoder: Encoder, text: Encoded, spans: Sequence[tuple[int, int]], other: Encoded, found: Matches
) -> list[Token]:
    """Without special tokens, which have no place in the text."""
    special = list(encoder.special_ids)
    kept = ~np.isin(other.ids, special)
    place = np.where(kept, np.cumsum(kept) - 1, -1)
    return [
        (*spans[token], int(place[found.places[token]]), float(found.cosines[token]))
        for token in np.flatnonzero(~np.isin(text.ids, special)).tolist()
    ]


def _tokens(rows: Sequence[Sequence[float]]) -> list[Token]:
    return [(int(first), int(last), int(match), cosine) for first, last, match, cosine in rows]
