"""IMDB: movie reviews, half of them positive."""

from ._labelled import labelled

BENCHMARK = labelled(
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
