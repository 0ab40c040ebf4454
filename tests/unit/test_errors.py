"""Errors: what is wrong, and a hint that names arguments, which the command line writes as its options."""

import ast
import pickle
import re
import tomllib
from pathlib import Path

import pytest

import paragauge
from paragauge.cli.terminal.hints import as_options, option, sentence
from paragauge.errors import ExistingFileError, Hint, InputError, MissingColumnError, MissingExtraError
from paragauge.process.extras import require

SOURCE = Path(paragauge.__file__).parent


def test_the_library_names_arguments_and_the_command_line_options():
    error = InputError("nothing to compare within a source", Hint("use {level}", level="pooled"))
    assert str(error) == "nothing to compare within a source; use level='pooled'"
    assert sentence(error) == "nothing to compare within a source; use --level pooled"
    assert str(InputError("bad")) == sentence(InputError("bad")) == "bad"
    assert as_options("a plain note") == "a plain note"


def test_what_a_hint_quotes_is_no_template():
    found = Hint("{0}: {columns}", "{header} {0} {", columns={"source": "{x}"})
    assert found == "{header} {0} {: columns={'source': '{x}'}"
    assert as_options(found) == "{header} {0} {: --column 'source={x}'"


@pytest.mark.parametrize(
    "name, value, expected",
    [
        ("human", None, "--human"),
        ("overwrite", True, "--overwrite"),
        ("delimiter", ";", "--delimiter ';'"),
        ("resamples", 3000, "--resamples 3000"),
        ("header", ["source", "candidate", "…"], "--columns source,candidate,…"),
        ("columns", {"source": "问题", "system": "…"}, "--column source=问题 --column system=…"),
        ("columns", {"source": "$(rm x)"}, "--column 'source=$(rm x)'"),
        ("metrics", "nli:model=FOLDER", "-m nli:model=FOLDER"),
    ],
)
def test_options(name, value, expected):
    assert option(name, value) == expected


@pytest.mark.parametrize(
    "error",
    [
        InputError("bad", Hint("use {test}, {0}", "so", test="bootstrap")),
        ExistingFileError("out.csv"),
        MissingColumnError("no column 'a'", "a"),
    ],
)
def test_errors_cross_processes(error):
    found = pickle.loads(pickle.dumps(error))
    assert (type(found), str(found), sentence(found)) == (type(error), str(error), sentence(error))


def test_no_error_of_the_library_names_an_option():
    """Only the command line has options; the library's hints hold arguments."""
    found = []
    for file in SOURCE.rglob("*.py"):
        if file.is_relative_to(SOURCE / "cli"):
            continue
        for call in ast.walk(ast.parse(file.read_text())):
            name = getattr(call.func, "id", "") if isinstance(call, ast.Call) else ""
            if not name.endswith(("Error", "Hint")):
                continue
            texts = [part.value for part in ast.walk(call) if isinstance(part, ast.Constant)]
            found += [f"{file.name}: {text}" for text in texts if re.search(r"(^|[\s(`'\"])(--[a-z]|-m $)", str(text))]
    assert found == []


def test_a_module_that_is_there():
    assert require("json", "any", "reading").loads("1") == 1


def test_what_to_install():
    with pytest.raises(MissingExtraError) as caught:
        require("no_such_module_at_all", "torch", "the model small needs torch", "sentencepiece")
    assert str(caught.value) == 'the model small needs torch: pip install "paragauge[torch]" sentencepiece'


def test_every_extra_that_is_named_exists():
    named = re.compile(r'require\(\s*"[\w.]+", "(\w+)"|paragauge\[(\w+)\]')
    project = Path(__file__).parents[2]
    sources = [file.read_text() for own in ("src", "research/src") for file in (project / own).rglob("*.py")]
    found = {name for text in sources for groups in named.findall(text) for name in groups if name}
    assert {"torch", "spacy", "xlsx"} <= found
    assert found <= tomllib.loads((project / "pyproject.toml").read_text())["project"]["optional-dependencies"].keys()
