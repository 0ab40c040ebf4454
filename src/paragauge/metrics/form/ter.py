"""Translation edit rate as sacrebleu defines it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...compute.features import Tokens
from ...compute.token_ids import token_sequences
from ...metric import CountMetric, Floats, Samples, Workspace, best, parameter
from ...text.ter import count_edits
from ..shared.wording import Wording


@dataclass(frozen=True, kw_only=True)
class Ter(Wording, CountMetric):
    """Edits per reference word, in percent: insertions, deletions, substitutions, and shifts of a block of words.

    TER = 100 · min over references of the edits / mean length of the references. 0 is a copy; a candidate much longer
    than its references exceeds 100. Which shifts are made is Tercom's greedy search, so the edits are few but not
    always fewest. The corpus score sums edits and lengths of all rows first. Equal to sacrebleu 2, which ignores case
    and splits at whitespace; only `tokenizer=ter` is ours: the same, except that characters of scripts without spaces
    (Chinese, Japanese, Thai …) are tokens.
    """

    name = "ter"
    title = "TER"
    range = (0.0, float("inf"))
    higher_is_better = False
    scores_empty = True
    pools_references = True  # divides by their average length
    citation = "Snover et al. 2006, A Study of Translation Edit Rate, AMTA; Post 2018, WMT"
    limits = "Every edit weighs the same, a synonym as much as a 'not'; punctuation belongs to the word before it."
    related = ("ned", "bleu", "chrf")

    tokenizer: str = parameter("ter", "tokenization; tercom is sacrebleu's", choices=("ter", "tercom"))

    def counts(self, samples: Samples, work: Workspace) -> Floats:
        """Per row the edits to the nearest reference and the mean length of its references."""
        samples = self.worded(samples, work)
        groups = self.against(samples)
        rows = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        pairs = ((text, other) for text, group in zip(samples.candidates, groups, strict=True) for other in group)
        sequences = token_sequences(Tokens(self.tokenizer), pairs, work)
        texts = iter(sequences.texts())
        edits = np.fromiter(map(count_edits, texts, texts), np.float64, len(rows))
        lengths = np.bincount(rows, weights=sequences.lengths[1::2], minlength=len(groups))
        sizes = np.bincount(rows, minlength=len(groups))
        means = np.divide(lengths, sizes, out=np.full(len(groups), np.nan), where=sizes > 0)
        return np.column_stack([best(edits, groups, highest=False), means])

    def from_counts(self, counts: Floats, *, corpus: bool) -> Floats:  # noqa: ARG002
        edits, length = counts[:, 0], counts[:, 1]
        rates = np.where(edits > 0, 1.0, edits)  # no word in the references: all edits or none
        return 100 * np.divide(edits, length, out=rates, where=length > 0)
