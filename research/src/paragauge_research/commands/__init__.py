"""Commands of `paragauge` that reproduce papers and train models."""
