"""Codes before the text, each of which starts a beam of its own."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from paragauge.errors import InputError
from paragauge.paraphraser import Candidate, parameter
from paragauge.paraphrasers._seq2seq import Seq2SeqParaphraser
from paragauge.paraphrasers.decoding.beam import BeamSettings

from ._codes import Coded, code_tokens, coded_search, kind_of, probable_codes, random_codes


@dataclass(frozen=True, kw_only=True)
class Codes(Seq2SeqParaphraser):
    """The n most probable codes, or n random ones, each start a beam search: one candidate per code.

    The model was trained with a pseudo-token `<cl_7>` before each target: the cluster of the target's meaning
    (`semantic`), of its tree (`syntactic`), or any (`random`, RANDOM of Bawden et al. 2020, where codes are random in
    training and here). The model's configuration says which: `"paragauge_codes": "semantic"`.
    """

    name: ClassVar[str] = "codes"
    title: ClassVar[str] = "Cluster codes"
    citation: ClassVar[str] = (
        "Shu, Nakayama and Cho 2019, Generating Diverse Translations with Sentence Codes, ACL; Bawden et al. 2020"
    )
    needs: ClassVar[str] = "a model that was trained with codes"
    limits: ClassVar[str] = "An improbable code forces a text that may not fit its source."
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "semantic": {"kind": "semantic"},
        "syntactic": {"kind": "syntactic"},
        "random": {"kind": "random", "choice": "random"},
    }

    kind: str = parameter(
        "any", "what the codes of the model must stand for", choices=("any", "semantic", "syntactic", "random")
    )
    choice: str = parameter("probable", "which codes are taken", choices=("probable", "random"))
    width: int = parameter(6, "sequences in the beam of each code", low=1, high=1000)
    seed: int = parameter(0, "random seed, where codes are random", low=0)

    def decode(self, sources: list[str], n: int) -> Iterable[list[Candidate]]:
        model, ids, codes = self.load(), self.ids(sources), self.codes()
        if self.choice == "random":
            chosen = random_codes(ids, codes, n, self.seed)
        else:
            chosen = probable_codes(model, ids, codes, n)
        settings = BeamSettings(self.width, 1, self.max_tokens(), self.length_penalty)
        for own in coded_search(self.search, ids, chosen, settings):
            yield [self._candidate(one, codes.index(one.code)) for one in own]

    def _candidate(self, found: Coded, number: int) -> Candidate:
        probability = {} if math.isnan(found.log_probability) else {"code_log_probability": found.log_probability}
        text = found.best._replace(tokens=found.best.tokens[1:])
        return self.candidate(text, code=number, **probability)

    @property
    def max_candidates(self) -> int:
        return len(self.codes())

    def codes(self) -> list[int]:
        """The tokens of the codes of the model."""
        model = self.load()
        tokens, kind = code_tokens(model), kind_of(model)
        if self.kind not in ("any", kind):
            raise InputError(f"the codes of {model.name} are {kind}; expected {self.kind}")
        return tokens
