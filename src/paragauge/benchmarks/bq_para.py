"""BQ-Para: Chinese questions to a bank."""

from . import Benchmark
from ._pickles import read_pickles

FILES = {
    "parascore/bq/source-candidate.pickle": "780b75301134dc1743835f100dcb2ea6ead6e69e8b380a7c572d5c4f52d84124",
    "parascore/bq/source-reference.pickle": "2491231d3964ad89de89a48aaa907a04454a605c24134b3faf558f50618c81eb",
}
BENCHMARK = Benchmark(
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
    files=FILES,
    read=lambda folder: read_pickles(folder / "parascore" / "bq", "bq-para"),
)
