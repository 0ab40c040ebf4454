"""Perplexity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...compute.features import read
from ...metric import Floats, Samples, Workspace
from ..shared.encoder import LanguageModelMetric


@dataclass(frozen=True, kw_only=True)
class Perplexity(LanguageModelMetric):
    """How surprised a language model is by each token of the candidate, on average.

    exp(−1/T · Σ log p(tₖ | t₁ … tₖ₋₁)) over the candidate's T tokens, the first after the token that the model's
    training put before every document. Widespread code asks for the loss of transformers instead, which without such
    a token leaves the first token out, and so is undefined for a candidate of one token.
    """

    name = "perplexity"
    title = "Perplexity"
    needs = "nothing"
    range = (1.0, float("inf"))
    higher_is_better = False
    citation = "Jelinek et al. 1977, Perplexity: a measure of the difficulty of speech recognition tasks"
    limits = (
        "Rare names and words count as bad language, clichés and repetitions as good; short texts get high values, and "
        "a few of them rule the mean. Values of different models cannot be compared."
    )
    related = ("slor",)

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        found = read(self.load(), samples.candidates, work)
        return np.array(
            [
                np.exp(-one.log_probabilities.mean(dtype=np.float64)) if len(one.ids) else np.nan for one in found
            ],
            dtype=np.float64,
        )  # fmt: skip
