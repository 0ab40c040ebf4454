"""The contract, on every metric and preset of the package, against the references and against the source."""

import dataclasses
import functools
import itertools
import typing
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from paragauge import metrics
from paragauge.errors import MissingExtraError
from paragauge.metric import ComparisonMetric, Metric
from paragauge.metrics import METRICS
from paragauge.metrics.shared.wording import Wording
from paragauge.models.lexical.wordnet import WordNet
from paragauge.testing import OF_PARAMETERS, OF_SCORES
from paragauge.testing.rows import check_odd_texts, check_range
from paragauge.testing.texts import LONG, SCRIPTS, plain_rows
from paragauge.text.tokens import tokenizer

EVERY = [metric for metric in metrics.variants() if metric.name in METRICS.files and not getattr(metric, "free", False)]
EVERY += [dataclasses.replace(metric, free=True) for metric in EVERY if isinstance(metric, ComparisonMetric)]


def each(chosen: list[Metric]) -> pytest.MarkDecorator:
    """Each as a case of its own."""
    return pytest.mark.parametrize("metric", [pytest.param(metric, id=metric.spec) for metric in chosen])


@pytest.fixture
def ready(metric: Metric, request: pytest.FixtureRequest) -> Metric:
    """The metric, with the small model or vectors that stand for those that it has by default, or that a user names."""
    return _ready(metric, request)


def _ready(metric: Metric, request: pytest.FixtureRequest) -> Metric:
    if metric.loads == "pair model":
        return dataclasses.replace(metric, model=request.getfixturevalue("named_models")[metric.name][0])
    for name, models in (("language_model", "small_language_models"), ("encoder", "small_encoders")):
        if hasattr(metric, name):  # the default ones take minutes
            folder = request.getfixturevalue(models)[0]
            request.getfixturevalue("monkeypatch").setenv("PARAGAUGE_CACHE", str(Path(folder).parent / "cache"))
            metric = dataclasses.replace(metric, **{name: folder})
    if hasattr(metric, "wordnet"):
        request.getfixturevalue("lexicon")
    if metric.loads == "word vectors":
        metric = dataclasses.replace(metric, vectors=request.getfixturevalue("word_vectors")[0])
    missing = _missing(metric)
    if missing:
        pytest.skip(missing)
    return metric


@functools.cache
def _missing(metric: Metric) -> str | None:
    """The extra that it needs and that is not here, found out once."""
    try:
        metric.score(plain_rows().rows([0]))
    except MissingExtraError as error:
        return str(error)
    return None


