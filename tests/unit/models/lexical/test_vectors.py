"""Word vectors in every form they come in, kept in one, and what is refused."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError, ModelError
from paragauge.models.lexical.vector_files import read_wink
from paragauge.models.lexical.vectors import Vectors, load_vectors

WORDS = ["the", "Paris", "naïve", "猫", "a\u00a0b"]
VALUES = np.array([[0.1, -2.5, 3e-7], [1, 2, 3], [-1, 0, 0.333333], [4, 5, 6], [0, 0, 0]], np.float32)
LINES = [" ".join([word, *map(str, row)]) for word, row in zip(WORDS, VALUES.tolist(), strict=True)]


GLOVE = "".join(f"{line}\n" for line in LINES).encode()


def as_binary(between: bytes = b"\n") -> bytes:
    """word2vec's own program puts a line break behind every vector, gensim does not."""
    rows = zip(WORDS, VALUES.astype("<f4"), strict=True)
    return b"5 3\n" + b"".join(word.encode() + b" " + row.tobytes() + between for word, row in rows)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "vectors"


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., str]:
    """Writes a file and gives its path."""

    def write(data: bytes, name: str = "file.vec") -> str:
        (tmp_path / name).write_bytes(data)
        return str(tmp_path / name)

    return write


FORMS = {
    "glove": GLOVE,
    "word2vec": b"5 3\n" + GLOVE,
    # fastText ends its lines with a space, and some files the last one without a line break
    "fasttext": "\n".join(["5 3", *(f"{line} " for line in LINES)]).encode(),
    "windows": b"5 3\r\n" + GLOVE.replace(b"\n", b"\r\n"),
    "binary": as_binary(),
    "binary without line breaks": as_binary(b""),
}


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_vectors(form, packed, written):
    found = load_vectors(written(gzip.compress(FORMS[form]) if packed else FORMS[form], f"vectors-{form}"))
    assert found.words == WORDS
    assert (len(found), found.dimension) == (5, 3)
    assert isinstance(found.matrix, np.memmap)
    assert found.matrix.dtype == np.float32
    assert np.array_equal(found.matrix, VALUES)


def test_more_words_than_are_read_at_once(written):
    values = np.random.default_rng(0).normal(size=(20_000, 4)).astype(np.float32)
    words = [f"w{number}" for number in range(20_000)]
    rows = list(zip(words, values, strict=True))
    text = "".join(f"{word} {' '.join(map(repr, row.tolist()))}\n" for word, row in rows).encode()
    binary = b"20000 4\n" + b"".join(word.encode() + b" " + row.tobytes() for word, row in rows)
    for data, name in ((text, "many.txt"), (binary, "many.bin")):
        found = load_vectors(written(data, name))
        assert found.words == words
        assert np.array_equal(found.matrix, values), name


def test_a_word_is_looked_up_as_written_then_in_lower_case(written):
    found = load_vectors(written(GLOVE))
    rows, known = found.of(["The", "Paris", "paris", "PARIS", "猫", ""])
    assert rows.tolist() == [0, 1, -1, -1, 3, -1]
    assert known.tolist() == [True, True, False, False, True, False]
    assert "THE" in found
    assert "cat" not in found


def test_of_a_word_that_comes_twice_the_first_vector_counts(written):
    found = load_vectors(written(b"x 1 2\ny 3 4\nx 5 6\n"))
    assert found.words == ["x", "y"]
    assert found.matrix.tolist() == [[1, 2], [3, 4]]


def test_a_word_may_have_spaces(written):
    found = load_vectors(written(b"x 1 2\n. . . 3 4\nat name@domain.com 5 6\n"))
    assert found.words == ["x", ". . .", "at name@domain.com"]


