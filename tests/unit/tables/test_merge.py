"""Summaries of parts merge: corpus scores exactly in any order, means bit by bit in the order of the parts."""

from __future__ import annotations

import pickle
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge import score
from paragauge.tables.samples import Samples
from paragauge.tables.scores import Scores
from paragauge.tables.summary import Summary, SummaryRow

METRICS = ["bleu", "chrf", "ter", "ned.free", "rouge1", "distinct"]
KNOWN = ["the", "a", "cat", "dog", "sat", "ran", "on", "mat", "猫"]
WORDS = st.lists(st.sampled_from(KNOWN), min_size=1, max_size=6).map(" ".join)
ROW = st.tuples(WORDS, WORDS | st.just(""), WORDS, st.sampled_from(["a", "b", "c"]))


def scores_of(rows: list[tuple[str, str, str, str]], first: int) -> Scores:
    sources, candidates, references, systems = zip(*rows, strict=True)
    ids = [str(first + place) for place in range(len(rows))]
    samples = Samples.of(sources, candidates, [[text] for text in references], systems=systems, ids=ids)
    return score(samples=samples, metrics=METRICS, cache=False)


def summary_of(*chunks: Scores) -> Summary:
    result = Summary(resamples=40)
    for chunk in chunks:
        result.add(chunk)
    return result


class Sent(NamedTuple):
    """A summary as Ray delivers it: pickled, its arrays next to it in memory that cannot be written."""

    data: bytes
    arrays: list[bytes]

    @classmethod
    def of(cls, summary: Summary) -> Sent:
        buffers: list[pickle.PickleBuffer] = []
        data = pickle.dumps(summary, protocol=5, buffer_callback=buffers.append)
        return cls(data, [bytes(buffer.raw()) for buffer in buffers])

    def received(self) -> Summary:
        return pickle.loads(self.data, buffers=self.arrays)


def merged(parts: list[Sent]) -> dict[tuple[str, str], SummaryRow]:
    whole = Summary(resamples=40)
    for part in parts:
        whole.merge(part.received())
    return {(row.metric, row.system): row for row in whole.rows()}


@pytest.mark.filterwarnings("ignore")  # of copies among the texts, and of undefined scores
@settings(max_examples=15)
@given(st.lists(st.lists(ROW, min_size=1, max_size=5), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_parts_merge(parts: list[list[tuple[str, str, str, str]]], random) -> None:
    chunks = [scores_of(rows, 100 * number) for number, rows in enumerate(parts)]
    sent = [Sent.of(summary_of(chunk)) for chunk in chunks]
    in_order = merged(sent)
    whole = {(row.metric, row.system): row for row in summary_of(*chunks).rows()}
    assert repr(in_order) == repr(whole)  # bit by bit those of one process that added part after part
    shuffled = random.sample(sent, len(sent))
    other = merged(shuffled)
    assert set(other) == set(in_order)
    for key, row in in_order.items():
        # sums of whole numbers are exact in any order
        assert (other[key].corpus, other[key].corpus_low, other[key].corpus_high) == (
            row.corpus,
            row.corpus_low,
            row.corpus_high,
        )
        assert other[key][8:] == row[8:]  # counts of rows
        for one, another in zip(other[key][2:5], row[2:5], strict=True):
            # at most 25 numbers up to 100, added in another order: 1e-12 of the scale of 100
            assert one == another or one == pytest.approx(another, rel=1e-12, abs=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_the_state_of_a_part_is_small() -> None:
    rows = [(f"a b {row}", f"b a {row % 7}", f"a c {row}", "abc"[row % 3]) for row in range(600)]
    sources, candidates, references, systems = zip(*rows, strict=True)
    samples = Samples.of(sources, candidates, [[text] for text in references], systems=systems)
    seven = ["bleu", "chrf", "ter", "ned.free", "rouge1", "rouge2", "rougeL"]
    whole, half = Summary(), Summary()
    whole.add(score(samples=samples, metrics=seven, cache=False))
    half.add(score(samples=samples.rows(range(300)), metrics=seven, cache=False))
    numbers = sum(entry.sums.size + entry.total.size for entry in whole._sums.values())
    for summary in (whole, half):  # half of the sums of 1,000 resamples, however many rows they are of
        assert len(pickle.dumps(summary)) < 8 * numbers / 2
