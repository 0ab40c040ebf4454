"""A small task whose classes are easy to tell, a classifier that needs no extra, and paraphrasers of known effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest

from paragauge.extrinsic.classifier import Classifier, Fitted
from paragauge.extrinsic.tasks import TextTask
from paragauge.extrinsic.tasks.labelled import Labelled
from paragauge.paraphraser import Candidate, Paraphraser

GOOD = ("good", "fine", "great", "lovely")
BAD = ("bad", "poor", "awful", "dull")
PLAIN = ("the", "film", "plot", "cast", "scene", "story", "was", "it")


def make_table(rows: int, start: int, noise: float = 0.2) -> Labelled:
    """Texts of three sentences; most of their words of feeling go with the label."""
    random = np.random.default_rng(start)
    ids, texts, labels = [], [], []
    for number in range(start, start + rows):
        good = number % 2 == 0
        sentences = []
        for _ in range(3):
            own, other = (GOOD, BAD) if good else (BAD, GOOD)
            feeling = str(random.choice(other if random.random() < noise else own))
            words = [str(random.choice(PLAIN)) for _ in range(4)]
            sentences.append(f"{' '.join([*words[:2], feeling, *words[2:]]).capitalize()}.")
        ids.append(f"row-{number}")
        texts.append(" ".join(sentences) if number % 3 else "\n".join(sentences))
        labels.append("pos" if good else "neg")
    return Labelled(tuple(ids), tuple(texts), tuple(labels))


@dataclass(frozen=True, kw_only=True)
class Bayes(Classifier):
    """Naive Bayes by numpy alone."""

    name: ClassVar[str] = "bayes"
    title: ClassVar[str] = "Naive Bayes"
    random: ClassVar[bool] = False
    calls: ClassVar[list[int]] = []  # how many texts each training had

    def fit(self, texts, classes, number, seed):  # noqa: ARG002
        self.calls.append(len(texts))
        places = {word: place for place, word in enumerate(sorted({word for text in texts for word in cut(text)}))}
        counts = np.ones((number, len(places)))
        for text, own in zip(texts, classes, strict=True):
            for word in cut(text):
                counts[own, places[word]] += 1
        weights = np.log(counts / counts.sum(axis=1, keepdims=True))
        prior = np.log(np.bincount(classes, minlength=number) / len(classes))

        def predict(others: Sequence[str]) -> np.ndarray:
            rows = [prior + sum((weights[:, places[word]] for word in cut(text) if word in places), np.zeros(number))
                    for text in others]  # fmt: skip
            return np.array([int(row.argmax()) for row in rows], dtype=np.int64)

        return Fitted(predict)


def cut(text: str) -> list[str]:
    return text.lower().replace(".", " ").split()


@dataclass(frozen=True, kw_only=True)
class Copy(Paraphraser):
    """Gives each sentence back."""

    name: ClassVar[str] = "copy"
    title: ClassVar[str] = "Copy"
    citation: ClassVar[str] = ""

    def propose(self, sources: Sequence[str], n: int) -> Iterator[list[Candidate]]:  # noqa: ARG002
        return ([Candidate(source)] for source in sources)


@dataclass(frozen=True, kw_only=True)
class Loud(Copy):
    """Gives each sentence back in capitals."""

    name: ClassVar[str] = "loud"

    def propose(self, sources: Sequence[str], n: int) -> Iterator[list[Candidate]]:  # noqa: ARG002
        return ([Candidate(source.upper())] for source in sources)


@dataclass(frozen=True, kw_only=True)
class Bland(Copy):
    """Leaves the words of feeling out, and with them all that tells the label."""

    name: ClassVar[str] = "bland"

    def propose(self, sources: Sequence[str], n: int) -> Iterator[list[Candidate]]:  # noqa: ARG002
        told = {*GOOD, *BAD}
        return ([Candidate(" ".join(word for word in source.split() if word not in told))] for source in sources)


@dataclass(frozen=True, kw_only=True)
class Nonsense(Paraphraser):
    """Replaces each sentence by words that have nothing to do with it."""

    name: ClassVar[str] = "nonsense"
    title: ClassVar[str] = "Nonsense"
    citation: ClassVar[str] = ""

    def propose(self, sources: Sequence[str], n: int) -> Iterator[list[Candidate]]:  # noqa: ARG002
        random = np.random.default_rng(7)
        words = (*GOOD, *BAD, *PLAIN)
        return ([Candidate(f"{' '.join(map(str, random.choice(words, 5)))}.")] for _ in sources)


@pytest.fixture(scope="session")
def task() -> TextTask:
    return TextTask("reviews", make_table(120, 0), make_table(200, 1000))


@pytest.fixture(scope="session")
def kinds() -> SimpleNamespace:
    return SimpleNamespace(Bayes=Bayes, Bland=Bland, Copy=Copy, Loud=Loud, Nonsense=Nonsense, make_table=make_table)
