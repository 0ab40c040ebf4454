"""Searches for sequences of tokens, each written once over the step interface of a model."""
