"""What must be became what may be, or the other way round."""

from __future__ import annotations

import re

from .finding import Finding, Span

KIND = "modal"
ENGLISH = True
_NECESSARY = re.compile(
    r"\b(?:must|shall|(?:has|have|had|needs?|required|obliged|forced) to|ought to)\b", re.IGNORECASE
)
_POSSIBLE = re.compile(
    r"\b(?:may|might|could|perhaps|maybe|possibly|(?:is|are|was|were) allowed to)\b(?! \d)", re.IGNORECASE
)
_CERTAIN = re.compile(r"\b(?:will|won't|shall)\b", re.IGNORECASE)


def find(source: str, candidate: str) -> list[Finding]:
    """The modal verb of each text, where one is of necessity or certainty alone and the other of possibility alone."""
    for strong in (_NECESSARY, _CERTAIN):
        for one, other in ((strong, _POSSIBLE), (_POSSIBLE, strong)):
            before, after = one.search(source), other.search(candidate)
            if before and after and not other.search(source) and not one.search(candidate):
                return [Finding(KIND, Span(*before.span()), Span(*after.span()))]
    return []
