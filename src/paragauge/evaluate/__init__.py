"""Samples and metrics to scores: what is asked for, cut into parts, handed to an engine, merged in order."""
