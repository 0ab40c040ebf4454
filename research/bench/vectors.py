"""Speed of the metrics on word vectors, on all of Twitter-Para (7,159 pairs, against the references).

    python bench/vectors.py

Vectors are loaded before the clock starts, and the best of three rounds counts, each in a fresh workspace. wmd and
moverscore need the extra `transport`; where gensim is installed, its wmdistance runs on the same words.

    python bench/vectors.py --neighbours 10000

has the three nearest of so many words found by `nearest`, beside the matrix products alone, which no exact search by
products can be faster than, and beside whole rows of cosines cut by argpartition: seconds of processor time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

import paragauge as pg
from paragauge.errors import MissingExtraError
from paragauge.metrics import parse
from paragauge.models.lexical.vectors import load_vectors
from run import race, show, twitter_para

ROUNDS = 3
NAMES = ("embedding-average", "vector-extrema", "greedy-matching", "weem4pg", "wmd", "moverscore")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--neighbours", type=int, metavar="N", help="nearest words of N words, nothing else")
    chosen = arguments.parse_args()
    if chosen.neighbours:
        neighbours(chosen.neighbours)
        return
    sources, candidates, references, human = twitter_para()
    samples = pg.Samples.of(sources, candidates, [[text] for text in references])
    started = time.perf_counter()
    vectors = load_vectors()
    print(f"{vectors.name}: {len(vectors):,} words, loaded in {time.perf_counter() - started:.2f} s")
    for name in NAMES:
        metric = parse(name)
        try:
            metric.score(samples.rows([0]))
        except MissingExtraError as error:
            print(f"  {name:<20}left out: {error}")
            continue
        rounds = 1 if name == "moverscore" else ROUNDS
        spent = time.process_time()
        seconds, scores = race({name: lambda metric=metric: metric.score(samples)}, rounds)[name]
        spent = (time.process_time() - spent) / rounds  # on a busy machine the steadier of the two
        defined = ~np.isnan(scores)
        pearson = np.corrcoef(scores[defined], human[defined])[0, 1]
        print(
            f"  {name:<20}{len(samples) / seconds:10,.0f} pairs/s, {len(samples) / spent:,.0f} per second of processor "
            f"time, {pearson:.4f} Pearson with the human scores, "
            f"{(~defined).sum()} undefined"
        )
    if find_spec("gensim") and find_spec("ot"):
        beside_gensim(candidates, references)


def neighbours(count: int, k: int = 3) -> None:
    """Words drawn from the first 100,000; each way in turn, once."""
    vectors = load_vectors()
    unit = np.asarray(vectors.matrix) / np.where(vectors.lengths > 0, vectors.lengths, 1)[:, None]
    rows = np.sort(np.random.default_rng(0).choice(min(100_000, len(vectors)), count, replace=False))

    def products() -> None:
        room = np.empty((256, 2048), np.float32)
        for first in range(0, count, 256):
            for start in range(0, len(unit), 2048):
                tile = unit[start : start + 2048]
                own = unit[rows[first : first + 256]]
                np.matmul(own, tile.T, out=room[: len(own), : len(tile)])

    def whole_rows() -> list[set[int]]:
        found = []
        for first in range(0, count, 256):
            own = rows[first : first + 256]
            cosines = unit[own] @ unit.T
            cosines[np.arange(len(own)), own] = -np.inf
            found += [set(best) for best in np.argpartition(cosines, -k, axis=1)[:, -k:].tolist()]
        return found

    def nearest() -> list[set[int]]:
        found = vectors.nearest([vectors.words[row] for row in rows], k)
        return [{vectors.vocabulary[word] for word, _ in own} for own in found]

    taken: dict[str, float] = {}
    results: dict[str, Any] = {}
    for name, way in (("products alone", products), ("argpartition", whole_rows), ("nearest", nearest)):
        started = time.process_time()
        results[name] = way()
        taken[name] = time.process_time() - started
    same = sum(one == other for one, other in zip(results["nearest"], results["argpartition"], strict=True))
    print(f"{vectors.name}: the {k} nearest of {count:,} words among {len(vectors):,}, {same:,} times the same words")
    for name, seconds in taken.items():
        each = f"{1e5 * seconds / count:.1f} s for 100,000 words"
        print(f"  {name:<16}{seconds:8.1f} s of processor time, {each}, {taken['nearest'] / seconds:.2f}")


def beside_gensim(candidates: list[str], references: list[str]) -> None:
    """wmd:normalize=yes against wmdistance, whose default that is, on the words that `tokenizer=none` gives."""
    from gensim.models import KeyedVectors

    vectors = load_vectors()
    keyed = KeyedVectors(vectors.dimension)
    keyed.add_vectors(vectors.words, np.asarray(vectors.matrix))
    keyed.fill_norms()
    pairs = list(zip(candidates, references, strict=True))
    metric = pg.metrics.Wmd(normalize=True, tokenizer="none")
    contenders: dict[str, Callable[[], Any]] = {
        "gensim wmdistance": lambda: np.array(
            [keyed.wmdistance(text.lower().split(), other.lower().split()) for text, other in pairs]
        ),
        "paragauge wmd": lambda: metric.score(
            sources=references, candidates=candidates, references=[[text] for text in references]
        ),
    }
    best = race(contenders, 1)
    show("wmd, 7,159 pairs of Twitter-Para", best, "gensim wmdistance")
    theirs, ours = (best[name][1] for name in contenders)
    both = np.isfinite(theirs) & ~np.isnan(ours)
    print(f"  largest difference: {np.abs(theirs - ours)[both].max():.1e} on {both.sum():,} pairs")


if __name__ == "__main__":
    main()
