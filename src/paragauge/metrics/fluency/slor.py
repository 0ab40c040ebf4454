"""SLOR."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from ...compute.features import Expectation, read
from ...errors import InputError
from ...metric import Floats, Samples, Workspace, parameter
from ..shared.encoder import LanguageModelMetric

# sentences of many kinds: along them a language model shows how common it finds each token
ORDINARY = Path(__file__).with_name("ordinary.txt").read_text(encoding="utf-8")


@dataclass(frozen=True, kw_only=True)
class Slor(LanguageModelMetric):
    """How much likelier a language model finds the candidate than its tokens alone would be, per token.

    (log p(s) − Σ log u(tₖ)) / T for the T tokens of s: a rare word costs p and u alike, so it does not count against
    the text. Papers take u from the language model's training text, which a published model does not bring along. By
    default u is what the model itself expects, averaged over the positions of ordinary English sentences that come
    with this package; `unigrams=FILE` counts the tokens of a text instead (one more each, so that none has 0).
    """

    name = "slor"
    title = "SLOR"
    needs = "nothing"
    range = (-np.inf, np.inf)
    higher_is_better = True
    citation = (
        "Pauls and Klein 2012, Large-Scale Syntactic Language Modeling with Treelets, ACL; "
        "Kann et al. 2018, Sentence-Level Fluency Evaluation: References Help, But Can Be Spared!, CoNLL"
    )
    limits = "Depends on the text that u is taken from; says nothing of the source."
    related = ("perplexity",)

    unigrams: str | None = parameter(None, "count tokens in this text file; none: what the model expects on average")

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        found = read(self.load(), samples.candidates, work)
        alone = self._alone(work)
        return np.array(
            [
                (one.log_probabilities.astype(np.float64) - alone[one.ids]).mean() if len(one.ids) else np.nan
                for one in found
            ],
            dtype=np.float64,
        )

    def _alone(self, work: Workspace) -> Floats:
        """Log-probability of each token of the vocabulary by itself."""
        if self.unigrams is not None:
            return _counted(self, _read(self.unigrams))
        (expected,) = work.get(Expectation(self.load()), [ORDINARY])
        return expected.astype(np.float64)

    def details(self) -> dict[str, str]:
        text = ORDINARY if self.unigrams is None else _read(self.unigrams)
        kind = "expected" if self.unigrams is None else "counted"
        return super().details() | {"unigrams": f"{kind}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"}


@cache
def _counted(metric: Slor, text: str) -> Floats:
    model = metric.load()
    counts = np.ones(model.vocabulary)
    for ids in model.ids(text.splitlines()):
        np.add.at(counts, ids, 1)
    logarithms: Floats = np.log(counts / counts.sum())
    return logarithms


@cache
def _read(path: str) -> str:
    try:
        return Path(path).expanduser().read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the text {path}, whose tokens slor counts, cannot be read: {error}") from None
