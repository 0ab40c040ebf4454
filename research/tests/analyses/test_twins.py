"""One naming rule: what is a function of arrays is NAME, and its twin that takes scored ratings is NAME_of."""

import importlib
import inspect
import pkgutil

import pytest

from paragauge_research import analyses

MODULES = [
    importlib.import_module(f"{analyses.__name__}.{found.name}") for found in pkgutil.iter_modules(analyses.__path__)
]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_twin_is_named_for_its_array_function(module):
    own = {
        name: next(iter(inspect.signature(found).parameters.values())).annotation
        for name, found in inspect.getmembers(module, inspect.isfunction)
        if found.__module__ == module.__name__ and not name.startswith("_")
    }
    quoting = {name: getattr(module, name).__doc__ for name in own}
    for name, first in own.items():
        base = name.removesuffix("_of")
        if name.endswith("_of"):
            assert first in ("RatedScores", "Ratings")
            assert own.get(base) not in ("RatedScores", "Ratings")
        for array in own:  # a twin's docstring names what it calls
            if quoting[name].startswith(f"`{array}`"):
                assert base == array
