"""What the metrics that read texts through an encoder share: which encoder, and how."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...compute.features import encode, spell
from ...metric import UNDEFINED, ComparisonMetric, Metric, Samples, Workspace, parameter
from ...models.encoders.encoder import Encoded, Encoder, load_encoder
from ...models.encoders.matching import Spelled


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
