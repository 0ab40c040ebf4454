"""BARTScore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...metric import Floats, Need, Samples, Workspace, parameter
from ...models.pairs.pair_model import PairModel
from ..shared.encoder import PairModelMetric

PARTS = ("mean", "f1", "precision", "recall", "source")


@dataclass(frozen=True, kw_only=True)
class BartScore(PairModelMetric):
    """Mean log-likelihood of a text's tokens after the other text, by a sequence-to-sequence model.

    Precision is log p(candidate | reference), recall log p(reference | candidate), each over the number of tokens,
    special ones included, as the authors' code has it. `mean`, the default, is (precision + recall) / 2, which is the
    paper's F-score; `f1` is their harmonic mean, twice the harm_f of the code. `part=source` is
    log p(candidate | source), the paper's faithfulness, and needs no references. Against the source
    (`bartscore.free`) the source stands for the reference. Of several references the best counts. No prompts.
    """

    name = "bartscore"
    title = "BARTScore"
    range = (-np.inf, 0.0)
    higher_is_better = True
    symmetric = True  # mean and f1; precision and recall change places
    citation = "Yuan et al. 2021, BARTScore: Evaluating Generated Text as Text Generation, NeurIPS"
    limits = (
        "Scores of two models, or of texts in two languages, cannot be compared; frequent words and copies are likely, "
        "so bland or copied candidates are favoured."
    )
    related = ("bertscore", "nli")

    part: str = parameter("mean", "which text is predicted from which", choices=PARTS)

    def load(self) -> PairModel:
        name = self.named("any BART, T5 or Marian")
        from ...models.pairs.likelihood import load_seq2seq  # heavy, and needed only where a model is named

        return load_seq2seq(name, self.precision)

    @property
    def needs(self) -> Need:
        return "source" if self.part == "source" else super().needs

    def against(self, samples: Samples) -> list[tuple[str, ...]]:
        if self.part == "source" and not self.free:
            return replace(self, free=True).against(samples)
        return super().against(samples)

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        only = {"recall": "backward", "precision": "forward", "source": "forward"}.get(self.part)
        found = self.both_ways(pairs, 0, only, work)
        if only:
            return found[0]
        precision, recall = found
        total = precision + recall
        if self.part == "mean":
            return total / 2
        return np.where(total < 0, 2 * precision * recall / np.where(total < 0, total, np.nan), total)

    def details(self) -> dict[str, str]:
        return super().details() | ({"against": "source"} if self.part == "source" else {})