@pytest.fixture(scope="session")
def word_vectors(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two files of vectors for the words of the texts in every script: those known by name are of one language."""
    split = tokenizer("auto")
    samples = plain_rows()
    texts = {*samples.sources, *samples.candidates, *(text for group in samples.references for text in group), LONG}
    words = sorted({word for text in texts for word in split(text.lower())})
    folder = tmp_path_factory.mktemp("vectors")
    files = []
    for seed in range(2):
        rows = np.random.default_rng(seed).normal(size=(len(words), 12))
        files.append(folder / f"words{seed}.vec")
        lines = (" ".join([word, *(f"{value:.4f}" for value in row)]) for word, row in zip(words, rows, strict=True))
        files[-1].write_text("\n".join([f"{len(words)} 12", *lines]) + "\n", encoding="utf-8")
    return list(map(str, files))


@pytest.fixture(scope="session")
def named_models(small_models: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """Two folders for each metric whose model the user has to name."""
    folder = tmp_path_factory.mktemp("named")
    makers = {"bartscore": small_models.make_seq2seq, "nli": small_models.make_classifier}
    made = {
        name: tuple(str(make(folder / f"{name}-{seed}", seed=seed)) for seed in range(2))
        for name, make in makers.items()
    }
    with pytest.MonkeyPatch.context() as patch:  # a model is loaded once per process: the user's cache stays as it is
        patch.setenv("PARAGAUGE_CACHE", str(folder / "cache"))
        for name, models in made.items():
            for model, precision in itertools.product(models, ("float32", "int8")):
                metrics.parse(f"{name}:model={model},precision={precision}").load()
    return made


@pytest.fixture(scope="session")
def small_language_models(small_llama: Callable[..., Path]) -> list[str]:
    """Two language models of the same kind."""
    return [str(small_llama()), str(small_llama(seed=1))]


@pytest.fixture(scope="session")
def small_encoders(small_models: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two encoders that, like the default one, know the letters of some scripts and not those of others."""
    known = {letter for script in ("English", "Chinese", "Arabic", "Russian") for letter in "".join(SCRIPTS[script])}
    alphabet = "".join(sorted(letter for letter in map(str.lower, known) if letter.isalpha()))
    folder = tmp_path_factory.mktemp("encoders")
    return [str(small_models.make_encoder(folder / f"encoder-{seed}", seed, alphabet)) for seed in range(2)]


@pytest.fixture(scope="session")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A rescaling file with a line for every layer of the small encoders."""
    file = tmp_path_factory.mktemp("baseline") / "baseline.csv"
    file.write_text("LAYER,P,R,F\n" + "".join(f"{layer},0.25,0.25,0.25\n" for layer in range(1, 4)))
    return str(file)


@pytest.fixture(scope="session")
def other_lexicon(lexicon: WordNet, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with WordNet, but one irregular form more."""
    folder = tmp_path_factory.mktemp("wordnet")
    for file in lexicon.place.iterdir():
        (folder / file.name).symlink_to(file)
    (folder / "adv.exc").unlink()
    (folder / "adv.exc").write_bytes((lexicon.place / "adv.exc").read_bytes() + b"weller well\n")
    return str(folder)


@pytest.fixture
def values(ready: Metric, request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, typing.Any]:
    """What those parameters of the metric may be that name a model or a file."""
    metric = ready
    named: dict[str, typing.Any] = {}
    if metric.loads == "pair model":
        named = {"model": request.getfixturevalue("named_models")[metric.name][1:], "label": ["neutral", "0"]}
    elif hasattr(metric, "encoder"):
        named = {"encoder": request.getfixturevalue("small_encoders")[1:], "layer": [1, 2]}
    if metric.loads == "word vectors":
        named = {"vectors": request.getfixturevalue("word_vectors")[1:]}
    if hasattr(metric, "wordnet"):
        named["wordnet"] = [request.getfixturevalue("other_lexicon")]
    if hasattr(metric, "language_model"):
        named = {"language_model": request.getfixturevalue("small_language_models"), "limit": [2, 500]}
        named |= {"unigrams": [str(tmp_path / "words.txt")], "prompt": ["examples", str(tmp_path / "question.txt")]}
        (tmp_path / "words.txt").write_text("some words\n")
        (tmp_path / "question.txt").write_text("{source} = {candidate}?")
    if hasattr(metric, "baseline"):
        named["baseline"] = [request.getfixturevalue("baseline")]
    return named


def test_every_file_is_a_metric_under_its_own_name():
    for name in METRICS.files:
        assert metrics.load(name).name == name
        assert metrics.question(name) in metrics.QUESTIONS


@each(EVERY)
@pytest.mark.parametrize("check", OF_SCORES, ids=lambda check: check.__name__)
def test_contract(check, ready):
    check(ready)


@pytest.mark.thorough
@each([metric for metric in EVERY if hasattr(metric, "encoder")])
@pytest.mark.parametrize("check", OF_SCORES, ids=lambda check: check.__name__)
def test_contract_with_the_default_encoder(check, metric, encoder):  # noqa: ARG001
    check(metric)


@each(EVERY)
@pytest.mark.parametrize("check", OF_PARAMETERS, ids=lambda check: check.__name__)
def test_contract_of_parameters(check, ready, values):
    check(ready, values)


@each([dataclasses.replace(metric, normalize=True) for metric in EVERY if isinstance(metric, Wording)])
@pytest.mark.parametrize("check", [check_odd_texts, check_range], ids=lambda check: check.__name__)
def test_contract_of_normalized_texts(check, ready):
    check(ready)


@each([metric for metric in EVERY if isinstance(metric, ComparisonMetric)])
def test_a_typed_free_is_the_free_parameter(metric):
    plain = dataclasses.replace(metric, free=False)
    assert metrics.parse(f"{plain.spec}.free") == dataclasses.replace(metric, free=True)
