"""Two texts to numbers: classifiers such as NLI, and the likelihood of one text after another."""
