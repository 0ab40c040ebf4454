"""What several tests need: the published data sets, the default encoder, and small models of other kinds."""

from __future__ import annotations

import importlib.util
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

# the same examples on every run, and no verdict that depends on how busy the machine is
settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")

ROOT = Path(__file__).parents[1]


class Judged(NamedTuple):
    """A human-rated data set, one entry per candidate, in the published order."""

    sources: list[str]
    candidates: list[str]
    references: list[str]
    ratings: list[float]


class _Plain(pickle.Unpickler):
    """Builds dicts, lists, tuples, strings and numbers; a pickle that names any class is refused."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"the file asks for {module}.{name}; expected builtins only")


def data_folder() -> Path:
    """`PARAGAUGE_DATA`, else `shared/data` beside the project."""
    return Path(os.environ.get("PARAGAUGE_DATA") or ROOT.parent / "shared" / "data")


def read_pickle(path: Path) -> Any:
    """The plain values in a pickle; no class in it is ever imported."""
    with path.open("rb") as stream:
        return _Plain(stream).load()


def read_judged(name: str) -> Judged:
    """Twitter-Para (`twitter`) or BQ-Para (`bq`)."""
    folder = data_folder() / "parascore" / name
    references = read_pickle(folder / "source-reference.pickle")
    rows = [
        (source, candidate, references[source][0], rating)
        for source, group in read_pickle(folder / "source-candidate.pickle").items()
        for candidate, rating in group
    ]
    return Judged(*map(list, zip(*rows, strict=True)))


def _judged_or_skip(name: str) -> Judged:
    try:
        return read_judged(name)
    except FileNotFoundError as error:
        pytest.skip(f"needs the data set {name}: there is no {error.filename}")


@pytest.fixture(scope="session")
def twitter() -> Judged:
    """Twitter-Para: 7,159 candidates of 761 English tweets."""
    return _judged_or_skip("twitter")


@pytest.fixture(scope="session")
def bq() -> Judged:
    """BQ-Para: 5,590 candidates of 559 Chinese questions."""
    return _judged_or_skip("bq")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of all data sets."""
    folder = data_folder()
    if not folder.is_dir():
        pytest.skip(f"needs the data sets: there is no {folder}")
    return folder


@pytest.fixture(scope="session")
def small_models() -> ModuleType:
    """The module that makes small sequence-to-sequence models and classifiers."""
    spec = importlib.util.spec_from_file_location("small_models", ROOT / "tests" / "small_models.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def encoder() -> Any:
    """The default encoder, for real."""
    from paragauge.models.load import load_encoder

    return _without_fetching(lambda: load_encoder("default", None, "float32", "truncate"), "the default encoder")


@pytest.fixture(scope="session")
def glove() -> Any:
    """The default word vectors, for real."""
    from paragauge.models.vectors import load_vectors

    return _without_fetching(load_vectors, "the default word vectors")


@pytest.fixture
def tiny_vectors(tmp_path: Path) -> str:
    """A file of five words in two dimensions."""
    file = tmp_path / "tiny.txt"
    file.write_text("a 1 0\nb 0 1\nc 3 4\nd -1 0\ne -4 3\n")
    return str(file)


@pytest.fixture(scope="session")
def lexicon() -> Any:
    """The registry's WordNet, for real."""
    from paragauge.models.fetch import obtain
    from paragauge.models.registry import entry_named
    from paragauge.models.wordnet import load_wordnet

    return load_wordnet(str(_without_fetching(lambda: obtain(entry_named("wordnet")), "WordNet")))


@pytest.fixture(scope="session")
def meteor_jar() -> Any:
    """METEOR 1.5, for real."""
    from paragauge.models.meteor_jar import load_meteor

    return _without_fetching(lambda: load_meteor(True), "METEOR 1.5")


def _without_fetching(load: Callable[[], Any], what: str) -> Any:
    from paragauge.errors import ParagaugeError

    before = os.environ.get("PARAGAUGE_OFFLINE")
    os.environ["PARAGAUGE_OFFLINE"] = "1"  # tests do not fetch
    try:
        return load()
    except ParagaugeError as error:
        pytest.skip(f"needs {what}: {error}")
    finally:
        if before is None:
            del os.environ["PARAGAUGE_OFFLINE"]
        else:
            os.environ["PARAGAUGE_OFFLINE"] = before
