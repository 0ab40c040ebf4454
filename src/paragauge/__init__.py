"""Measure paraphrases: how much meaning they keep and how many words they change."""

from ._version import __version__ as __version__
