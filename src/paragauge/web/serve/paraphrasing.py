"""Candidates from a paraphraser, for the page and for programs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import InputError, nearest
from ...paraphrasers import classes, parse
from .batches import Cancellation

QUICK = ("wordnet-swap", "wordswap", "reranked", "beam")  # offered first: small; of a free licence before others


class Paraphrasing:
    """The methods that need nothing to be chosen, and those that the server was started with."""

    def __init__(self, given: Sequence[str]) -> None:
        methods = [parse(spec) for spec in given]
        first = {name: place for place, name in enumerate(QUICK)}
        for found in sorted(classes(), key=lambda found: first.get(found.name, len(QUICK))):
            if not found.needs and all(field.default is not None for field in dataclasses.fields(found)):
                methods += [found(), *(found(**values) for values in found.presets.values())]
        self.offered = {method.spec: method for method in methods}

    def listed(self) -> dict[str, Any]:
        """What `/api/paraphrasers` answers."""
        lines = [
            {"name": name, "title": method.title, "about": method.about, "limits": method.limits}
            for name, method in self.offered.items()
        ]
        return {"paraphrasers": lines}

    def generate(self, asked: Mapping[str, Any], cancellation: Cancellation) -> dict[str, Any]:
        """What `/api/paraphrase` answers; `asked` is a request that the schema allows."""
        method = self.offered.get(parse(asked["method"]).spec)
        if method is None:
            raise InputError(f"no method named '{asked['method']}' is offered{nearest(asked['method'], self.offered)}")
        cancellation.check()
        (found,) = method.generate([asked["source"]], int(asked.get("n", 1)))
        return {
            "candidates": [
                {
                    "text": candidate.text,
                    "score": candidate.score if math.isfinite(candidate.score) else None,
                    "provenance": dict(candidate.provenance),
                }
                for candidate in found
            ],
            "reason": found.reason or None,
            "signature": method.signature,
        }
