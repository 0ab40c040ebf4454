"""Which metric to trust: agreement with people, its intervals, tests of differences, and the ceiling people set."""

from ..benchmarks import benchmark as benchmark
from ..files.ratings import read_ratings as read_ratings
from ..tables.ratings import Ratings as Ratings
from .leaderboard import leaderboard as leaderboard
from .scored import score_ratings as score_ratings
from .tuning import tune as tune
