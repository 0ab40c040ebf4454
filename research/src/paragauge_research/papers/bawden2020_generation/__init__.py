"""The generators of Bawden et al. 2020, and those that they are compared with, on held-out pairs: one table."""

from .. import Paper
from .table import ORDER, TABLES, compute

PAPER = Paper(
    name="bawden2020-generation",
    title="A Study in Improving BLEU Reference Coverage with Diverse Automatic Paraphrasing: the generators",
    citation="Bawden, Zhang, Yankovskaya, Tättar and Post 2020, Findings of EMNLP",
    tables=(*TABLES, ORDER),
    needs=("the folder pairs with the test parts of Quora, ParaBank 2 and MSCOCO",),
    compute=compute,
    models={
        "paraphraser": "the sequence-to-sequence model; [default: the one that comes with the package]",
        "random": "the one with random codes",
        "semantic": "the one with semantic codes",
        "syntactic": "the one with syntactic codes",
    },
)
