"""The tokens of sets of candidates."""

from __future__ import annotations

from collections.abc import Sequence

from ...compute.features import Tokens
from ...compute.workspace import Workspace
from ...tables.samples import Samples
from ..form._wording import Wording


def tokens_of_sets(metric: Wording, feature: Tokens, sets: Sequence[Samples], work: Workspace) -> list[list[list[str]]]:
    """Of each set the tokens of each candidate, as the metric reads it."""
    tokens = iter(work.get(feature, metric.texts([text for rows in sets for text in rows.candidates], work)))
    return [[next(tokens) for _ in rows.candidates] for rows in sets]
