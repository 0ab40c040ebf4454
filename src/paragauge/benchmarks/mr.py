"""MR: snippets of movie reviews, positive or negative."""

from ._labelled import labelled

BENCHMARK = labelled(
    name="mr",
    title="Movie reviews, sentence polarity",
    about="10,662 snippets of movie reviews, positive or negative",
    licence="research",
    citation="Pang and Lee 2005, Seeing stars: Exploiting class relationships for sentiment categorization, ACL",
    homepage="github.com/harvardnlp/sent-conv-torch",
    files={"sentiment/rt-polarity.all": "b8846c3bbd59241f901efdc58f7c515e4b280ab3561fd1858caa5aa48da95a8a"},
)
