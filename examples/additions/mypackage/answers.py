"""Four made-up pairs with ratings: a human-rated data set."""

from paragauge.benchmarks import Benchmark
from paragauge.files.ratings import read_ratings

BENCHMARK = Benchmark(
    name="answers",
    title="Made-up pairs",
    about="four pairs, rated from 1 to 5",
    languages="en",
    licence="any use",
    citation="none; made up for this page",
    homepage="examples/additions/data",
    files={"answers/pairs.csv": "6042856da32904c87a613326bed660c988f2912d82c616ce87ee75153058fad7"},
    read=lambda folder: read_ratings(folder / "answers/pairs.csv", "rating"),
)
