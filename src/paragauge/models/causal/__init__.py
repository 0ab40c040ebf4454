"""Language models: how likely a text is, and what an instruct model answers."""
