"""The code of each text: drawn at random, or the cluster (k-means) of its meaning or of its tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError

from ...paraphrasers.codes import CENTRES
from .configuration import CodeSettings
from .pairs import key_of, read_selected, sentence_vectors

_ROWS = 1 << 14  # vectors in a product
_CHUNK = 16_384  # texts whose vectors are computed together

Vectors = Callable[[Sequence[str]], NDArray[np.float32]]


def code_texts(
    settings: CodeSettings, seed: int, files: Sequence[Path], folder: Path, progress: Callable[[str], None]
) -> list[NDArray[np.int32] | None]:
    """For each file of pairs the codes of its texts, source and target in turn; None where there are to be none.

    What tells the code of another text, the centres of the clusters, is written to the folder. Clusters are fitted to
    texts of the first file.
    """
    if settings.kind == "none":
        return [None] * len(files)
    if settings.kind == "random":
        return [_joined([_drawn(texts, settings.number, seed) for texts in _chunks(file)]) for file in files]
    vectors = _vectors(settings, seed, files[0], folder, progress)
    centres = fit_clusters(_some(vectors, files[0], settings.sample), settings.number, seed)
    np.save(folder / CENTRES, centres)
    found: list[NDArray[np.int32] | None] = []
    for file in files:
        own = []
        for texts in _chunks(file):
            own.append(nearest_centres(vectors(texts), centres)[0])
            progress(f"{settings.kind} codes: {sum(map(len, own)):,} texts of {file.name}")
        found.append(_joined(own))
    return found


def _vectors(settings: CodeSettings, seed: int, file: Path, folder: Path, progress: Callable[[str], None]) -> Vectors:
    if settings.kind == "semantic":
        return lambda texts: sentence_vectors(settings.encoder, texts)
    from ...paraphrasers._trees import open_tree_vectors
    from .trees import train_tree_encoder

    parser = settings.parser if not settings.parses else f"{settings.parser},{','.join(settings.parses)}"
    texts = (text for chunk in _chunks(file) for text in chunk)
    train_tree_encoder(settings, seed, parser, islice(texts, 4 * settings.trees), folder, progress)
    return open_tree_vectors(folder, parser)


def _some(vectors: Vectors, file: Path, most: int) -> NDArray[np.float32]:
    """The vectors of the different texts, up to so many, whose keys are the smallest: any, and always the same."""
    keys = {key_of(text): text for texts in _chunks(file) for text in texts}
    texts = [keys[key] for key in sorted(keys)[:most]]
    parts = [vectors(texts[start : start + _CHUNK]) for start in range(0, len(texts), _CHUNK)]
    return np.concatenate(parts)


def _drawn(texts: Sequence[str], number: int, seed: int) -> NDArray[np.int32]:
    return np.array([key_of(f"{seed} {text}") % number for text in texts], np.int32)


def _chunks(file: Path) -> Iterator[list[str]]:
    texts = (text for pair in read_selected(file) for text in pair[:2])
    while chunk := list(islice(texts, _CHUNK)):
        yield chunk


def _joined(parts: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    return np.concatenate(parts) if parts else np.zeros(0, np.int32)


def fit_clusters(vectors: NDArray[np.float32], number: int, seed: int, iterations: int = 50) -> NDArray[np.float32]:
    """The centres that Lloyd's iterations reach from those of k-means++; a cluster that becomes empty begins anew."""
    generator = np.random.default_rng(seed)
    centres = _begin(vectors, number, generator)
    before = np.full(len(vectors), -1, np.int32)
    for _ in range(iterations):
        chosen, distances = nearest_centres(vectors, centres)
        if (chosen == before).all():
            break
        before = chosen
        counts = np.bincount(chosen, minlength=number)
        sums = np.zeros((number, vectors.shape[1]), np.float64)
        np.add.at(sums, chosen, vectors)
        full = counts > 0
        centres[full] = (sums[full] / counts[full, None]).astype(np.float32)
        if not full.all():
            centres[~full] = vectors[np.argsort(-distances, kind="stable")[: int((~full).sum())]]
    return centres


def nearest_centres(
    vectors: NDArray[np.float32], centres: NDArray[np.float32]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The number of the nearest centre of each vector, and the square of its distance."""
    lengths = (centres**2).sum(axis=1)
    chosen = np.empty(len(vectors), np.int32)
    distances = np.empty(len(vectors), np.float32)
    for start in range(0, len(vectors), _ROWS):
        own = vectors[start : start + _ROWS]
        found = lengths[None] - 2 * own @ centres.T
        chosen[start : start + _ROWS] = found.argmin(axis=1)
        distances[start : start + _ROWS] = np.maximum(found.min(axis=1) + (own**2).sum(axis=1), 0)
    return chosen, distances


def _begin(vectors: NDArray[np.float32], number: int, generator: np.random.Generator) -> NDArray[np.float32]:
    """k-means++ (Arthur and Vassilvitskii 2007): each next centre by the square of its distance to those before."""
    centres = [vectors[int(generator.integers(len(vectors)))]]
    distances = ((vectors - centres[0]) ** 2).sum(axis=1, dtype=np.float64)
    while len(centres) < number:
        if not distances.any():
            raise InputError(f"{number} clusters cannot be made of {len(centres)} different vectors")
        place = int(generator.choice(len(vectors), p=distances / distances.sum()))
        centres.append(vectors[place])
        distances = np.minimum(distances, ((vectors - vectors[place]) ** 2).sum(axis=1, dtype=np.float64))
    return np.stack(centres).astype(np.float32)
