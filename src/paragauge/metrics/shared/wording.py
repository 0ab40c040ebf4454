"""What the metrics of wording share: whether they see edits that no reader would call a change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...compute.features import Normalized, Tokens
from ...metric import UNDEFINED, Metric, Samples, Workspace, parameter
from ...text.normalize import normalize

# characters of one text times those of the other: an edit distance takes time by it, here some ten seconds
MOST = 200_000_000_000


def too_long(one: str, other: str) -> bool:
    """Would an edit distance of these texts take minutes, or hours?"""
    return len(one) * len(other) > MOST


@dataclass(frozen=True, kw_only=True)
class Wording(Metric):
    """A metric of wording; with `normalize`, of normalized texts, so that a decorated copy counts as a copy."""

    normalize: bool = parameter(
        False, "compare wording without case, accents, whitespace, width forms and invisible characters"
    )

    def texts(self, texts: Sequence[str], work: Workspace) -> Sequence[str]:
        """The texts as this metric reads them."""
        return work.get(Normalized(), texts) if self.normalize else texts

    def worded(self, samples: Samples, work: Workspace) -> Samples:
        """The samples as this metric reads them."""
        if not self.normalize:
            return samples
        references = iter(self.texts([text for group in samples.references for text in group], work))
        return replace(
            samples,
            sources=list(self.texts(samples.sources, work)),
            candidates=list(self.texts(samples.candidates, work)),
            references=[tuple(filter(None, [next(references) for _ in group])) for group in samples.references],
        )

    def reason(self, samples: Samples, row: int) -> str:
        found = super().reason(samples, row)
        if self.normalize and found == UNDEFINED:
            texts = {"candidate": [samples.candidates[row]], "source": [samples.sources[row]]}
            for name, group in (texts | {"references": samples.references[row]}).items():
                if group and not any(map(normalize, group)):
                    return f"the {name} has only characters that do not show"
        return found


def tokens_of_sets(metric: Wording, feature: Tokens, sets: Sequence[Samples], work: Workspace) -> list[list[list[str]]]:
    """Of each set the tokens of each candidate, as the metric reads it."""
    tokens = iter(work.get(feature, metric.texts([text for rows in sets for text in rows.candidates], work)))
    return [[next(tokens) for _ in rows.candidates] for rows in sets]
