"""Whole files through the library, resumable: the twins of `paragauge score`, `paraphrase` and `filter`."""
