"""Which metric to trust: agreement with people, its intervals, tests of differences, and the ceiling people set."""

from .correlation import STATISTICS as STATISTICS
from .correlation import Correlation as Correlation
from .correlation import Grouped as Grouped
from .correlation import correlate as correlate
from .correlation import correlate_many as correlate_many
from .correlation import kendall_b as kendall_b
from .correlation import kendall_c as kendall_c
from .correlation import pearson as pearson
from .correlation import spearman as spearman
from .intervals import Difference as Difference
from .intervals import Resamples as Resamples
from .intervals import interval as interval
from .intervals import resample as resample
from .pairwise import PairwiseAccuracy as PairwiseAccuracy
from .pairwise import SoftAccuracy as SoftAccuracy
from .pairwise import SystemAccuracy as SystemAccuracy
from .pairwise import pairwise_accuracy as pairwise_accuracy
from .pairwise import soft_pairwise_accuracy as soft_pairwise_accuracy
from .pairwise import system_pairwise_accuracy as system_pairwise_accuracy
