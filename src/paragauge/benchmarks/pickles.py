"""The data sets of Shen et al. 2022, which are pickles: Chinese questions to a bank, English tweets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from ..files.pickles import read_plain
from ..tables.ratings import Ratings
from ..tables.samples import Samples
from . import Benchmark


def read_pickles(folder: Path, name: str, votes: int | None = None) -> Ratings:
    """Sources with one reference and several judged candidates each, in the published order."""
    references = read_plain(folder / "source-reference.pickle")
    rows = [
        (source, candidate, (references[source][0],), float(score), f"{number}-{place}")
        for number, (source, group) in enumerate(read_plain(folder / "source-candidate.pickle").items(), 1)
        for place, (candidate, score) in enumerate(group, 1)
    ]
    sources, candidates, groups, scores, ids = zip(*rows, strict=True)
    samples = Samples.of(sources, candidates, groups, ids=ids)
    return Ratings(samples, np.array(scores), name, votes=votes, dev=len(scores) // 10)


_BQ_FILES = {
    "parascore/bq/source-candidate.pickle": "780b75301134dc1743835f100dcb2ea6ead6e69e8b380a7c572d5c4f52d84124",
    "parascore/bq/source-reference.pickle": "2491231d3964ad89de89a48aaa907a04454a605c24134b3faf558f50618c81eb",
}
BQ_PARA = Benchmark(
    name="bq-para",
    title="BQ-Para",
    about="5,590 candidates of 559 questions, each with one reference; scores are k/5",
    languages="zh",
    licence="Apache-2.0",
    citation=(
        "Shen et al. 2022, On the Evaluation Metrics for Paraphrase Generation, EMNLP; made from Chen et al. 2018, "
        "The BQ Corpus, EMNLP"
    ),
    homepage="github.com/shadowkiller33/ParaScore",
    files=_BQ_FILES,
    read=lambda folder: read_pickles(folder / "parascore" / "bq", "bq-para"),
)

BQ_PARA_EXTENDED = replace(
    BQ_PARA,
    name="bq-para-extended",
    title="BQ-Para, extended",
    about="BQ-Para, and the source itself as a further candidate of every fifth source, scored 0",
    read=lambda folder: BQ_PARA.read(folder).extended(),
)

_TWITTER_FILES = {
    "parascore/twitter/source-candidate.pickle": "350a3ff47f1a3275701e2a2f94bce60b61e4644900e5a070c1fc0dac64511121",
    "parascore/twitter/source-reference.pickle": "c44a771738dde0c4e9de7757dd91d8a081f6b8ee6755d9bcbb0b490b4bd95cb5",
}
TWITTER_PARA = Benchmark(
    name="twitter-para",
    title="Twitter-Para",
    about="7,159 candidates of 761 tweets, each with one reference; a score is the share of 5 raters who agreed",
    languages="en",
    licence="Apache-2.0",
    citation=(
        "Shen et al. 2022, On the Evaluation Metrics for Paraphrase Generation, EMNLP; made from Xu et al. 2014, "
        "Extracting Lexically Divergent Paraphrases from Twitter, TACL"
    ),
    homepage="github.com/shadowkiller33/ParaScore",
    files=_TWITTER_FILES,
    read=lambda folder: read_pickles(folder / "parascore" / "twitter", "twitter-para", votes=5),
)

TWITTER_PARA_EXTENDED = replace(
    TWITTER_PARA,
    name="twitter-para-extended",
    title="Twitter-Para, extended",
    about="Twitter-Para, and the source itself as a further candidate of every fifth source, scored 0",
    read=lambda folder: TWITTER_PARA.read(folder).extended(),
)
