"""Codes: pseudo-tokens before the text, each of which starts a search of its own (Shu et al. 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from paragauge.errors import InputError
from paragauge.paraphrasers.decoding.beam import BeamSettings
from paragauge.paraphrasers.decoding.sampling import generator_of
from paragauge.paraphrasers.decoding.step import Hypothesis, StepModel, Where


class Coded(NamedTuple):
    """What a code led to."""

    code: int  # its token
    log_probability: float  # of the code, before the text
    best: Hypothesis  # its tokens begin with the code


class Search(Protocol):
    """A beam search whose sequences begin with a prefix each: ours with its model, or that of an engine."""

    def __call__(
        self, sources: Sequence[Sequence[int]], settings: BeamSettings, /, *, prefixes: Sequence[Sequence[int]]
    ) -> list[list[Hypothesis]]: ...


def probable_codes(
    model: StepModel[Where], sources: Sequence[Sequence[int]], codes: Sequence[int], n: int
) -> list[list[tuple[int, float]]]:
    """The n codes of the highest probability at the first step of each source, best first, with that probability."""
    check_codes(codes, n)
    if not sources:
        return []
    log_probabilities, _ = model.step(model.start(sources), np.full(len(sources), model.begin, np.intp))
    found = log_probabilities[:, list(codes)].astype(np.float64)
    order = np.argsort(-found, axis=1, kind="stable")[:, :n]
    return [[(codes[place], float(row[place])) for place in own] for row, own in zip(found, order, strict=True)]


def random_codes(
    sources: Sequence[Sequence[int]], codes: Sequence[int], n: int, seed: int
) -> list[list[tuple[int, float]]]:
    """n different codes drawn for each source, by the seed and the source alone; their probability is not asked for."""
    check_codes(codes, n)
    drawn = (generator_of(seed, tuple(source)).choice(len(codes), n, replace=False) for source in sources)
    return [[(codes[place], float("nan")) for place in own.tolist()] for own in drawn]


def check_codes(codes: Sequence[int], n: int) -> None:
    if n > len(codes):
        raise InputError(f"n={n}, and the model has {len(codes)} codes; each gives one paraphrase")


def coded_search(
    search: Search,
    sources: Sequence[Sequence[int]],
    chosen: Sequence[Sequence[tuple[int, float]]],
    settings: BeamSettings,
) -> list[list[Coded]]:
    """The best text behind each code that is chosen for a source, in the order of the codes."""
    pairs = [(place, *code) for place, own in enumerate(chosen) for code in own]
    found = search([sources[place] for place, *_ in pairs], settings, prefixes=[[code] for _, code, _ in pairs])
    result: list[list[Coded]] = [[] for _ in sources]
    for (place, code, probability), own in zip(pairs, found, strict=True):
        if own:
            result[place].append(Coded(code, probability, own[0]))
    return result
