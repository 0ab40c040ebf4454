"""The published data sets: what `published.toml` says of each, and how its files are read."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..files.pickles import read_plain
from ..tables.ratings import Ratings
from ..tables.samples import Samples
from . import Benchmark

_HERE = Path(__file__).parent
_KNOWN = tomllib.loads((_HERE / "published.toml").read_text("utf-8"))
_WMT19 = (line.split("  ", 1) for line in (_HERE / "wmt19.sha256").read_text("utf-8").splitlines())
_KNOWN["wmt19"]["files"] = {name: digest for digest, name in _WMT19}


def _published(name: str, read: Callable[[Path, str], Ratings]) -> Benchmark:
    """`read` is given the first of its files, and the name."""
    own = {"name": name, "languages": "en"} | _KNOWN[name]
    return Benchmark(**own, read=lambda folder: read(folder / next(iter(own["files"])), name))


def _labels(file: Path, name: str) -> Ratings:
    raise InputError(
        f"{name} (in {file.parents[1]}) has a label for each text, and no human score of a paraphrase; use `paragauge "
        f"extrinsic {name}`"
    )


def _systems(file: Path, name: str) -> Ratings:
    folder = next(parent for parent in file.parents if parent.name == "wmt19").parent
    raise InputError(
        f"{name} (in {folder}) has human scores of systems and rankings of segments, and none of single rows; "
        "use `paragauge references evaluate wmt19`"
    )


def _phrases(file: Path, name: str) -> Ratings:
    """Lines of mean, category, phrase, paraphrase and all judgments, between tabs."""
    samples: list[tuple[str, str, float, tuple[float, ...]]] = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        cells = line.split("\t")
        if len(cells) != 5:
            raise InputError(f"{file}: line {number}: {len(cells)} cells; expected 5")
        mean, _, phrase, paraphrase, judgments = cells
        samples.append((phrase, paraphrase, float(mean), tuple(map(float, judgments.split(",")))))
    phrases, paraphrases, means, votes = zip(*samples, strict=True)
    return Ratings(Samples.of(phrases, paraphrases), np.array(means), name, judgments=list(votes))


def _pickles(file: Path, name: str, votes: int | None = None) -> Ratings:
    """Sources with one reference and several judged candidates each, in the published order (Shen et al. 2022)."""
    references = read_plain(file.parent / "source-reference.pickle")
    rows = [
        (source, candidate, (references[source][0],), float(score), f"{number}-{place}")
        for number, (source, group) in enumerate(read_plain(file).items(), 1)
        for place, (candidate, score) in enumerate(group, 1)
    ]
    sources, candidates, groups, scores, ids = zip(*rows, strict=True)
    samples = Samples.of(sources, candidates, groups, ids=ids)
    return Ratings(samples, np.array(scores), name, votes=votes, dev=len(scores) // 10)


def _sts(file: Path, name: str) -> Ratings:
    """Dev first, then test: tab-separated, the score in the fifth cell and the sentences in the next two."""
    rows: list[tuple[str, str, float, str]] = []
    dev = 0
    for part in ("dev", "test"):
        lines = (file.parent / f"sts-{part}.csv").read_text("utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            cells = line.split("\t")
            if len(cells) < 7:
                raise InputError(
                    f"{file.parent}/sts-{part}.csv: line {number}: {len(cells)} cells; expected at least 7"
                )
            rows.append((cells[5], cells[6], float(cells[4]), f"{part}-{number}"))
        dev = dev or len(rows)
    first, second, scores, ids = zip(*rows, strict=True)
    return replace(Ratings(Samples.of(first, second, ids=ids), np.array(scores), name), dev=dev)


def _extended(plain: Benchmark) -> Benchmark:
    return replace(
        plain,
        name=f"{plain.name}-extended",
        title=f"{plain.title}, extended",
        about=f"{plain.title}, and the source itself as an additional candidate of every fifth source, scored 0",
        read=lambda folder: plain.read(folder).extended(),
    )


CR, IMDB, MR, SST2 = (_published(name, _labels) for name in ("cr", "imdb", "mr", "sst2"))
PPDB, WIKIPEDIA_PHRASES = (_published(name, _phrases) for name in ("ppdb", "wikipedia-phrases"))
BQ_PARA = _published("bq-para", _pickles)
TWITTER_PARA = _published("twitter-para", lambda file, name: _pickles(file, name, votes=5))
BQ_PARA_EXTENDED, TWITTER_PARA_EXTENDED = _extended(BQ_PARA), _extended(TWITTER_PARA)
STSB = _published("stsb", _sts)
WMT19 = _published("wmt19", _systems)
