"""Texts to the ids of a sequence-to-sequence model, and back."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from ...errors import ModelError
from ..convert.sentencepiece import read_spm
from ..convert.weights import integer
from ..encoders.tokenize import encoded, read_tokenizer
from ..hub.locate import ModelFiles, read_json
from ..hub.verify import file_sha256

PIECES = "spiece.model"
_T5 = ("t5", "mt5", "umt5", "longt5")
_PEGASUS = ("pegasus", "pegasus_x")
_SPECIAL = ("</s>", "<unk>", "<pad>", "<s>")


class ModelTokenizer(Protocol):
    """The vocabularies of a model: of what it reads and of what it writes."""

    def sources(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids as the model reads them, special tokens included, whatever their number."""
        ...

    def phrase(self, text: str) -> list[int]:
        """Ids of some words as they stand within a text that the model writes, no special tokens."""
        ...

    def text(self, ids: Sequence[int]) -> str:
        """What the ids say; special tokens are left out."""
        ...

    def code(self, name: str) -> int | None:
        """The id of a pseudo-token, or None."""
        ...


def words_of(model: ModelFiles) -> ModelTokenizer:
    """By tokenizer.json, or by SentencePiece files: the one of T5 and Pegasus, or the two that Marian has."""
    if (model.folder / "tokenizer.json").is_file():
        return _OneTokenizer(read_tokenizer(model.folder))
    if all((model.folder / name).is_file() for name in ("source.spm", "target.spm", "vocab.json")):
        return _marian(model.folder)
    kind = model.config.get("model_type")
    if (model.folder / PIECES).is_file() and kind in (*_T5, *_PEGASUS):
        return _one_model(model.folder / PIECES, _offset(model.folder) if kind in _PEGASUS else 0)
    raise ModelError(
        f"{model.name} has neither tokenizer.json nor {PIECES} (T5, Pegasus) nor Marian's source.spm, target.spm and "
        "vocab.json",
        "transformers writes tokenizer.json: AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)",
    )


def words_sha256(model: ModelFiles) -> str:
    """Of everything that is read of a model; the sum of its files leaves out those of SentencePiece."""
    file = model.folder / PIECES
    if not file.is_file() or (model.folder / "tokenizer.json").is_file():
        return model.files
    return hashlib.sha256(f"{model.files}\n{file_sha256(file)}".encode()).hexdigest()


class _OneTokenizer:
    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def sources(self, texts: Sequence[str]) -> list[list[int]]:
        return [list(found.ids) for found in encoded(self._tokenizer, [text.strip() for text in texts])]

    def phrase(self, text: str) -> list[int]:
        # a word of a byte-level vocabulary has its space with it
        spaced = f" {text.strip()}" if "ByteLevel" in type(self._tokenizer.pre_tokenizer).__name__ else text.strip()
        return list(next(iter(encoded(self._tokenizer, [spaced], add_special_tokens=False))).ids)

    def text(self, ids: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=True)).strip()

    def code(self, name: str) -> int | None:
        found: int | None = self._tokenizer.token_to_id(name)
        return found


class _Pieces:
    """A SentencePiece model for what is read and one for what is written, and tables of the ids of their pieces."""

    def __init__(self, source: Any, target: Any, ids: dict[str, int], target_ids: dict[str, int], end: int) -> None:
        from tokenizers import decoders

        self._source, self._target, self._target_ids, self._end = source, target, target_ids, end
        self._pieces = {number: piece for piece, number in target_ids.items() if piece not in _SPECIAL}
        self._read, self._write = _numbers(source, ids), _numbers(target, target_ids)
        # mT5 writes what it has no piece for byte by byte
        self._decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace()])

    def sources(self, texts: Sequence[str]) -> list[list[int]]:
        return [
            [*(self._read[number] for number in found.ids), self._end]
            for found in encoded(self._source, [text.strip() for text in texts], add_special_tokens=False)
        ]

    def phrase(self, text: str) -> list[int]:
        (found,) = encoded(self._target, [text.strip()], add_special_tokens=False)
        return [self._write[number] for number in found.ids]

    def text(self, ids: Sequence[int]) -> str:
        return str(self._decoder.decode([self._pieces[number] for number in ids if number in self._pieces])).strip()

    def code(self, name: str) -> int | None:
        return self._target_ids.get(name)


def _marian(folder: Path) -> _Pieces:
    """One SentencePiece model for each language, and one table of ids for the pieces of both, or one for each."""
    source, target = read_spm(folder / "source.spm"), read_spm(folder / "target.spm")
    ids: dict[str, int] = dict(read_json(folder / "vocab.json"))
    separate = folder / "target_vocab.json"
    target_ids: dict[str, int] = dict(read_json(separate)) if separate.is_file() else ids
    for table in (ids, target_ids):
        if not {"</s>", "<unk>"} <= table.keys() or not all(isinstance(number, int) for number in table.values()):
            raise ModelError(f"{folder / 'vocab.json'} is not a table of a Marian model: </s> and <unk> must be in it")
    return _Pieces(source, target, ids, target_ids, ids["</s>"])


def _one_model(file: Path, offset: int) -> _Pieces:
    """One SentencePiece model; the ids are the numbers of its pieces, behind the special tokens of Pegasus."""
    tokenizer = read_spm(file)
    end = tokenizer.token_to_id("</s>")
    if end is None:
        raise ModelError(f"{file} has no piece </s>; expected one, as T5's and Pegasus's have")
    ids = {piece: number + offset for piece, number in tokenizer.get_vocab().items()}
    return _Pieces(tokenizer, tokenizer, ids, ids, end)  # the end of Pegasus too: it moves all pieces but that


def _offset(folder: Path) -> int:
    """How many special tokens Pegasus has before its pieces."""
    return integer(read_json(folder / "tokenizer_config.json", absent={}), "offset", 103, low=0)


def _numbers(tokenizer: Any, ids: dict[str, int]) -> list[int]:
    """The id of each piece of a SentencePiece model, in its own order."""
    pieces = (tokenizer.id_to_token(number) for number in range(tokenizer.get_vocab_size()))
    return [ids[piece] if piece in ids else ids["<unk>"] for piece in pieces]
