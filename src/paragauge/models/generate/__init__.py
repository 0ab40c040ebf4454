"""Models that write a text after a text: sequence-to-sequence models, step by step or by their engine's own search."""
