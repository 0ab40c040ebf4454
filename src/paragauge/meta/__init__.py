"""Which metric to trust: metrics held against human judgments."""
