"""Twitter-Para: English tweets."""

from . import Benchmark
from ._pickles import read_pickles

FILES = {
    "parascore/twitter/source-candidate.pickle": "350a3ff47f1a3275701e2a2f94bce60b61e4644900e5a070c1fc0dac64511121",
    "parascore/twitter/source-reference.pickle": "c44a771738dde0c4e9de7757dd91d8a081f6b8ee6755d9bcbb0b490b4bd95cb5",
}
BENCHMARK = Benchmark(
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
    files=FILES,
    read=lambda folder: read_pickles(folder / "parascore" / "twitter", "twitter-para", votes=5),
)
