"""Speed of the metrics on word vectors, on all of Twitter-Para (7,159 pairs, against the references).

    python bench/vectors.py

Vectors are loaded before the clock starts, and the best of three rounds counts, each in a fresh workspace. wmd and
moverscore need the extra `transport`; where gensim is installed, its wmdistance runs on the same words.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

import paragauge as pg
from run import race, show, twitter_para

ROUNDS = 3
NAMES = ("embedding-average", "vector-extrema", "greedy-matching", "weem4pg", "wmd", "moverscore")


def main() -> None:
    sources, candidates, references, human = twitter_para()
    samples = pg.Samples.of(sources, candidates, [[text] for text in references])
    started = time.perf_counter()
    vectors = pg.load_vectors()
    print(f"{vectors.name}: {len(vectors):,} words, loaded in {time.perf_counter() - started:.2f} s")
    for name in NAMES:
        metric = pg.parse(name)
        try:
            metric.score(samples.rows([0]))
        except pg.MissingExtraError as error:
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


def beside_gensim(candidates: list[str], references: list[str]) -> None:
    """wmd:normalize=yes against wmdistance, whose default that is, on the words that `tokenizer=none` gives."""
    from gensim.models import KeyedVectors

    vectors = pg.load_vectors()
    keyed = KeyedVectors(vectors.dimension)
    keyed.add_vectors(vectors.words, np.asarray(vectors.matrix))
    keyed.fill_norms()
    pairs = list(zip(candidates, references, strict=True))
    metric = pg.Wmd(normalize=True, tokenizer="none")
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
