"""Kendall's τ_b = (C − D) / √((P − T_x)(P − T_y)): concordant less discordant of P pairs, T tied (Kendall 1945)."""

from ._kendall import kendall

STATISTIC = kendall("b")
