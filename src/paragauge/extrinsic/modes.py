"""The three ways in which paraphrases meet a classifier, and what has to be trained for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..errors import InputError, check_choice
from .tasks import TextTask
from .tasks.labelled import drawn_share
from .tasks.versions import ORIGINAL, Version

REPLACE = "replace"  # trained on the paraphrases instead of the originals, tested on the originals
AUGMENT = "augment"  # trained on both, from little data to all of it, tested on the originals
ROBUSTNESS = "robustness"  # trained on the originals, tested on the paraphrases
MODES = (REPLACE, AUGMENT, ROBUSTNESS)
SHARES = (0.01, 0.1, 1.0)


class Training(NamedTuple):
    """What is trained on: a version of the training texts, or a share of the originals with their paraphrases added."""

    version: str
    added: bool = False
    share: float = 1.0


class Examples(NamedTuple):
    """Texts to train on, and the number of the class of each."""

    texts: list[str]
    classes: list[int]


def check_modes(modes: Sequence[str], shares: Sequence[float]) -> None:
    """Refuse an unknown mode, and a share that is none."""
    if not modes:
        raise InputError(f"no mode was given; known: {', '.join(MODES)}")
    for mode in modes:
        check_choice("mode", mode, MODES)
    for share in shares:
        if not 0 < share <= 1:
            raise InputError(f"a share of {share:g} of the training data; expected a number above 0 and up to 1")


def trainings(names: Sequence[str], modes: Sequence[str], shares: Sequence[float]) -> list[Training]:
    """What has to be trained for the paraphrasers of these names, each once."""
    found: list[Training] = []
    if REPLACE in modes or ROBUSTNESS in modes:
        found.append(Training(ORIGINAL))
    if REPLACE in modes:
        found += [Training(name) for name in names]
    if AUGMENT in modes:
        for share in shares:
            found.append(Training(ORIGINAL, share=share))
            found += [Training(name, True, share) for name in names]
    return list(dict.fromkeys(found))


def examples(task: TextTask, version: Version, training: Training, seed: int) -> Examples:
    """The texts of a training; a share is drawn by the seed, the same for originals and paraphrases."""
    places = drawn_share(task.train, training.share, seed)
    classes = task.numbers(task.train.labels[place] for place in places)
    texts = [version.train[place] for place in places]
    if not training.added:
        return Examples(texts, classes)
    return Examples([task.train.texts[place] for place in places] + texts, classes + classes)


def tested_on(training: Training, versions: Sequence[Version], modes: Sequence[str]) -> list[str]:
    """The versions of the test texts that a training is tested on."""
    paraphrased = [version.name for version in versions if version.test is not None and version.name != ORIGINAL]
    return [ORIGINAL, *(paraphrased if training == Training(ORIGINAL) and ROBUSTNESS in modes else [])]
