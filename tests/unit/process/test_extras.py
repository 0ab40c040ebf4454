"""Optional packages: the error names an extra that exists."""

import re
import tomllib
from pathlib import Path

import pytest

from paragauge.errors import MissingExtraError
from paragauge.process.extras import require


def test_a_module_that_is_there():
    assert require("json", "any", "reading").loads("1") == 1


def test_what_to_install():
    with pytest.raises(MissingExtraError) as caught:
        require("no_such_module_at_all", "torch", "the model small needs torch", "sentencepiece")
    assert str(caught.value) == 'the model small needs torch: pip install "paragauge[torch]" sentencepiece'


def test_every_extra_that_is_named_exists():
    named = re.compile(r'require\(\s*"[\w.]+", "(\w+)"|paragauge\[(\w+)\]')
    project = Path(__file__).parents[3]
    sources = [file.read_text() for own in ("src", "research/src") for file in (project / own).rglob("*.py")]
    found = {name for text in sources for groups in named.findall(text) for name in groups if name}
    assert {"torch", "spacy", "xlsx"} <= found
    assert found <= tomllib.loads((project / "pyproject.toml").read_text())["project"]["optional-dependencies"].keys()
