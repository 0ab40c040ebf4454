"""Text to token ids within the model's limit: cut off, or laid out in overlapping windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import ModelError
from ..batching import blocks_of

_LARGEST = 2**31 - 1  # of an id: they are kept in 32 bits
_CHUNK = 1024  # texts that are tokenised at once


class Pieces(NamedTuple):
    """A text as inputs of the model: one, or several where a long text is laid out in windows."""

    inputs: list[list[int]]
    kept: list[slice]  # the tokens of each input that count; together they are the text
    unknown: int
    truncated: int

    def ids(self) -> list[int]:
        """The tokens that count."""
        return [number for ids, kept in zip(self.inputs, self.kept, strict=True) for number in ids[kept]]


class Tokenize:
    """Strips the text, as bert_score does, and puts the model's special tokens around it."""

    def __init__(self, tokenizer: Any, limit: int, *, windows: bool = False) -> None:
        if type(tokenizer.pre_tokenizer).__name__ == "ByteLevel":
            # a word at the start of the text gets the same tokens as elsewhere; bert_score asks for the same
            tokenizer.pre_tokenizer.add_prefix_space = True
        self._tokenizer = tokenizer
        self._windows = windows
        (sample,) = encoded(tokenizer, ["a"])
        mask = sample.special_tokens_mask
        if not any(mask):
            raise ModelError("the tokenizer puts no special token around a text; is the model an encoder?")
        self.before = next((place for place, special in enumerate(mask) if not special), len(mask))
        self.after = sum(mask) - self.before
        self.special_ids = frozenset(number for number, special in zip(sample.ids, mask, strict=True) if special)
        self.limit = limit
        if limit <= self.before + self.after:
            raise ModelError(
                f"the model takes {limit} tokens, and its tokenizer puts {self.before + self.after} around every text"
            )
        self.unknown_id = unknown_id(tokenizer)

    def pieces(self, texts: Sequence[str]) -> Iterator[Pieces]:
        """Each text within the limit."""
        for chunk in blocks_of(texts, _CHUNK):
            for encoding in encoded(self._tokenizer, [text.strip() for text in chunk]):
                yield self._fit(encoding.ids)

    def unknown(self, texts: Sequence[str]) -> Iterator[list[str]]:
        """What the unknown tokens of each text stand for, as far as the tokenizer tells spellings apart."""
        normalizer = self._tokenizer.normalizer
        for text, encoding in self._encodings(texts):
            stripped = text.strip()
            places = zip(encoding.ids, encoding.offsets, strict=True)
            found = [stripped[slice(*place)] for number, place in places if number == self.unknown_id]
            yield found if normalizer is None else list(map(normalizer.normalize_str, found))

    def spans(self, texts: Sequence[str]) -> Iterator[list[tuple[int, int]]]:
        """Where in its text each token stands that `pieces` counts; a special token stands nowhere: from 0 to 0."""
        for text, encoding in self._encodings(texts):
            before = len(text) - len(text.lstrip())
            found = [
                (0, 0) if special else (first + before, last + before)
                for (first, last), special in zip(encoding.offsets, encoding.special_tokens_mask, strict=True)
            ]
            excess = 0 if self._windows else max(0, len(found) - self.limit)
            end = len(found) - self.after
            yield found[: end - excess] + found[end:]

    def _encodings(self, texts: Sequence[str]) -> Iterator[tuple[str, Any]]:
        """Each text as it is, with the encoding of what is between its white space, which knows places."""
        for chunk in blocks_of(texts, _CHUNK):
            yield from zip(chunk, self._tokenizer.encode_batch([text.strip() for text in chunk]), strict=True)

    def _fit(self, ids: list[int]) -> Pieces:
        excess = len(ids) - self.limit
        if excess > 0 and self._windows:
            return Pieces(*self._lay_out(ids), ids.count(self.unknown_id), 0)
        if excess > 0:
            end = len(ids) - self.after
            ids = ids[: end - excess] + ids[end:]
        return Pieces([ids], [slice(None)], ids.count(self.unknown_id), max(excess, 0))

    def _lay_out(self, ids: list[int]) -> tuple[list[list[int]], list[slice]]:
        """Full windows over the text; where two overlap, each counts up to the middle, where it sees most context."""
        end = len(ids) - self.after
        room = self.limit - self.before - self.after
        starts = [*range(self.before, end - room, room - room // 4), end - room]
        middles = [(later + earlier + room) // 2 for earlier, later in pairwise(starts)]
        inputs = [ids[: self.before] + ids[start : start + room] + ids[end:] for start in starts]
        bounds = zip(starts, [0, *middles], [*middles, len(ids)], strict=True)
        return inputs, [slice(low + self.before - start, high + self.before - start) for start, low, high in bounds]


def read_tokenizer(folder: Path) -> Any:
    """The tokenizer of a model folder, without the padding and the cutting that its file may ask for."""
    from tokenizers import Tokenizer

    file = folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except BaseException as error:
        raise _unusable(f"{file} cannot be read", error) from None
    return without_limits(tokenizer)


def without_limits(tokenizer: Any) -> Any:
    """The tokenizer set to neither fill up nor cut."""
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def unknown_id(tokenizer: Any) -> int:
    """The id of the token that stands for what the vocabulary lacks; −1 where there is none."""
    found: int | None = tokenizer.token_to_id(getattr(tokenizer.model, "unk_token", None) or "<unk>")
    return -1 if found is None else found


def encoded(tokenizer: Any, texts: Sequence[Any], *, places: bool = False, **options: Any) -> Any:
    """The encodings of texts, or of pairs of them; what a tokenizer with a malformed file fails with is an error.

    Where tokens stand in their texts is known only if `places` asks for it.
    """
    try:
        found = (tokenizer.encode_batch if places else tokenizer.encode_batch_fast)(list(texts), **options)
    except BaseException as error:
        raise _unusable("the model's tokenizer cannot be used", error) from None
    if (largest := max((max(encoding.ids, default=0) for encoding in found), default=0)) > _LARGEST:
        raise ModelError(f"the model's tokenizer gives the id {largest}, which no vocabulary has")
    return found


def _unusable(what: str, error: BaseException) -> BaseException:
    """The library raises plain Exception, and its panics are not Exception at all."""
    if isinstance(error, Exception) or type(error).__name__ == "PanicException":
        return ModelError(f"{what}: {error}")
    return error
