"""Metrics that need a parser or a published program."""
