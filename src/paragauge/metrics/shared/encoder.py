"""What the metrics of a model share: which encoder, language model or model of pairs, and how it is asked."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...compute.features import encode, judge, spell
from ...errors import Hint, InputError
from ...metric import UNDEFINED, ComparisonMetric, Floats, Metric, PairMetric, Samples, Workspace, parameter
from ...models.causal.language_model import LanguageModel, load_language_model
from ...models.encoders.encoder import Encoded, Encoder, load_encoder
from ...models.encoders.matching import Spelled
from ...models.pairs.pair_model import PairModel


@dataclass(frozen=True, kw_only=True)
class EncoderMetric(Metric):
    """A metric that reads texts through an encoder. An empty text has no vector, so its score is NaN."""

    loads = "encoder"

    encoder: str = parameter("default", "encoder name (see `paragauge models`), model folder or hub id")
    layer: int | None = parameter(None, "encoder layer; none is the last", low=1)
    precision: str = parameter("float32", "int8 is faster and a little less exact", choices=("float32", "int8"))
    long: str = parameter(
        "truncate", "how texts longer than the encoder's limit are handled", choices=("truncate", "window")
    )

    def load(self) -> Encoder:
        """The encoder, loaded once per process."""
        return load_encoder(self.encoder, self.layer, self.precision, self.long)

    def encoder_parameters(self) -> dict[str, Any]:
        """Which encoder and how it reads, for a metric made of another."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(EncoderMetric)}

    def encode(self, texts: Sequence[str], work: Workspace) -> list[Encoded]:
        return encode(self.load(), texts, work)

    def reason(self, samples: Samples, row: int) -> str:
        found = super().reason(samples, row)
        return "the encoder finds nothing to read in one of the texts" if found == UNDEFINED else found

    def remarks(self, samples: Samples, work: Workspace) -> dict[int, str]:
        """The rows with tokens that are unknown to the encoder, or beyond its limit."""
        signature, found = self.load().signature, work.text_flags
        result: dict[int, str] = {}
        for row in range(len(samples)) if found else ():
            read = [("candidate", samples.candidates[row])]
            read += [("source", samples.sources[row])] * ("source" in self.needs)
            read += [("references", text) for text in samples.references[row]] * ("references" in self.needs)
            said = [
                f"{number} {what} in the {side}"
                for side, text in dict.fromkeys(read)
                for number, what in zip(found.get((signature, text), ()), ("unknown", "cut off"), strict=False)
                if number
            ]
            if said:
                result[row] = f"tokens: {', '.join(said)}"
        return result

    def details(self) -> dict[str, str]:
        encoder = self.load()
        return {
            "encoder": encoder.name,
            "sha256": encoder.sha256[:12],
            "layer": str(encoder.layer),
            "long": f"{self.long}-{encoder.limit}",
        }


@dataclass(frozen=True, kw_only=True)
class TokenMetric(EncoderMetric):
    """A metric that compares single tokens, some of which the encoder may not know."""

    unknown: str = parameter(
        "token",
        "tokens outside the vocabulary: all the same token, or alike only where their text is equal",
        choices=("token", "surface"),
    )

    def token_parameters(self) -> dict[str, Any]:
        """How tokens are read and compared, for a metric made of another."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(TokenMetric)}

    def spelled(self, texts: Sequence[str], encoded: Sequence[Encoded], work: Workspace) -> list[Spelled] | None:
        """The texts of the unknown tokens, where they count."""
        return spell(self.load(), texts, encoded, work) if self.unknown == "surface" else None


@dataclass(frozen=True, kw_only=True)
class Neural(EncoderMetric, ComparisonMetric):
    """A comparison by an encoder."""


@dataclass(frozen=True, kw_only=True)
class LanguageModelMetric(Metric):
    """A metric by a causal language model."""

    loads = "language model"
    light = False

    language_model: str = parameter("default-lm", "model name (see `paragauge models`), model folder or hub id")
    limit: int = parameter(1024, "maximum input length in tokens; at most the model's own", low=2)

    def load(self) -> LanguageModel:
        """The language model, loaded once per process."""
        return load_language_model(self.language_model, limit=self.limit)

    def details(self) -> dict[str, str]:
        model = self.load()
        return {
            "language_model": model.name,
            "sha256": model.sha256[:12],
            "limit": str(model.limit),
            "start": model.start.replace("|", ""),  # which parts the entries of a signature
        }


@dataclass(frozen=True, kw_only=True)
class PairModelMetric(PairMetric):
    """A comparison by a model of two texts. A pair with an empty text is not judged: its score is NaN."""

    loads = "pair model"
    light = False

    model: str | None = parameter(None, "a model folder or a hub id such as org/name; there is no default")
    precision: str = parameter("float32", "int8 is faster and a little less exact", choices=("float32", "int8"))

    @abstractmethod
    def load(self) -> PairModel:
        """The model, loaded once per process."""

    def named(self, kind: str) -> str:
        """The model's name, or the error that says how to give one."""
        if self.model is None:
            raise InputError(
                f"{self.name} needs a model ({kind} folder or hub id)",
                Hint("name it with {metrics}", metrics=f"{self.name}:model=FOLDER"),
            )
        return self.model

    def both_ways(
        self, pairs: Sequence[tuple[str, str]], place: int, only: str | None, work: Workspace
    ) -> list[Floats]:
        """One of the model's numbers for each pair of a candidate and another text, NaN where a text is empty.

        Of the other text and then the candidate ("forward"), and of the candidate and then the other text ("backward"),
        or `only` one of them.
        """
        turned = {"forward": [(other, text) for text, other in pairs], "backward": list(pairs)}
        wanted = turned if only is None else {only: turned[only]}
        found = judge(self.load(), [pair for asked in wanted.values() for pair in asked], work)
        numbers = np.array([np.nan if values is None else values[place] for values in found], np.float64)
        return np.split(numbers, len(wanted))

    def details(self) -> dict[str, str]:
        model = self.load()
        return {"model": model.name, "sha256": model.sha256[:12], "limit": str(model.limit)}
