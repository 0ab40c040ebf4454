"""What the metrics that read texts through an encoder share: which encoder, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...compute.features import encode
from ...compute.workspace import Workspace
from ...metric import UNDEFINED, Comparison, Metric, parameter
from ...models.encoders.encoder import Encoded, Encoder
from ...models.encoders.load import load_encoder
from ...tables.samples import Samples


@dataclass(frozen=True, kw_only=True)
class EncoderMetric(Metric):
    """A metric that reads texts through an encoder. An empty text has no vector, so its score is NaN."""

    encoder: str = parameter("default", "a name of `paragauge models`, a folder, or a hub id")
    layer: int | None = parameter(None, "which layer's output; none is the last", low=1)
    precision: str = parameter("float32", "int8 is faster and a little less exact", choices=("float32", "int8"))
    long: str = parameter(
        "truncate", "what to do with texts beyond the encoder's limit", choices=("truncate", "window")
    )

    def load(self) -> Encoder:
        """The encoder, loaded once per process."""
        return load_encoder(self.encoder, self.layer, self.precision, self.long)

    def encode(self, texts: Sequence[str], work: Workspace) -> list[Encoded]:
        return encode(self.load(), texts, work)

    def reason(self, samples: Samples, row: int) -> str:
        found = super().reason(samples, row)
        return "the encoder finds nothing to read in one of the texts" if found == UNDEFINED else found

    def details(self) -> dict[str, str]:
        encoder = self.load()
        return {
            "encoder": encoder.name,
            "sha256": encoder.sha256[:12],
            "layer": str(encoder.layer),
            "long": f"{self.long}-{encoder.limit}",
        }


@dataclass(frozen=True, kw_only=True)
class Neural(EncoderMetric, Comparison):
    """A comparison by an encoder."""
