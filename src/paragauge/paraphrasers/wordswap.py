"""Words replaced by their neighbours in word-vector space."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..compute.store import FeatureStore
from ..compute.workspace import Workspace
from ..models.lexical.vectors import Vectors, load_vectors
from ..paraphraser import Candidate, Paraphraser, parameter
from ..text.stem import stem
from ..text.stopwords import is_stop_word
from ._words import cut_words, is_word, put_together, with_case

Near = list[tuple[str, float]]  # words and their cosines, best first
_KEPT = 16  # neighbours that are looked up and kept of each word, at least


@dataclass(frozen=True, kw_only=True)
class Wordswap(Paraphraser):
    """Each word replaced by its k-th nearest neighbour in word-vector space.

    wordswap-1, -2 and -3 are PG1, PG2 and PG3 of Hailu et al. 2020. The first of n candidates has neighbour `rank`, the
    next one `rank` + 1, and so on. The score is the mean cosine between the words replaced and their neighbours. In the
    paper everything that has a vector is replaced; word2vec's vectors have no punctuation, GloVe's have, so here it
    stays unless `punctuation=replace`.
    """

    name: ClassVar[str] = "wordswap"
    title: ClassVar[str] = "Word swap by word vectors"
    citation: ClassVar[str] = (
        "Hailu, Yu and Fantaye 2020, Intrinsic and Extrinsic Automatic Evaluation Strategies for Paraphrase Generation "
        "Systems, Journal of Computer and Communications 8"
    )
    limits: ClassVar[str] = "Neighbours of a word are often its opposite (hot, cold), and grammar is not looked at."
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {f"wordswap-{rank}": {"rank": rank} for rank in (1, 2, 3)}

    vectors: str = parameter(
        "default", "name (see `paragauge models`), or a file: word2vec, GloVe or fastText .vec; or a folder with one"
    )
    rank: int = parameter(1, "which neighbour replaces a word", low=1, high=100)
    stop_words: str = parameter("replace", "function words", choices=("replace", "keep"))
    punctuation: str = parameter("keep", "punctuation marks", choices=("replace", "keep"))
    unknown: str = parameter("keep", "words without a vector", choices=("keep", "drop"))
    case: str = parameter(
        "source", "of a neighbour: as the word replaced, or as in the vectors", choices=("source", "vectors")
    )
    inflection: str = parameter(
        "any", "may a neighbour be another form of the word (cats for cat)?", choices=("any", "other")
    )

    def propose(self, sources: Sequence[str], n: int) -> Iterator[list[Candidate]]:
        vectors = load_vectors(self.vectors)
        texts = [cut_words(source) for source in sources]
        wanted = list(dict.fromkeys(word for words, _ in texts for word in words if self._replaced(word, vectors)))
        near = self._near(vectors, wanted, n)
        for words, gaps in texts:
            yield [found for rank in range(n) if (found := self._swapped(words, gaps, near, vectors, rank)) is not None]

    def why(self, source: str) -> str:  # noqa: ARG002
        return "no word of the source has a neighbour"

    def details(self) -> dict[str, str]:
        vectors = load_vectors(self.vectors)
        return {"vectors": vectors.name, "sha256": vectors.sha256[:12]}

    def _replaced(self, word: str, vectors: Vectors) -> bool:
        if not is_word(word):
            kept = self.punctuation == "keep" or any(map(str.isalnum, word))  # a clitic always stays
        else:
            kept = self.stop_words == "keep" and is_stop_word(word)
        return not kept and word in vectors

    def _near(self, vectors: Vectors, words: Sequence[str], n: int) -> dict[str, Near]:
        spare = 0 if self.inflection == "any" else _KEPT
        count = -(-(self.rank + n - 1 + spare) // _KEPT) * _KEPT
        work = Workspace(FeatureStore.default())
        try:
            found = work.get(Neighbours(vectors, count), words)
        finally:
            work.close()
        if self.inflection == "any":
            return dict(zip(words, found, strict=True))
        return {
            word: [(other, cosine) for other, cosine in near if stem(other.lower()) != stem(word.lower())]
            for word, near in zip(words, found, strict=True)
        }

    def _swapped(
        self, words: Sequence[str], gaps: list[str], near: Mapping[str, Near], vectors: Vectors, offset: int
    ) -> Candidate | None:
        rank = self.rank + offset
        swapped, cosines = [], []
        for word in words:
            own = near.get(word, ())
            if len(own) >= rank:
                other, cosine = own[rank - 1]
                cosines.append(cosine)
                other = other.replace("_", " ")  # as word2vec writes a phrase
                swapped.append(with_case(other, word) if self.case == "source" else other)
            elif self.unknown == "drop" and is_word(word) and word not in vectors:
                swapped.append("")
            else:
                swapped.append(word)
        if not cosines:
            return None
        provenance = {"rank": rank, "replaced": len(cosines), "words": sum(map(is_word, words))}
        return Candidate(put_together(swapped, gaps), sum(cosines) / len(cosines), provenance)


@dataclass(frozen=True)
class Neighbours:
    """The `count` words of the highest cosine to a word; the word has a vector."""

    vectors: Vectors
    count: int

    progress_label = "looking for neighbours"

    @property
    def signature(self) -> str:
        return f"neighbours|sha256:{self.vectors.sha256}|count:{self.count}"

    def compute(self, words: Sequence[str]) -> Iterable[Near]:
        return self.vectors.nearest(words, self.count)

    def size(self, near: Near) -> int:
        return 32 * len(near)

    def pack(self, near: Near) -> bytes:
        return json.dumps(near).encode()

    def unpack(self, data: bytes) -> Near:
        return [(word, cosine) for word, cosine in json.loads(data)]
