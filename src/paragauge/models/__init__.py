"""Everything that holds weights: the registry and its fetching, encoders, and the matching of token vectors."""

from .encoder import Encoded, Encoder, pack, unpack
from .load import load_encoder
from .matching import greedy_match, match_pairs

__all__ = ["Encoded", "Encoder", "greedy_match", "load_encoder", "match_pairs", "pack", "unpack"]
