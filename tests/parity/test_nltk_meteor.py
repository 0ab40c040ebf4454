"""METEOR against nltk's meteor_score on the same tokens, and our WordNet against nltk's."""

from pathlib import Path
from typing import Any

import nltk.data
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.translate.meteor_score import meteor_score

from paragauge.compute.workspace import Workspace
from paragauge.metrics import parse
from paragauge.metrics.form.meteor import Meteor
from paragauge.models.lexical.wordnet import WordNet
from paragauge.tables.samples import Samples
from paragauge.text.tokens import tokenizer

# the same few operations on the same whole numbers, in double precision
WITHIN = 1e-9


@pytest.fixture(scope="module")
def theirs(lexicon: WordNet, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """nltk's reader on the same files; it reads only below its data path, and asks for two files more."""
    folder = tmp_path_factory.mktemp("nltk_data") / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    for file in lexicon.place.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    (folder / "index.sense").write_text("")
    (folder / "lexnames").write_text("".join(f"{number:02d}\tname{number}\t1\n" for number in range(45)))
    before = list(nltk.data.path)
    nltk.data.path.insert(0, str(folder.parents[1]))
    try:
        yield WordNetCorpusReader(str(folder), omw_reader=False)
    finally:
        nltk.data.path[:] = before


def expected(samples: Samples, reader: Any, metric: Meteor | None = None) -> list[float]:
    split = tokenizer("auto")
    settings = {} if metric is None else {name: getattr(metric, name) for name in ("alpha", "beta", "gamma")}
    return [
        meteor_score([split(text.lower()) for text in group], split(candidate.lower()), wordnet=reader, **settings)
        for candidate, group in zip(samples.candidates, samples.references, strict=True)
    ]


def check(samples: Samples, reader: Any, spec: str = "meteor") -> None:
    metric = parse(spec)
    assert isinstance(metric, Meteor)
    found = metric.score(samples, Workspace())
    np.testing.assert_allclose(found, expected(samples, reader, metric), rtol=0, atol=WITHIN)


@pytest.mark.parametrize(
    ("references", "rows"), [(1, 400), *(pytest.param(count, 1_500, marks=pytest.mark.thorough) for count in (1, 3))]
)
def test_twitter(references: int, rows: int, twitter: Any, theirs: Any) -> None:
    chosen = range(0, len(twitter.candidates), len(twitter.candidates) // rows)[:rows]
    groups = [
        [twitter.references[row], *(twitter.candidates[row - extra] for extra in range(1, references))]
        for row in chosen
    ]
    candidates = [twitter.candidates[row] for row in chosen]
    check(Samples.of(candidates, candidates, groups), theirs)


@pytest.mark.parametrize(
    ("references", "rows"), [(6, 150), *(pytest.param(count, 500, marks=pytest.mark.thorough) for count in (1, 6))]
)
def test_newstest(references: int, rows: int, data: Path, theirs: Any) -> None:
    folder = data / "wmt19"
    if not folder.is_dir():
        pytest.skip(f"needs newstest2019: there is no {folder}")
    files = [folder / "system-outputs" / "de-en" / "newstest2019.online-X.0.de-en"]
    files += [folder / "references" / "newstest2019-deen-ref.en"]
    files += [folder / "human-paraphrases" / f"deen-{number}.en.500" for number in range(1, 6)]
    candidates, *others = (file.read_text(encoding="utf-8").split("\n")[:rows] for file in files)
    check(Samples.of(candidates, candidates, list(zip(*others[:references], strict=True))), theirs)


def test_other_parameters(twitter: Any, theirs: Any) -> None:
    rows = slice(0, 100)
    groups = [[text] for text in twitter.references[rows]]
    samples = Samples.of(twitter.sources[rows], twitter.candidates[rows], groups)
    check(samples, theirs, "meteor:alpha=0.5,beta=1.5,gamma=0.25")


# words with many stems, forms and synonyms in common, some of them repeated, so that the order of matching tells
WORDS = st.lists(
    st.sampled_from(
        (
            "the",
            "a",
            "big",
            "large",
            "bigger",
            "run",
            "running",
            "ran",
            "dog",
            "dogs",
            "chase",
            "car",
            "auto",
            "be",
            "is",
        )
    ),
    min_size=1,
    max_size=9,
).map(" ".join)


def test_small_vocabulary(theirs: Any) -> None:
    @given(st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=5))
    def compare(rows: list[tuple[str, list[str]]]) -> None:
        candidates, groups = zip(*rows, strict=True)
        check(Samples.of(list(candidates), list(candidates), list(groups)), theirs)

    compare()


@pytest.mark.parametrize("step", [110, pytest.param(30, marks=pytest.mark.thorough)])
def test_synonyms_of_words_forms_and_stems(step: int, lexicon: WordNet, theirs: Any) -> None:
    vocabulary = sorted(set(theirs.all_lemma_names()))[::step]
    words = [word + ending for word in vocabulary for ending in ("", "s", "es", "ed", "ing", "er", "est", "men")]
    words += ["went", "better", "mice", "was", "children", "oxen", "worse", "further", "happi", "", "é"]
    for word in words:
        names = {lemma.name() for synset in theirs.synsets(word) for lemma in synset.lemmas()}
        assert lexicon.synonyms(word) == {name for name in names if "_" not in name}, word
