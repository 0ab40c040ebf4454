"""The pieces of words that a paraphraser reads and writes: trained on the data, or those of a pretrained encoder."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, ModelError
from paragauge.process.extras import require

from ...paraphrasers.codes import TOKEN
from .configuration import Configuration
from .start import TOKENIZER

_CHUNK = 4096


class Special(NamedTuple):
    """Tokens that are not pieces."""

    padding: str
    unknown: str
    begin: str  # of what is written
    end: str  # of what is read and of what is written
    others: tuple[str, ...] = ()


_TRAINED = Special("<pad>", "<unk>", "<s>", "</s>")
_WORDPIECE = Special("[PAD]", "[UNK]", "[CLS]", "[SEP]", ("[MASK]",))


class Vocabulary(NamedTuple):
    """The tokenizer, its special ids, and which rows of the pretrained embeddings its pieces have."""

    tokenizer: Any
    padding: int
    begin: int
    end: int
    never: list[int]  # written
    rows: NDArray[np.intp] | None  # in the pretrained table; −1 for a code


def make_vocabulary(configuration: Configuration, texts: Iterable[str], file: Path) -> None:
    """Write tokenizer.json: the pieces that the texts need most, or those of the start, and the tokens of the codes."""
    number = configuration.codes.number if configuration.codes.kind != "none" else 0
    codes = [TOKEN.format(code) for code in range(number)]
    if configuration.start is not None:
        tokenizer = _of_start(configuration.start.folder, number)
    elif configuration.network.encoder:
        tokenizer = _of_encoder(configuration.network.encoder, texts, configuration.vocabulary.size)
    else:
        tokenizer = _trained(configuration.vocabulary.kind, texts, configuration.vocabulary.size, file.parent)
    tokenizer.add_special_tokens(codes)
    tokenizer.save(str(file))


def read_vocabulary(file: Path, encoder: str) -> Vocabulary:
    """The vocabulary that was made; `encoder` is the pretrained one, or empty."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    special = _WORDPIECE if encoder else _TRAINED
    ids: Any = [tokenizer.token_to_id(token) for token in (*special[:4], *special.others)]
    padding, unknown, begin, end, *others = ids
    rows = None
    if encoder:
        known = _pretrained(encoder).get_vocab()
        pieces = (tokenizer.id_to_token(number) for number in range(tokenizer.get_vocab_size()))
        rows = np.array([known.get(piece, -1) for piece in pieces], np.intp)
    return Vocabulary(tokenizer, padding, begin, end, [unknown, *others], rows)


def _of_start(folder: Path, number: int) -> Any:
    """The vocabulary of the model that training begins from, with what codes it has."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    if tokenizer.token_to_id(TOKEN.format(number)) is not None:
        raise InputError(f"{folder} has more codes than the {number} that are configured; expected at least as many")
    return tokenizer


def _trained(kind: str, texts: Iterable[str], size: int, folder: Path) -> Any:
    """Spaces are part of the pieces, and case is kept."""
    from tokenizers import processors

    tokenizer = _unigram(texts, size, folder / "pieces.spm") if kind == "unigram" else _bpe(texts, size)
    end = _TRAINED.end
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"$A {end}", special_tokens=[(end, tokenizer.token_to_id(end))]
    )
    return tokenizer


def _bpe(texts: Iterable[str], size: int) -> Any:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    special = [*_TRAINED[:4]]
    tokenizer = Tokenizer(models.BPE(unk_token=_TRAINED.unknown))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.BpeTrainer(
        vocab_size=size + len(special), special_tokens=special, show_progress=False, limit_alphabet=1000
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def _unigram(texts: Iterable[str], size: int, file: Path) -> Any:
    """As SentencePiece trains it: the trainer of `tokenizers` gives another vocabulary each time."""
    from paragauge.models.convert.sentencepiece import read_spm

    reason = "a unigram vocabulary is trained by SentencePiece; vocabulary.kind = 'bpe' needs no additional package"
    sentencepiece = require("sentencepiece", "torch", reason, "sentencepiece")
    try:
        with file.open("wb") as stream:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(texts), model_writer=stream, model_type="unigram",
                vocab_size=size + 4, pad_id=0, unk_id=1, bos_id=2, eos_id=3, num_threads=1, minloglevel=2,
            )  # fmt: skip
    except RuntimeError as error:
        said = str(error).strip().splitlines()[-1]
        raise InputError(f"SentencePiece cannot train {size} pieces on these texts: {said}") from None
    tokenizer = read_spm(file)
    tokenizer.add_special_tokens([*_TRAINED[:4]])
    return tokenizer


def _of_encoder(name: str, texts: Iterable[str], size: int) -> Any:
    """The encoder's tokenizer with its most frequent pieces; letters stay, so that every word can still be spelled."""
    from tokenizers import Tokenizer

    tokenizer = _pretrained(name)
    counts: Counter[int] = Counter()
    for chunk in _chunks(texts):
        for found in tokenizer.encode_batch_fast(chunk, add_special_tokens=False):
            counts.update(found.ids)
    content = json.loads(tokenizer.to_str())
    known: dict[str, int] = content["model"]["vocab"]
    special = [*_WORDPIECE[:4], *_WORDPIECE.others]
    letters = [piece for piece in known if len(piece.removeprefix("##")) == 1 and piece.isascii()]
    frequent = [tokenizer.id_to_token(number) for number, _ in counts.most_common()]
    kept = list(dict.fromkeys([*special, *letters, *frequent]))[: size + len(special)]
    pieces = {piece: number for number, piece in enumerate(sorted(kept, key=known.__getitem__))}
    content["model"]["vocab"] = pieces
    for token in content["added_tokens"]:
        token["id"] = pieces[token["content"]]
    for token, entry in content["post_processor"].get("special_tokens", {}).items():
        entry["ids"] = [pieces[token]]
    content["decoder"] = {"type": "WordPiece", "prefix": "##", "cleanup": False}
    return Tokenizer.from_str(json.dumps(content))


def _pretrained(name: str) -> Any:
    from paragauge.models.encoders.tokenize import read_tokenizer
    from paragauge.models.hub.locate import open_model

    tokenizer = read_tokenizer(open_model(name).folder)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    if missing := [token for token in (*_WORDPIECE[:4], *_WORDPIECE.others) if tokenizer.token_to_id(token) is None]:
        raise ModelError(f"the vocabulary of {name} has no {missing[0]}; expected word pieces as BERT has them")
    return tokenizer


def _chunks(texts: Iterable[str]) -> Iterator[list[str]]:
    left = iter(texts)
    while chunk := list(islice(left, _CHUNK)):
        yield chunk


def check_size(vocabulary: Vocabulary) -> int:
    """How many tokens there are."""
    size = int(vocabulary.tokenizer.get_vocab_size())
    if size < 8:
        raise InputError(f"the vocabulary has {size} tokens; is the data empty?")
    return size