@pytest.mark.parametrize(
    "data, said",
    [
        (b"x 1 2\ny 3\n", "line 2: 1 values after 'y', not 2"),
        (b"x 1 2\ny 3 4 5\n", "line 2: 3 values after 'y', not 2"),
        (b"2 2\nx 1 2\ny 3 zwei\n", "line 3: 'zwei' is not a finite number"),
        (b"x 1 2\ny 3 nan\n", "line 2: 'nan' is not a finite number"),
        (b"x 1 2\ny 3 1e99\n", "line 2: '1e99' is not a finite number"),
        (b"x 1 2\n\ny 3 4\n", "line 2 is empty"),
        (b"3 2\nx 1 2\ny 3 4\n", "has 2 words, but its first line declares 3"),
        (b"1 2\nx 1 2\ny 3 4\n", "has 2 words, but its first line declares 1"),
        (b"0 2\n", "0 words of 2 values"),
        (b"", "is empty"),
        (b"word\n", "line 1: 'word' has no values"),
        (as_binary()[:-7], "ends in the middle of word 5 of 5"),
        (as_binary() + b"more", "has data after the 5 words"),
        (b"1 1\nx \x00\x00\x80\x7f", "the vector of 'x' holds a value that is not finite"),
        ((793_712_314).to_bytes(4, "little") + b"\x0c\x00\x00\x00", "is a fastText model; expected its vectors"),
        (b"PK\x03\x04", "is a zip file; unpack it"),
        (b"\x80\x04\x95", "is a pickle, which may run any code"),
        (gzip.compress(GLOVE, mtime=0)[:-9], "is damaged"),
    ],
)
def test_what_is_wrong_is_said(data, said, written, cache):
    with pytest.raises(InputError, match=said):
        load_vectors(written(data, "broken.vec"))
    assert not list(cache.glob("*")), "something of it was kept"


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(InputError, match=r"did you mean 'glove-6b-50d'.*a file of vectors is accepted too"):
        load_vectors("glove-6b-50")
    with pytest.raises(InputError, match="is not a set of word vectors; its kind is: encoder"):
        load_vectors("all-MiniLM-L6-v2")


def test_a_cache_that_cannot_be_written_is_said(written, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "file"))
    with pytest.raises(ModelError, match="set PARAGAUGE_CACHE to another folder"):
        load_vectors(written(GLOVE))


def test_loaded_once_and_again_when_the_file_changes(written):
    path = written(b"x 1 2\n")
    assert load_vectors(path) is load_vectors(path)
    assert load_vectors(written(b"x 1 2\ny 3 4\n")).words == ["x", "y"]


@pytest.mark.parametrize("file", ["matrix.npy", "words.txt", "sha256.json"])
@pytest.mark.parametrize("damage", ["changed", "gone"])
def test_a_damaged_conversion_is_made_anew(file, damage, written, cache):
    load_vectors(written(GLOVE, "one.txt"))
    (converted,) = cache.iterdir()
    if damage == "gone":
        (converted / file).unlink()
    else:
        data = bytearray((converted / file).read_bytes())
        data[-3] ^= 1
        (converted / file).write_bytes(data)
    found = load_vectors(written(GLOVE, "other.txt"))  # the same bytes, so the same conversion
    assert [folder.name for folder in cache.iterdir()] == [converted.name]
    assert found.words == WORDS
    assert np.array_equal(found.matrix, VALUES)


def slow_nearest(vectors: Vectors, query: np.ndarray, skip: int | None, k: int) -> list[str]:
    scored = []
    for row, vector in enumerate(vectors.matrix.astype(np.float64)):
        if row != skip and vector.any():
            scored.append((-float(vector @ query / np.linalg.norm(vector) / np.linalg.norm(query)), row))
    return [vectors.words[row] for _, row in sorted(scored)[:k]]


@given(st.integers(0, 1000), st.integers(1, 12))
def test_nearest_is_what_a_plain_loop_finds(seed, k):
    random = np.random.default_rng(seed)
    found = Vectors("random", "0" * 64, [f"w{row}" for row in range(9)], random.normal(size=(9, 4)).astype(np.float32))
    for row, neighbours in enumerate(found.nearest(found.words, k)):
        expected = slow_nearest(found, found.matrix[row].astype(np.float64), row, k)
        assert [word for word, _ in neighbours] == expected
    query = random.normal(size=(3, 4))
    for one, neighbours in zip(query, found.nearest(query, k), strict=True):
        assert [word for word, _ in neighbours] == slow_nearest(found, one, None, k)
        assert all(-1.000001 <= cosine <= 1.000001 for _, cosine in neighbours)  # float32


def test_nearest_across_blocks_with_ties_and_zeros():
    # 70,000 words are two blocks; word 3 and word 69,999 have the direction of the query
    matrix = np.zeros((70_000, 2), np.float32)
    matrix[:, 0] = 1
    matrix[3] = matrix[69_999] = (0, 2)
    matrix[10] = 0
    found = Vectors("blocks", "0" * 64, [f"w{row}" for row in range(70_000)], matrix)
    (neighbours,) = found.nearest(np.array([[0.0, 1.0]]), 3)
    assert neighbours[:2] == [("w3", 1.0), ("w69999", 1.0)]
    assert neighbours[2] == ("w0", 0.0)
    assert found.nearest(np.zeros((1, 2))) == [[]]


