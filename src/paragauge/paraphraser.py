"""The contract of a paraphraser: sources to candidates, each with a score and what it was made of."""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from ._version import __version__
from .errors import InputError, check_count
from .parameters import Configured, written
from .parameters import parameter as parameter
from .tables.samples import entries, is_empty
from .text.sentences import packed, sentences

NOTHING = "nothing was generated"


class Candidate(NamedTuple):
    """One paraphrase."""

    text: str
    score: float = math.nan  # on the scale of its method, higher is better; NaN where there is none
    provenance: Mapping[str, Any] = {}  # what it was made of: a code, a pivot, the words replaced; JSON can hold it


class Candidates(list[Candidate]):
    """The paraphrases of one source, best first; where there are none, `reason` says why."""

    def __init__(self, found: Iterable[Candidate] = (), reason: str = "") -> None:
        super().__init__(found)
        self.reason = "" if self else reason or NOTHING


@dataclasses.dataclass(frozen=True, kw_only=True)
class Paraphraser(Configured, ABC):
    """Sources to paraphrases. Its fields are its parameters, and its parameters are its signature.

    What comes of a source depends on the source, the parameters and n alone, not on the sources next to it: a method
    that draws at random draws from a generator seeded by `seed` and the source.
    """

    title: ClassVar[str]
    citation: ClassVar[str]
    limits: ClassVar[str] = ""  # where it fails
    needs: ClassVar[str] = ""  # what a parameter must name before it works, where its defaults do not
    batch: ClassVar[int] = 1024  # sources that a run keeps together: the work that an interruption can lose

    @abstractmethod
    def propose(self, sources: Sequence[str], n: int) -> Iterable[Sequence[Candidate]]:
        """Candidates of each source, best first; no source is empty or beyond the limit. More than n are cut off."""

    def why(self, source: str) -> str:  # noqa: ARG002
        """Why `propose` gives nothing for this source."""
        return NOTHING

    @property
    def limit(self) -> int | None:
        """The longest source, as `lengths` counts; None where there is no limit."""
        return None

    @property
    def max_candidates(self) -> int | None:
        """The most candidates of a source that may be asked for; None where there is no such number."""
        return None

    @property
    def by_sentence(self) -> bool:
        """Is each sentence of a source paraphrased by itself, not only where the source is beyond the limit?"""
        return False

    def lengths(self, sources: Sequence[str]) -> list[int]:
        """The length of each source in the unit of the limit."""
        return [len(source.split()) for source in sources]

    def details(self) -> dict[str, str]:
        """Signature entries beyond the parameters, such as the sha256 of weights; an entry replaces the field."""
        return {}

    @property
    def signature(self) -> str:
        """Everything a candidate depends on, besides its source and n."""
        entries = {field.name: written(getattr(self, field.name)) for field in dataclasses.fields(self)}
        entries |= self.details()
        listed = (f"{key}:{value}" for key, value in entries.items() if value)
        return "|".join([self.name, *listed, f"version:{__version__}"])

    def generate(self, sources: Iterable[str], n: int = 1) -> Iterator[Candidates]:
        """At most n different candidates of each source, in order; an empty set has a reason.

        A source beyond the limit is split at its sentences, and the k-th candidates of its parts are put together; one
        with a sentence beyond the limit is refused.
        """
        texts = entries("sources", sources, "a list of texts")
        for place, text in enumerate(texts, 1):
            if not isinstance(text, str):
                raise InputError(f"source {place} is {type(text).__name__} {text!r:.40}; expected text")
        for text, found in zip(texts, self.written(texts, n), strict=True):
            if isinstance(found, str):
                yield Candidates(reason=found)
            else:
                kept = _distinct(found, n)
                yield Candidates(kept, "" if kept else self.why(text))

    def written(self, texts: Sequence[str], n: int) -> Iterator[list[Candidate] | str]:
        """All that is proposed for each text, equal and empty candidates too, or why it is refused."""
        n = check_count("n", n)
        split = self._split(texts)
        proposed = iter(self.propose([part for found in split if not isinstance(found, str) for part in found], n))
        for found in split:
            if isinstance(found, str):
                yield found
                continue
            parts = [list(own) for own in islice(proposed, len(found))]
            if len(parts) < len(found):
                raise RuntimeError(f"{self.name} gave fewer sets of candidates than there are sources")
            yield parts[0] if len(found) == 1 else _joined(found, parts, n)

    def _split(self, texts: Sequence[str]) -> list[list[str] | str]:
        """Each text as the parts that are within the limit, or why it is refused."""
        found: list[list[str] | str] = ["the source is empty" if is_empty(text) else [text] for text in texts]
        limit = self.limit
        if limit is None:
            return found
        filled = [place for place, parts in enumerate(found) if not isinstance(parts, str)]
        for place, length in zip(filled, self.lengths([texts[place] for place in filled]), strict=True):
            if length > limit or self.by_sentence:
                found[place] = self._parts(texts[place], limit)
        return found

    def _parts(self, text: str, limit: int) -> list[str] | str:
        cut = sentences(text)
        if len(cut) == 1 and self.by_sentence:
            cut = [text]
        lengths = self.lengths(cut)
        if max(lengths) > limit:
            return f"a sentence of the source has {max(lengths):,} tokens; the limit is {limit:,}"
        if self.by_sentence:
            return cut
        return [" ".join(cut[place] for place in group) for group in packed(lengths, limit)]


def _joined(sources: Sequence[str], parts: Sequence[Sequence[Candidate]], n: int) -> list[Candidate]:
    """The k-th candidates of all parts as one text; a part that has fewer gives its best, one that has none itself."""
    joined = []
    for rank in range(min(n, max(map(len, parts)))):
        chosen = [
            (own[rank] if rank < len(own) else own[0]) if own else Candidate(source)
            for source, own in zip(sources, parts, strict=True)
        ]
        scores = [one.score for one in chosen if one.score == one.score]
        provenance = {"parts": [dict(one.provenance) for one in chosen]}
        score = sum(scores) / len(scores) if scores else math.nan
        joined.append(Candidate(" ".join(one.text for one in chosen), score, provenance))
    return joined


def _distinct(found: Iterable[Candidate], n: int) -> list[Candidate]:
    """The first n that are neither empty nor equal to an earlier one."""
    kept: dict[str, Candidate] = {}
    for candidate in found:
        text = candidate.text.strip()
        if len(kept) < n and not is_empty(text):
            kept.setdefault(text, candidate._replace(text=text))
    return list(kept.values())
