"""Wikipedia phrase pairs, judged by people."""

from . import Benchmark
from ._phrases import read_phrases

FILE = "ppdb-human/wiki-sample.tsv"
BENCHMARK = Benchmark(
    name="wikipedia-phrases",
    title="Wikipedia phrase pairs",
    about="13,954 candidate paraphrases of 100 phrases from Wikipedia, judged from 1 to 5 by three to five raters",
    languages="en",
    licence="not stated; research",
    citation="Pavlick et al. 2015, PPDB 2.0: Better paraphrase ranking, fine-grained entailment relations …, ACL",
    homepage="paraphrase.org",
    files={FILE: "2f6ed9c40de0505c490e956082d4fd2c0fa2ec3fea3a25295dbd5bec64f0c4cf"},
    read=lambda folder: read_phrases(folder / FILE, "wikipedia-phrases"),
)
