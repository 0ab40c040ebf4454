"""SentencePiece's own files (.spm, .model) as tokenizers, without its package: unigram models only."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...errors import ModelError

_UNKNOWN = 2  # the type of the piece that stands for all others
_CONTROL = 3  # of <s> and </s>, which no text contains
Field = tuple[int, int | bytes]  # number and value of a field of a protocol buffer


def read_spm(file: Path) -> Any:
    """The tokenizer of a unigram model: its tokens are pieces, and their ids the numbers that the file gives them.

    It normalises as the file says, puts a space before the text, and cuts at spaces only where the pieces do.
    """
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

    try:
        pieces, trainer, normalizer = _parts(file.read_bytes())
    except OSError as error:
        raise ModelError(f"{file} cannot be read: {error.strerror or error}") from None
    except (LookupError, struct.error, UnicodeDecodeError):
        raise ModelError(f"{file} is damaged, or no SentencePiece model") from None
    if trainer.get(3, 1) != 1:
        raise ModelError(f"{file} is not a unigram model; expected one, as Marian's and T5's are")
    unknown = [number for number, (_, _, kind) in enumerate(pieces) if kind == _UNKNOWN]
    if len(unknown) != 1:
        raise ModelError(f"{file} has {len(unknown)} pieces for unknown text; expected one")
    vocabulary = [(piece, score if kind != _CONTROL else -1e9) for piece, score, kind in pieces]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unknown[0], byte_fallback=any(kind == 6 for *_, kind in pieces)))
    steps: list[Any] = []
    if charsmap := normalizer.get(2):
        steps.append(normalizers.Precompiled(charsmap))
    if normalizer.get(4, 1):
        steps += [normalizers.Strip(), normalizers.Replace(Regex(" {2,}"), " ")]
    tokenizer.normalizer = normalizers.Sequence(steps)
    prepend = "always" if normalizer.get(3, 1) else "never"
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=prepend, split=False)
    tokenizer.decoder = decoders.Metaspace(prepend_scheme=prepend)
    return tokenizer


def _parts(data: bytes) -> tuple[list[tuple[str, float, int]], dict[int, Any], dict[int, Any]]:
    """Pieces (text, score, type), and the fields of the trainer's and of the normaliser's settings."""
    pieces: list[tuple[str, float, int]] = []
    settings: dict[int, dict[int, Any]] = {2: {}, 3: {}}
    for number, value in _fields(data):
        if number == 1 and isinstance(value, bytes):
            own = dict(_fields(value))
            text, score, kind = own.get(1, b""), own.get(2, b"\0\0\0\0"), own.get(3, 1)
            if not isinstance(text, bytes) or not isinstance(score, bytes) or not isinstance(kind, int):
                raise IndexError
            pieces.append((text.decode(), struct.unpack("<f", score)[0], kind))
        elif number in settings and isinstance(value, bytes):
            settings[number] = dict(_fields(value))
    if not pieces:
        raise IndexError
    return pieces, settings[2], settings[3]


def _fields(data: bytes) -> Iterator[Field]:
    """The fields of a message: whole numbers as such, all else as bytes."""
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        kind = key & 7
        if kind == 0:
            value, place = _varint(data, place)
            yield key >> 3, value
            continue
        if kind == 2:
            length, place = _varint(data, place)
        else:
            length = {1: 8, 5: 4}[kind]
        if place + length > len(data):
            raise IndexError
        yield key >> 3, data[place : place + length]
        place += length


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place
        if shift > 63:
            raise IndexError
