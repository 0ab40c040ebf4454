"""BERTScore's baseline: means over random pairs, and the file that bert_score reads."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.models import Encoded, Encoder
from paragauge.models.encoders.matching import measure_baseline, written


class Letters:
    """An encoder of letters: each is its own direction, so a cosine is 1 or 0."""

    name, sha256, precision, signature = "letters", "0" * 64, "float32", "letters"
    layer, layers, limit = 1, 1, 100
    special_ids: frozenset[int] = frozenset()

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        return [[ord(letter) - 97 for letter in text] for text in texts]

    def encode(self, texts: Sequence[str]) -> Iterator[Encoded]:
        for ids in self.ids(texts):
            yield Encoded(np.array(ids, np.int32), np.eye(26, dtype=np.float32)[ids], np.ones(26, np.float32), 0, 0)


def test_a_line_is_never_paired_with_itself() -> None:
    # the only pairs are (ab, bc) and (bc, ab): one letter of two in common, so P = R = F = 0.5
    assert measure_baseline(Letters(), ["ab", "bc", " ab ", ""], pairs=50, seed=3) == (0.5, 0.5, 0.5)


def test_the_seed_decides() -> None:
    lines = ["ab", "bcd", "cdef", "a", "fgh"]
    first, second, third = (measure_baseline(Letters(), lines, pairs=40, seed=seed) for seed in (1, 1, 2))
    assert first == second != third


def test_progress_counts_up_to_the_total() -> None:
    heard: list[tuple[int, int]] = []
    measure_baseline(Letters(), ["ab", "bc", "cd"], 9000, 0, lambda done, total: heard.append((done, total)))
    assert [done for done, _ in heard] == list(range(1, heard[-1][1] + 1))


@pytest.mark.parametrize("lines", [[], ["one"], ["one", " one ", ""]])
def test_too_few_lines_are_refused(lines: list[str]) -> None:
    with pytest.raises(InputError, match="at least two"):
        measure_baseline(Letters(), lines, pairs=5, seed=0)


def test_row_k_is_layer_k() -> None:
    table = written({2: (0.25, 0.5, 1 / 3)}, layers=2)
    assert table == "LAYER,P,R,F\n0,nan,nan,nan\n1,nan,nan,nan\n2,0.25000000,0.50000000,0.33333333\n"


def test_bert_score_reads_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    pandas = pytest.importorskip("pandas")
    file = tmp_path_factory.mktemp("baseline") / "baseline.csv"
    file.write_text(written({1: (0.1, 0.2, 0.3), 2: (0.4, 0.5, 0.6)}, layers=2))
    assert pandas.read_csv(file).iloc[2].to_list() == [2, 0.4, 0.5, 0.6]  # as bert_score.score does


def test_unrelated_sentences_score_low(encoder: Encoder) -> None:
    lines = ["The cat sat on the mat.", "Interest rates rose again.", "He plays the violin.", "Rain is expected today."]
    precision, recall, f = measure_baseline(encoder, lines, pairs=30, seed=0)
    assert 0 < f < 0.4  # a paraphrase scores about 0.8
    assert precision == pytest.approx(recall, abs=0.05)
