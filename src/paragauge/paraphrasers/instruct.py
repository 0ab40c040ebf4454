"""An instruct language model on this machine, asked by a prompt."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..errors import InputError
from ..models.causal.chat import ChatWriter
from ..models.causal.language_model import load_language_model
from ..models.causal.run import BatchedLanguageModel
from ..paraphraser import Candidate, Paraphraser, parameter
from ._prompt import answered, asked, prompt_sha256, read_prompt
from .decoding.beam import BeamSettings, beam_search
from .decoding.sampling import sample


@dataclass(frozen=True, kw_only=True)
class Instruct(Paraphraser):
    """The answers of an instruct language model to a prompt: the first line of each that says something.

    The score is the log-probability of the whole answer by its length.
    """

    name: ClassVar[str] = "instruct"
    title: ClassVar[str] = "Instruct language model"
    citation: ClassVar[str] = "Allal et al. 2025, SmolLM2: When Smol Goes Big"
    limits: ClassVar[str] = "A small model answers a question instead of paraphrasing it, and adds what was not said."
    batch: ClassVar[int] = 16

    model: str = parameter("default-lm", "language model: a registered name, folder or hub id")
    prompt: str = parameter("default", "a text file with {source} in it, or default")
    decoding: str = parameter("beam", "beam search, or sampling, which is slow here", choices=("beam", "sampled"))
    width: int = parameter(4, "sequences in the beam; n where that is more", low=1, high=100)
    mass: float = parameter(0.8, "sampling: share of the probability that is drawn from", low=0.01, high=1)
    seed: int = parameter(0, "random seed for sampling", low=0)
    longest: int = parameter(96, "most tokens of an answer", low=2, high=4096)

    def writer(self) -> ChatWriter:
        """The model, loaded once per process."""
        return _writer(self.model)

    @property
    def limit(self) -> int:
        return self.writer().model.limit - self.longest

    def lengths(self, sources: Sequence[str]) -> list[int]:
        return [len(ids) for ids in self._messages(sources)]

    def details(self) -> dict[str, str]:
        model = self.writer().model
        return {"prompt": prompt_sha256(self.prompt)[:12], "model": model.signature.replace("|", ";")}

    def propose(self, sources: Sequence[str], n: int) -> Iterable[list[Candidate]]:
        writer = self.writer()
        for source in self._messages(sources):
            if self.decoding == "sampled":
                (drawn,) = sample(writer, [source], 2 * n, mass=self.mass, longest=self.longest, seed=self.seed)
                found = [(one.tokens, one.score) for one in drawn]
            elif writer.native:
                (found,) = writer.beam([source], width=max(self.width, n), n=n, longest=self.longest, penalty=1.0)
            else:
                (best,) = beam_search(writer, [source], BeamSettings(max(self.width, n), n, self.longest))
                found = [(one.tokens, one.score) for one in best]
            answers = [(writer.text(tokens).strip(), score) for tokens, score in found]
            yield [Candidate(answered(answer), score, {"answer": answer}) for answer, score in answers]

    def _messages(self, sources: Sequence[str]) -> list[list[int]]:
        prompt = read_prompt(self.prompt)
        return self.writer().messages([asked(prompt, source) for source in sources])


@functools.cache
def _writer(name: str) -> ChatWriter:
    model = load_language_model(name, limit=4096)
    if not isinstance(model, BatchedLanguageModel):
        raise InputError(f"{name} cannot write; expected an instruct language model")
    return ChatWriter(model)
