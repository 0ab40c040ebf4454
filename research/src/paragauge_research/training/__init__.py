"""The training of models: of `meaning`, and of paraphrasers."""
