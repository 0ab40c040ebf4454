"""Everything that holds weights: the registry and its fetching, encoders, language models, the matching of vectors."""

from .encoder import Encoded, Encoder, pack, unpack
from .language_model import LanguageModel, Likelihood
from .load import load_encoder
from .load_language_model import load_language_model
from .matching import greedy_match, match_pairs

__all__ = [
    "Encoded",
    "Encoder",
    "LanguageModel",
    "Likelihood",
    "greedy_match",
    "load_encoder",
    "load_language_model",
    "match_pairs",
    "pack",
    "unpack",
]
