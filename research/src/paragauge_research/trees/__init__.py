"""Parse trees: read, from parsers, compared by kernels."""
