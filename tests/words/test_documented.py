"""Every command and option, every public name and every document is where a reader looks for it."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import paragauge
from paragauge.cli import app

from ..golden.recording import RECORD

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE = DOCS / "commands.md"
HEAD = """# All commands and options

What `paragauge COMMAND --help` says; [usage](usage.md) shows how they work together. Commands of other packages, such
as [research](../research/README.md), say the same of themselves.
"""


def own(group: click.Group, *path: str) -> Iterator[list[str]]:
    """The commands of this package, and those within them."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield [*path, name]
            yield from own(command, *path, name)
        elif (getattr(command.callback, "__module__", "") or "").startswith("paragauge."):
            yield [*path, name]


def reference() -> str:
    """The help of every command."""
    parts = [HEAD]
    for words in own(app):
        said = CliRunner().invoke(app, [*words, "--help"], prog_name="paragauge", terminal_width=110).output
        lines = [line for line in said.rstrip().splitlines() if not re.match(r" +(-h, )?--help ", line)]
        body = "\n".join(line.rstrip() for line in lines)
        parts.append(f"## paragauge {' '.join(words)}\n\n```\n{body}\n```\n")
    return "\n".join(parts)


def test_every_command_and_option_is_in_the_reference():
    found = reference()
    if RECORD:
        REFERENCE.write_text(found, encoding="utf-8")
    assert REFERENCE.read_text(encoding="utf-8") == found, "`make golden` writes it"


@pytest.mark.parametrize("words", list(own(app)), ids=" ".join)
def test_every_option_says_what_it_does(words):
    command: click.Command = app
    for word in words:
        assert isinstance(command, click.Group)
        command = command.commands[word]
    assert command.get_short_help_str(limit=1_000).endswith((".", ")"))
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.name != "statistic":  # which lists what there is
            assert parameter.help, f"{parameter.opts} of {words} says nothing"


def test_the_index_names_every_document():
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    linked = {name.split("#")[0] for name in re.findall(r"\]\(([^)\s]+)\)", text)}
    documents = {file.relative_to(DOCS).as_posix() for file in [*DOCS.glob("*.md"), *(DOCS / "models").glob("*.md")]}
    assert documents - {"index.md"} <= linked
    assert [name for name in linked if not (DOCS / name).exists()] == []


def test_public_names_are_few_and_there():
    assert len(paragauge.__all__) <= 18
    for name in paragauge.__all__:
        assert getattr(paragauge, name) is not None
    usage = (DOCS / "usage.md").read_text(encoding="utf-8")
    missing = [name for name in paragauge.__all__ if not re.search(rf"\b(pg\.)?{name}\b", usage)]
    assert missing == []
