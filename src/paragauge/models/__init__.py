"""Everything that holds weights: the registry and its fetching, encoders, language models, the matching of vectors."""

from .causal.language_model import LanguageModel, Likelihood, load_language_model
from .encoders.encoder import Encoded, Encoder, load_encoder
from .encoders.matching import greedy_match, match_pairs

__all__ = [
    "Encoded",
    "Encoder",
    "LanguageModel",
    "Likelihood",
    "greedy_match",
    "load_encoder",
    "load_language_model",
    "match_pairs",
]