def test_what_nearest_refuses(written):
    found = load_vectors(written(GLOVE))
    with pytest.raises(InputError, match="no vector for 'dog'"):
        found.nearest(["the", "dog"])
    with pytest.raises(InputError, match=r"expected \[n, 3\]"):
        found.nearest(np.zeros((1, 2)))
    with pytest.raises(InputError, match="at least one neighbour"):
        found.nearest(["the"], 0)


class TestGlove:
    """The real vectors; the numbers are those of Stanford's own glove.6B.50d.txt, whose first word is `the`."""

    def test_the_first_words(self, glove):
        assert (len(glove), glove.dimension) == (400_000, 50)
        assert glove.words[:5] == ["the", ",", ".", "of", "to"]
        assert glove.matrix[0, :4].tolist() == np.array([0.418, 0.24968, -0.41242, 0.1217], np.float32).tolist()

    def test_neighbours(self, glove):
        king, paris = glove.nearest(["king", "Paris"], 5)
        assert [word for word, _ in king] == ["prince", "queen", "ii", "emperor", "son"]
        assert "france" in [word for word, _ in paris]

    def test_written_as_text_and_read_again(self, glove, written):
        rows = (" ".join([glove.words[row], *map(repr, glove.matrix[row].tolist())]) for row in range(3000))
        found = load_vectors(written("".join(f"{row}\n" for row in rows).encode(), "glove.txt"))
        assert found.words == glove.words[:3000]
        assert np.array_equal(found.matrix, glove.matrix[:3000])


def test_the_file_of_the_npm_package(tmp_path):
    vectors = {word: [number, 0.5, -number, 9.0, number] for number, word in enumerate(["the", '"', "a\\b", "é", "x"])}
    content = {"precision": 8, "dimensions": 3, "words": ['"vectors'], "vectors": vectors, "unkVector": [0] * 5}
    file = tmp_path / "wink.json"
    file.write_text(json.dumps(content, separators=(",", ":")))
    for size in (40, 1 << 20):
        blocks = list(read_wink(file, size))
        assert [word for block in blocks for word in block.words] == list(vectors)
        assert np.concatenate([block.vectors for block in blocks]).tolist() == [row[:3] for row in vectors.values()]
    file.write_bytes(file.read_bytes()[:-60])
    with pytest.raises(InputError, match="truncated"):
        list(read_wink(file))
    file.write_text("{}")
    with pytest.raises(InputError, match="declares no dimensions"):
        list(read_wink(file))


@pytest.mark.parametrize("form", ["glove", "binary"])
def test_a_folder_with_one_file_of_vectors(form, tmp_path):
    folder = tmp_path / "vectors"
    folder.mkdir()
    (folder / "words.vectors").write_bytes(FORMS[form])
    found = load_vectors(str(folder))
    assert (found.words, found.name) == (WORDS, "words.vectors")
    (folder / "README.txt").write_text("Vectors of words, from somewhere\nThey are free\n")
    (folder / "LICENSE").write_text("Free\n")
    (folder / ".hidden").write_bytes(FORMS[form])
    assert load_vectors(str(folder)) is found


def test_a_folder_with_none_or_several_is_refused_with_what_is_in_it(tmp_path):
    folder = tmp_path / "vectors"
    folder.mkdir()
    with pytest.raises(InputError, match=r"holds no file of word vectors; expected one; found: no file$"):
        load_vectors(str(folder))
    (folder / "README.txt").write_text("Vectors of words, from somewhere\n")
    with pytest.raises(InputError, match=r"README.txt, line 1"):
        load_vectors(str(folder))
    (folder / "model.zip").write_bytes(b"PK\x03\x04")
    with pytest.raises(InputError, match=r"no file of word vectors; expected one; found: README.txt, model.zip$"):
        load_vectors(str(folder))
    (folder / "a.vec").write_bytes(GLOVE)
    (folder / "b.bin").write_bytes(as_binary())
    with pytest.raises(InputError, match=r"holds 2 files of word vectors; expected one; found: a.vec, b.bin$"):
        load_vectors(str(folder))
    for number in range(9):
        (folder / f"c{number}.vec").write_bytes(GLOVE)
    with pytest.raises(InputError, match=r"11 files .* c5.vec and 3 more$"):
        load_vectors(str(folder))
