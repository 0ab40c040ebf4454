"""Entailment in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...metric import Floats, Workspace, parameter
from ..shared.encoder import PairModelMetric

if TYPE_CHECKING:
    from ...models.pairs.classifier import PairClassifier


@dataclass(frozen=True, kw_only=True)
class Nli(PairModelMetric):
    """Probability that the two texts entail each other, by a model of natural language inference.

    Forward is P(entailment | the other text, then the candidate), backward P(entailment | the candidate, then the other
    text). A paraphrase must hold in both directions, so `both`, the default, is the lower of the two; `mean` is their
    average. The class of entailment is the one whose name begins with "entail" in the model's configuration, unless
    `label` names another. Of several references the best counts; against the source it is `nli.free`.
    """

    name = "nli"
    title = "NLI"
    range = (0.0, 1.0)
    higher_is_better = True
    symmetric = True  # both and mean; forward and backward change places
    citation = "Androutsopoulos and Malakasiotis 2010, A Survey of Paraphrasing and Textual Entailment Methods, JAIR"
    limits = (
        "As good as its model: one trained on captions may take any detail left out for neutral. Probabilities of two "
        "models cannot be compared, and a copy scores as high as a paraphrase."
    )
    related = ("bartscore", "cosine")

    part: str = parameter("both", "which direction counts", choices=("both", "mean", "forward", "backward"))
    label: str | None = parameter(None, "the class that counts, by name or number; none looks for entailment")

    def load(self) -> PairClassifier:
        name = self.named("any NLI classifier's")
        from ...models.pairs.classifier import load_classifier  # heavy, and needed only where a model is named

        return load_classifier(name, self.precision)

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        only = self.part if self.part in ("forward", "backward") else None
        found = self.both_ways(pairs, self.load().index(self.label), only, work)
        return found[0] if only else np.minimum(*found) if self.part == "both" else (found[0] + found[1]) / 2

    def details(self) -> dict[str, str]:
        classifier = self.load()
        return super().details() | {"label": classifier.classes[classifier.index(self.label)]}
