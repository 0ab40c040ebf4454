"""ParaPLUIE."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...compute.features import Answer
from ...errors import InputError, nearest
from ...metric import UNDEFINED, Floats, PairMetric, Samples, Workspace, parameter
from ..shared.encoder import LanguageModelMetric

_PAIR = "\n\nFirst sentence: {source}\nSecond sentence: {candidate}\n\n"
_LAST = "Do both sentences mean the same? Answer with Yes or No only."
PROMPTS = {
    "direct": f"Here are two sentences.{_PAIR}{_LAST}",
    "paraphrase": f"A paraphrase says the same in other words.{_PAIR}Is the second sentence a paraphrase of the first? "
    "Answer with Yes or No only.",
    "examples": "Say whether two sentences mean the same.\n\n"
    "First sentence: Where can I park my car?\nSecond sentence: Is there a place to leave my car?\nAnswer: Yes\n\n"
    "First sentence: The dog bit the man.\nSecond sentence: The man bit the dog.\nAnswer: No\n\n"
    f"Now the sentences that matter.{_PAIR}{_LAST}",
}


@dataclass(frozen=True, kw_only=True)
class ParaPluie(LanguageModelMetric, PairMetric):
    """How sure a language model is that the candidate means the same as the other text, in log-odds.

    log p(Yes | question) − log p(No | question), each for the first token of the model's reply to a question in its
    own chat template. 0 is undecided; there is no highest value, and a copy need not have it. The paper compares
    with the source: that is `parapluie.free`. The formula is the paper's, the wording of the questions is ours;
    `prompt=FILE` takes the paper's, or any other, with {source} and {candidate} in their places.
    """

    name = "parapluie"
    title = "ParaPLUIE"
    range = (-np.inf, np.inf)
    higher_is_better = True
    citation = (
        "Lemesle et al. 2025, Paraphrase Generation Evaluation Powered by an LLM: A Semantic Metric, Not a Lexical "
        "One, COLING"
    )
    limits = (
        "As good as the model that is asked: the paper has models of 7 billion weights and more, and the default here, "
        "with 0.1 billion, hardly understands the question. The wording shifts the scores."
    )
    related = ("bertscore", "cosine")

    prompt: str = parameter(
        "direct", f"wording of the question: {', '.join(PROMPTS)}, or a text file with {{source}} and {{candidate}}"
    )

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        wording = _wording(self.prompt)
        filled = [place for place, pair in enumerate(pairs) if all(map(str.strip, pair))]
        messages = [_message(wording, *pairs[place]) for place in filled]
        scores = np.full(len(pairs), np.nan)
        for place, (yes, no) in zip(filled, work.get(Answer(self.load()), messages), strict=True):
            scores[place] = float(yes) - float(no)
        return scores

    def reason(self, samples: Samples, row: int) -> str:
        said = super().reason(samples, row)
        if said == UNDEFINED:
            return f"the question is longer than the language model's limit of {self.load().limit} tokens"
        return said

    def details(self) -> dict[str, str]:
        digest = hashlib.sha256(_wording(self.prompt).encode()).hexdigest()
        return super().details() | {"prompt": f"{Path(self.prompt).stem}-{digest[:12]}"}


def _wording(prompt: str) -> str:
    if prompt in PROMPTS:
        return PROMPTS[prompt]
    path = Path(prompt).expanduser()
    if not path.is_file():
        raise InputError(f"prompt={prompt} is neither a file nor a known wording{nearest(prompt, PROMPTS)}")
    text = path.read_text(encoding="utf-8-sig")
    if "{source}" not in text or "{candidate}" not in text:
        raise InputError(f"the question in {prompt} must hold {{source}} and {{candidate}}")
    return text


def _message(wording: str, candidate: str, source: str) -> str:
    texts = {"source": source.strip(), "candidate": candidate.strip()}
    return re.sub(r"\{(source|candidate)\}", lambda found: texts[found[1]], wording)
