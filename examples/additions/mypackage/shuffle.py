"""Words in another order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paragauge.paraphraser import Candidate, Paraphraser, parameter
from paragauge.paraphrasers.decoding.sampling import generator_of


@dataclass(frozen=True, kw_only=True)
class Shuffle(Paraphraser):
    """The words of the source in a random order."""

    name = "shuffle"
    title = "Words in random order"
    citation = "none; what a paraphraser must beat"

    seed: int = parameter(0, "random seed", low=0)

    def propose(self, sources: Sequence[str], n: int) -> Iterator[list[Candidate]]:
        for source in sources:
            drawn = generator_of(self.seed, source)
            yield [Candidate(" ".join(drawn.permutation(source.split()))) for _ in range(n)]
