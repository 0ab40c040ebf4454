"""The codes of a model that was trained with them: their tokens, and which of them a text has."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, takewhile

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import Hint, InputError, ModelError
from paragauge.models.encoders.encoder import load_encoder
from paragauge.models.generate.generator import Generator

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
