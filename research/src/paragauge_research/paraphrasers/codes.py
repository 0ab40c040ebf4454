"""Codes before the text, each of which starts a beam of its own."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import Hint, InputError, ModelError
from paragauge.models.encoders.encoder import load_encoder
from paragauge.models.generate.generator import Generator
from paragauge.paraphraser import Candidate, parameter
from paragauge.paraphrasers._seq2seq import Seq2SeqParaphraser
from paragauge.paraphrasers.decoding.beam import BeamSettings
from paragauge.paraphrasers.decoding.sampling import generator_of
from paragauge.paraphrasers.decoding.step import Hypothesis, StepModel, Where

from ._trees import open_tree_vectors

TOKEN = "<cl_{}>"  # what a code is called in the vocabulary
KIND = "paragauge_codes"  # in the configuration: semantic, syntactic or random
ENCODER = "paragauge_codes_encoder"  # of semantic codes: the encoder whose sentence vectors were clustered
PARSER = "paragauge_codes_parser"  # of syntactic codes: the parser whose trees were
CENTRES = "codes.npy"  # in the model folder: the centre of each cluster [codes, dimension]


def code_tokens(model: Generator) -> list[int]:
    """The token of each code, in the order of their numbers."""
    names = (model.words.code(TOKEN.format(number)) for number in count())
    found = [token for token in takewhile(lambda token: token is not None, names) if token is not None]
    if not found:
        raise InputError(
            f"{model.name} has no codes: its vocabulary has no token {TOKEN.format(0)}",
            Hint(
                "`paragauge train-paraphraser` makes a model that has; name it with {method}",
                method="codes:model=FOLDER",
            ),
        )
    return found


def kind_of(model: Generator) -> str:
    """What the codes of a model stand for, as its configuration says."""
    return str(model.config.get(KIND, "any"))


def nearest_codes(model: Generator, texts: Sequence[str]) -> list[int]:
    """The number of the cluster that each text is in, by its sentence vector or by that of its tree."""
    file = model.folder / CENTRES
    if kind_of(model) not in ("semantic", "syntactic") or not file.is_file():
        raise InputError(
            f"{model.name} does not say which code a text has; expected semantic or syntactic codes and {CENTRES}"
        )
    try:
        centres = np.load(file, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise ModelError(f"{file} cannot be read: {error}") from None
    vectors = _vectors(model, texts)
    if centres.ndim != 2 or centres.shape != (len(code_tokens(model)), vectors.shape[1]):
        raise ModelError(f"{file} has the shape {centres.shape}; expected one row of {vectors.shape[1]} for each code")
    distances = (centres**2).sum(axis=1)[None] - 2 * vectors @ centres.T
    return [int(number) for number in distances.argmin(axis=1)]


def _vectors(model: Generator, texts: Sequence[str]) -> NDArray[np.float32]:
    """What the codes of the model are clusters of."""
    key = ENCODER if kind_of(model) == "semantic" else PARSER
    name = model.config.get(key)
    if not isinstance(name, str):
        raise InputError(f"the configuration of {model.name} has no {key}, so no text has a code")
    if key == PARSER:
        return open_tree_vectors(model.folder, name)(texts)
    return np.stack([one.sentence for one in load_encoder(name, None, "float32", "truncate").encode(texts)])


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
