"""Weights as they are published, read and converted for the engine."""
