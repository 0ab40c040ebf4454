"""Word vectors, WordNet, parsers, and METEOR's own program."""
