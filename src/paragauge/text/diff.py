"""Two texts word by word: what both have, what one lost, what the other has instead."""

from __future__ import annotations

from typing import Literal, NamedTuple

from .tokens import pieces

Kind = Literal["same", "removed", "added"]
_KINDS: dict[str, Kind] = {"equal": "same", "delete": "removed", "insert": "added"}


class Piece(NamedTuple):
    """Some words that follow each other: in both texts, in the first alone, or in the second alone."""

    kind: Kind
    text: str


def word_differences(first: str, second: str) -> list[Piece]:
    """The longest common sequence of words and what lies between its parts, removed before added.

    Without white space, the pieces that are not `added` make up the first text, and those not `removed` the second.

    >>> [tuple(piece) for piece in word_differences("the old cat", "the cat sat")]
    [('same', 'the '), ('removed', 'old '), ('same', 'cat '), ('added', 'sat')]
    """
    from rapidfuzz.distance import Indel

    one, two = _spaced(first), _spaced(second)
    found: list[Piece] = []
    pending: dict[Kind, str] = {}

    def flush() -> None:
        for kind in ("removed", "added"):
            if kind in pending:
                found.append(Piece(kind, pending.pop(kind)))

    for code in Indel.opcodes([word for word, _ in one], [word for word, _ in two]):
        kind = _KINDS[code.tag]
        if kind == "same":
            flush()
            both = zip(one[code.src_start : code.src_end], two[code.dest_start : code.dest_end], strict=True)
            found.append(Piece(kind, "".join(word + max(space, other, key=len) for (word, space), (_, other) in both)))
        else:
            own = two[code.dest_start : code.dest_end] if kind == "added" else one[code.src_start : code.src_end]
            pending[kind] = pending.get(kind, "") + "".join(word + space for word, space in own)
    flush()
    return found


def _spaced(text: str) -> list[tuple[str, str]]:
    """Words and marks, each with the white space that follows it."""
    found: list[tuple[str, str]] = []
    for piece in pieces(text.lstrip()):
        if piece.isspace() and found:
            found[-1] = found[-1][0], found[-1][1] + piece
        else:
            found.append((piece, ""))
    return found
