"""Texts to vectors, and the matching of vectors."""
