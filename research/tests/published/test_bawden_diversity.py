"""DS-BOW of Bawden et al. 2020, and the slip in their figure for human paraphrases.

Their files: github.com/rbawden/paraphrasing-bleu, diversity-results/*.bow.5.wmt19.500subsample.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from paragauge.metrics.diversity.ds_bow import DsBow
from paragauge.tables.samples import Samples
from paragauge_research.trees.kernels import word_diversity


def read_sets(data: Path, ending: str) -> Samples:
    """The five human versions of each of the first 500 German-English references."""
    folder = data / "wmt19" / "human-paraphrases"
    columns = [
        (folder / f"deen-{version}.en.{ending}").read_text(encoding="utf-8").split("\n") for version in range(1, 6)
    ]
    assert all(lines.pop() == "" and len(lines) == 500 for lines in columns)
    lines = list(zip(*columns, strict=True))
    return Samples.of(
        [f"line {number}" for number, texts in enumerate(lines, 1) for _ in texts],
        [text for texts in lines for text in texts],
    )


def published(data: Path, name: str) -> float:
    file = data / "wmt19/published/diversity-results" / f"{name}.5.wmt19.500subsample"
    found = re.search(r"averaged over all languages = ([\d.]+)", file.read_text(encoding="utf-8"))
    return float(found.group(1))


def of_texts(samples: Samples, tokenizer: str = "13a") -> float:
    """As the authors' code has it: an empty line is a word of its own, which the metric leaves out of its set."""
    lines = [samples.rows(rows).candidates for rows in samples.sets()]
    return word_diversity(list(zip(*lines, strict=True)), tokenizer).value


def test_the_published_figure_is_of_parse_trees(data):
    """To 1e-9 when `(S (NP (DT The) …` is cut into words as if it were text."""
    assert published(data, "human.bow") == 0.7953877427872956
    assert DsBow(tokenizer="13a").corpus(read_sets(data, "parse")) == pytest.approx(0.7953877427872956, rel=0, abs=1e-9)


def test_the_figure_of_the_texts(data):
    """Computed here, as the paper does not print it; five empty lines count as in the authors' code."""
    samples = read_sets(data, "500")
    assert samples.candidates.count("") == 5
    assert of_texts(samples) == pytest.approx(0.503144, rel=0, abs=5e-7)
    assert of_texts(samples, "auto") == pytest.approx(0.503144, rel=0, abs=5e-7)


def test_what_the_slip_makes_of_the_comparison(data):
    """Published, humans are twice as diverse as sampling; by their texts a quarter more, as by the tree kernel, too."""
    human = of_texts(read_sets(data, "500"))
    sampled = published(data, "sampled.bow")
    assert published(data, "human.bow") / sampled == pytest.approx(1.978, abs=5e-4)
    assert human / sampled == pytest.approx(1.251, abs=5e-4)
    assert published(data, "human.syntax") / published(data, "sampled.syntax") == pytest.approx(1.237, abs=5e-4)


@pytest.mark.parametrize("system", ["beam", "laser", "random", "sampled", "treelstm"])
def test_for_every_other_system_words_are_less_diverse_than_trees(data, system):
    """Except `random`, whose versions have hardly changed; for humans alone the published order is the other way."""
    words, trees = published(data, f"{system}.bow"), published(data, f"{system}.syntax")
    assert (words < trees) == (system != "random")
    assert published(data, "human.bow") > published(data, "human.syntax")
