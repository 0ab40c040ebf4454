"""The model of a few tokens, for the tests of every search."""

import importlib.util
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def toy():
    """The class of the model."""
    spec = importlib.util.spec_from_file_location("toy_decoding", Path(__file__).parent / "toy.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["toy_decoding"] = module
    spec.loader.exec_module(module)
    return module.Toy
