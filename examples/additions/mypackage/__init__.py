"""One of everything that another package may add."""
