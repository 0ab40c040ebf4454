"""BLEU as sacrebleu defines it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...compute.features import Tokens
from ...compute.token_ids import token_sequences
from ...metric import CountMetric, Floats, Samples, Workspace
from ...text.ngrams import Integers, matches, totals
from ..shared.wording import BleuParameters

_DEFAULT_VALUE = {"floor": 0.1, "add-k": 1.0}  # Chen and Cherry 2014


@dataclass(frozen=True, kw_only=True)
class Bleu(BleuParameters, CountMetric):
    """Geometric mean of clipped n-gram precisions times a brevity penalty, from 0 to 100.

    BLEU = BP · exp(mean over n = 1 … 4 of log pₙ), BP = exp(min(0, 1 − r/c)), with r the length of the reference
    closest in length. A row's score uses exponential smoothing and the effective order, as `sacrebleu
    --sentence-level` does; the corpus score sums the counts of all rows first and is not the mean of the rows.
    Equal to sacrebleu 2; only `tokenizer=auto` is ours: 13a, except that characters of scripts without spaces
    (Chinese, Japanese, Thai …) are tokens. `source-bleu` (the same as `bleu.free`) is BLEU against the source, which
    papers on paraphrases call Self-BLEU: what it counts is copied; `selfbleu` compares the candidates of a set.
    """

    name = "bleu"
    title = "BLEU"
    range = (0.0, 100.0)
    higher_is_better = True
    scores_empty = True
    pools_references = True  # clips against all together; the length of the nearest in length
    citation = "Papineni et al. 2002, BLEU, ACL; Post 2018, A Call for Clarity, WMT"
    limits = "Sees shared wording only: a copy of the source that is near the reference wins."
    related = ("chrf", "ter", "rouge2", "pinc", "ibleu", "selfbleu")
    presets = {"source-bleu": {"free": True}}

    def counts(self, samples: Samples, work: Workspace) -> Floats:
        samples = self.worded(samples, work)
        against = self.against(samples)
        groups = ((text, *others) for text, others in zip(samples.candidates, against, strict=True))
        sequences = token_sequences(Tokens(self.tokenizer, self.lowercase), groups, work)
        own = sequences.lengths[sequences.place == 0]
        result = np.hstack(
            [own[:, None], own[:, None], matches(sequences, self.order), totals(own, self.order)]
        ).astype(np.float64)
        result[:, 1] = _closest(own, sequences.row, sequences.place, sequences.lengths)
        result[[not others for others in against]] = np.nan
        return result

    def from_counts(self, counts: Floats, *, corpus: bool) -> Floats:
        length, reference = counts[:, 0], counts[:, 1]
        correct, total = counts[:, 2 : 2 + self.order].copy(), counts[:, 2 + self.order :].copy()
        value = _DEFAULT_VALUE.get(self.smoothing, 0.0) if self.smooth_value is None else self.smooth_value
        nothing = ~(correct > 0).any(axis=1)
        if self.smoothing == "add-k":
            correct[:, 1:] += value
            total[:, 1:] += value
        missing = correct == 0
        if self.smoothing == "exp":
            correct = np.where(missing, 0.5 ** np.cumsum(missing, axis=1), correct)
        elif self.smoothing == "floor":
            correct = np.where(missing, value, correct)
        reached = np.cumsum(total == 0, axis=1) == 0  # orders before the first that the candidate has none of
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(reached, np.log(100 * correct / total), -np.inf)
            if self.effective_order and not corpus:
                logs = np.where(reached, logs, 0.0).sum(axis=1) / reached.sum(axis=1)
            else:
                logs = logs.mean(axis=1)
            brevity = np.where(length < reference, np.exp(1 - reference / length), 1.0)
            score = np.where(nothing, 0.0, brevity * np.exp(logs))
        return np.where(np.isnan(length), np.nan, score)


def _closest(own: Integers, row: Integers, place: Integers, lengths: Integers) -> Floats:
    """Length of the reference closest in length to the candidate, the shorter of two equally close."""
    result = np.zeros(len(own))
    other = place > 0
    row, lengths = row[other], lengths[other]
    order = np.lexsort((lengths, np.abs(lengths - own[row]), row))
    rows, first = np.unique(row[order], return_index=True)
    result[rows] = lengths[order][first]
    return result
