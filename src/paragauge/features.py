"""What metrics ask of a text, computed once in a workspace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .models.encoder import Encoded, Encoder, pack, unpack
from .models.parsers import Parser
from .text.tokens import tokenizer
from .text.trees import Tree
from .workspace import Workspace


@dataclass(frozen=True)
class Tokens:
    """The tokens of a text."""

    tokenizer: str
    lowercase: bool = False

    @property
    def signature(self) -> str:
        return f"tokens:{self.tokenizer}:{'lower' if self.lowercase else 'mixed'}"

    def compute(self, keys: Sequence[str]) -> Iterable[list[str]]:
        split = tokenizer(self.tokenizer)
        return map(split, (key.lower() for key in keys) if self.lowercase else keys)


@dataclass(frozen=True)
class Parse:
    """The parse tree of a text; None where the parser has none."""

    parser: Parser

    @property
    def signature(self) -> str:
        return f"parse:{self.parser.signature}"

    def compute(self, keys: Sequence[str]) -> Iterable[Tree | None]:
        return self.parser.parse(keys)


@dataclass(frozen=True)
class Encoding:
    """A text through an encoder: token vectors and sentence vector."""

    encoder: Encoder
    label: str = "encoding texts"

    @property
    def signature(self) -> str:
        return self.encoder.signature

    def compute(self, keys: Sequence[str]) -> Iterable[Encoded]:
        return self.encoder.encode(keys)

    def size(self, value: Encoded) -> int:
        return value.vectors.nbytes + value.sentence.nbytes + value.ids.nbytes

    def pack(self, value: Encoded) -> bytes:
        return pack(value)

    def unpack(self, data: bytes) -> Encoded:
        return unpack(data)


def encode(encoder: Encoder, texts: Sequence[str], work: Workspace) -> list[Encoded]:
    """The texts through the encoder, each once; counts in the workspace what was cut off or unknown to it."""
    found = work.get(Encoding(encoder), texts)
    for text, encoded in dict(zip(texts, found, strict=True)).items():
        if (encoder.signature, text) in work.counted:
            continue
        work.counted.add((encoder.signature, text))
        work.notes[f"tokens|{encoder.name}"] += max(len(encoded.ids) - 2, 0)  # without the two special tokens
        work.notes[f"unknown|{encoder.name}"] += encoded.unknown
        work.notes[f"truncated|{encoder.name}"] += encoded.truncated > 0
    return found
