"""The methods of Bawden et al. 2020: paraphrases that begin with a code, and those made for the outputs of systems."""
