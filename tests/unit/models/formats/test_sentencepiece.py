"""SentencePiece's files without its package: the same pieces, and damage that is told."""

from __future__ import annotations

import json
import struct

import pytest

from paragauge.errors import ModelError
from paragauge.models.formats.sentencepiece import read_spm
from paragauge.models.generation.words import words_of
from paragauge.models.hub.locate import ModelFiles

PIECES = [
    ("<unk>", 0.0, 2), ("<s>", 0.0, 3), ("</s>", 0.0, 3), ("▁hello", -1.0, 1), ("▁world", -1.5, 1), ("▁", -3.0, 1),
    *((letter, -6.0 - number / 10, 1) for number, letter in enumerate("helowrd!")),
]  # fmt: skip


def varint(number: int) -> bytes:
    data = b""
    while number > 127:
        data, number = data + bytes([number & 127 | 128]), number >> 7
    return data + bytes([number])


def field(number: int, value: int | float | bytes | str) -> bytes:
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def model(pieces=PIECES, kind: int = 1) -> bytes:
    listed = b"".join(field(1, field(1, text) + field(2, score) + field(3, own)) for text, score, own in pieces)
    return listed + field(2, field(3, kind)) + field(3, field(1, "identity") + field(3, 1) + field(4, 1))


def test_pieces_of_a_text(tmp_path):
    (tmp_path / "source.spm").write_bytes(model())
    tokenizer = read_spm(tmp_path / "source.spm")
    found = tokenizer.encode("hello   world!", add_special_tokens=False)
    assert found.tokens == ["▁hello", "▁world", "!"]
    assert found.ids == [3, 4, 13]
    assert tokenizer.encode("hell", add_special_tokens=False).tokens == ["▁", "h", "e", "l", "l"]
    assert tokenizer.decode(found.ids) == "hello world!"


def test_against_the_package_itself(tmp_path):
    package = pytest.importorskip("sentencepiece")
    lines = [
        "How can I improve my writing skills?",
        "The boy was running, isn't he?",
        "Ça va: ﬁne — №5 Ｆｕｌｌ",
        "a  b   c",
    ]
    (tmp_path / "text.txt").write_text("\n".join(lines * 40))
    for rule in ("nmt_nfkc", "identity"):
        package.SentencePieceTrainer.train(
            input=str(tmp_path / "text.txt"), model_prefix=str(tmp_path / rule), vocab_size=40, model_type="unigram",
            normalization_rule_name=rule, minloglevel=2,
        )  # fmt: skip
        theirs = package.SentencePieceProcessor(model_file=str(tmp_path / f"{rule}.model"))
        ours = read_spm(tmp_path / f"{rule}.model")
        for line in [*lines, "boys write", " x ", "улица"]:
            assert ours.encode(line, add_special_tokens=False).ids == theirs.encode(line), (rule, line)


@pytest.mark.parametrize(
    "data, said",
    [
        (b"", "damaged"),
        (model()[:-3], "damaged"),
        (b"\xff" * 40, "damaged"),
        (model(kind=2), "no unigram model"),
        (model(PIECES[1:]), "has 0 pieces for unknown text"),
    ],
)
def test_what_is_no_such_file_is_refused(data, said, tmp_path):
    (tmp_path / "source.spm").write_bytes(data)
    with pytest.raises(ModelError, match=said):
        read_spm(tmp_path / "source.spm")


def test_marian_has_one_for_each_language_and_one_table_of_ids(tmp_path):
    (tmp_path / "source.spm").write_bytes(model())
    (tmp_path / "target.spm").write_bytes(model([*PIECES[:3], ("▁monde", -1.0, 1), ("▁le", -1.0, 1), ("s", -3.0, 1)]))
    ids = {
        piece: number
        for number, piece in enumerate(["</s>", "<unk>", "▁hello", "▁le", "▁monde", "s", "<pad>", "<cl_0>"])
    }
    (tmp_path / "vocab.json").write_text(json.dumps(ids))
    words = words_of(ModelFiles("marian", tmp_path, {}, (), "", ""))
    assert words.sources(["hello world"]) == [[2, 1, 0]]
    assert words.phrase("le mondes") == [3, 4, 5]
    assert words.text([3, 4, 5, 0, 6]) == "le mondes"
    assert words.code("<cl_0>") == 7
    (tmp_path / "vocab.json").write_text("{}")
    with pytest.raises(ModelError, match="no table of a Marian model"):
        words_of(ModelFiles("marian", tmp_path, {}, (), "", ""))
    (tmp_path / "source.spm").unlink()
    with pytest.raises(ModelError, match=r"neither tokenizer.json nor"):
        words_of(ModelFiles("marian", tmp_path, {}, (), "", ""))
