"""Stuart's τ_c = 2(C − D) / (n² (m−1)/m), where m is the smaller number of distinct values (Stuart 1953)."""

from ._kendall import kendall

STATISTIC = kendall("c")
