"""SentencePiece's files without its package: the same pieces, and damage that is told."""

import json
import struct

import pytest

from paragauge.errors import ModelError
from paragauge.models.convert.sentencepiece import read_spm
from paragauge.models.generate import generator
from paragauge.models.generate.generator import load_generator
from paragauge.models.generate.words import words_of
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
        (model(kind=2), "is not a unigram model"),
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
    with pytest.raises(ModelError, match="is not a table of a Marian model"):
        words_of(ModelFiles("marian", tmp_path, {}, (), "", ""))
    (tmp_path / "source.spm").unlink()
    with pytest.raises(ModelError, match=r"neither tokenizer.json nor"):
        words_of(ModelFiles("marian", tmp_path, {}, (), "", ""))


# as T5's and Pegasus's files begin
SHARED = [("<pad>", 0.0, 3), ("</s>", 0.0, 3), ("<unk>", 0.0, 2), *PIECES[3:]]


@pytest.mark.parametrize("kind", ["t5", "mt5"])
def test_t5_has_one_whose_numbers_are_its_ids(kind, tmp_path):
    (tmp_path / "spiece.model").write_bytes(model(SHARED))
    words = words_of(ModelFiles("t5", tmp_path, {"model_type": kind}, (), "", ""))
    assert words.sources(["hello   world!", "hello zzz"]) == [[3, 4, 13, 1], [3, 5, 2, 1]]
    assert words.phrase("world") == [4]
    assert words.text([0, 3, 4, 13, 2, 1, 32_099]) == "hello world!"
    assert (words.code("▁hello"), words.code("<cl_0>")) == (3, None)


@pytest.mark.parametrize("offset", [103, 0, 7])
def test_pegasus_numbers_its_pieces_behind_its_special_tokens(offset, tmp_path):
    """As transformers lists its vocabulary: <pad>, </s>, two masks, <unk_2> …, then the pieces from <unk> on."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    (tmp_path / "spiece.model").write_bytes(model(SHARED))
    if offset != 103:
        (tmp_path / "tokenizer_config.json").write_text(json.dumps({"offset": offset}))
    words = words_of(ModelFiles("pegasus", tmp_path, {"model_type": "pegasus"}, (), "", ""))
    special = ["<pad>", "</s>", "<mask_1>", "<mask_2>", *(f"<unk_{number}>" for number in range(2, offset))]
    listed = [(name, -100.0) for name in special[: 2 + offset]] + [(piece, score) for piece, score, _ in SHARED[2:]]
    theirs = Tokenizer(models.Unigram(listed, offset + 2))
    theirs.pre_tokenizer = pre_tokenizers.Metaspace()
    for text in ("hello world!", "hell", "hello zzz world", "a hello"):
        (ours,) = words.sources([text])
        assert ours == [*theirs.encode(text).ids, 1], text
    assert words.text(words.sources(["hello world!"])[0]) == "hello world!"
    assert words.text([0, 1]) == ""


def test_bytes_become_letters(tmp_path):
    pieces = [*SHARED, *((f"<0x{byte:02X}>", -9.0, 6) for byte in "é".encode())]
    (tmp_path / "spiece.model").write_bytes(model(pieces))
    words = words_of(ModelFiles("mt5", tmp_path, {"model_type": "mt5"}, (), "", ""))
    (ids,) = words.sources(["hello é"])
    assert words.text(ids) == "hello é"


def test_a_folder_without_tokenizer_json_writes_by_its_pieces(small_models, tmp_path):
    folder = small_models.make_seq2seq(tmp_path / "t5", "t5", seed=3)
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    letters = [(word, -3.0, 1) for word in list(tokenizer["model"]["vocab"])[3:]]
    before = load_generator(str(folder)).signature
    (folder / "tokenizer.json").unlink()
    signatures = set()
    for score in (-4.0, -5.0):
        (folder / "spiece.model").write_bytes(model([*SHARED[:3], *letters[:-1], ("▁", score, 1)]))
        generator._load.cache_clear()
        writer = load_generator(str(folder))
        signatures.add(writer.signature)
    assert len({before, *signatures}) == 3
    (source,) = writer.words.sources(["hello"])
    assert [source[0], source[-1]] == [2 + len(letters), 1]
    (found,) = writer.beam([source], width=2, n=2, longest=5, penalty=1.0)
    assert all(writer.words.text(one.tokens) for one in found)
    (folder / "spiece.model").unlink()
    generator._load.cache_clear()
    with pytest.raises(ModelError, match=r"nor spiece.model \(T5, Pegasus\) .*transformers writes tokenizer.json: "):
        load_generator(str(folder))


def test_pieces_without_an_end_are_refused(tmp_path):
    (tmp_path / "spiece.model").write_bytes(model(SHARED[2:]))
    with pytest.raises(ModelError, match="no piece </s>"):
        words_of(ModelFiles("t5", tmp_path, {"model_type": "t5"}, (), "", ""))
