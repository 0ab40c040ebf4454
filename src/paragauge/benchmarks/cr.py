"""CR: sentences of customers' reviews, positive or negative."""

from ._labelled import labelled

BENCHMARK = labelled(
    name="cr",
    title="Customer reviews",
    about="3,775 sentences of customers' reviews of products, positive or negative",
    licence="research",
    citation="Hu and Liu 2004, Mining and Summarizing Customer Reviews, KDD",
    homepage="github.com/harvardnlp/sent-conv-torch",
    files={"sentiment/custrev.all": "a3839a79bd3285177a07158c6104b49038a7a06ab2abe897734cde5d22e5e325"},
)
