"""What the metrics that ask a language model share: which one, and how."""

from __future__ import annotations

from dataclasses import dataclass

from ...metric import Metric, parameter
from ...models.causal.language_model import LanguageModel, load_language_model


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
