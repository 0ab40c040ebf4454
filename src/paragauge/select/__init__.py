"""Candidates that meet a condition, the best of each source: generated (`paraphrase`) or given (`filter`)."""
