"""`paragauge --help`: every command once, in sections, each with a whole sentence."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from paragauge.cli import app

GROUPS = [app, *(command for command in app.commands.values() if isinstance(command, click.Group))]


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_help_lists_every_command_once_with_a_whole_sentence(group):
    said = CliRunner().invoke(group, ["--help"], terminal_width=80).output
    flat = " ".join(said.split())
    for name, command in group.commands.items():
        assert sum(line.startswith(f"  {name} ") for line in said.splitlines()) == 1
        assert " ".join(command.get_short_help_str(limit=1_000).split()) in flat
    assert "..." not in flat.partition("ARGS]...")[2]


def test_a_file_needs_no_name_of_a_command(tmp_path):
    found = CliRunner().invoke(app, ["report", "nowhere", "-o", str(tmp_path / "report.html")])
    assert "nowhere" in str(found.exception)
