"""PPDB phrase pairs, judged by people."""

from . import Benchmark
from ._phrases import read_phrases

FILE = "ppdb-human/ppdb-sample.tsv"
BENCHMARK = Benchmark(
    name="ppdb",
    title="PPDB phrase pairs",
    about="26,456 phrase pairs of PPDB, each judged from 1 to 5 by two to five raters, most by five",
    languages="en",
    licence="not stated; research",
    citation="Pavlick et al. 2015, PPDB 2.0: Better paraphrase ranking, fine-grained entailment relations …, ACL",
    homepage="paraphrase.org",
    files={FILE: "d7c6bcac64099352b32d18eb710bec8533e9b6663507aff1781e90df0082515d"},
    read=lambda folder: read_phrases(folder / FILE, "ppdb"),
)
