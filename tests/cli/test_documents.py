"""The documents keep up with the program."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from paragauge import metrics
from paragauge.cli import app

from .program import call

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
USAGE = (ROOT / "docs" / "usage.md").read_text(encoding="utf-8")


def commands() -> list[list[str]]:
    found = []
    for name, command in app.commands.items():
        found.append([name])
        found += [[name, inner] for inner in getattr(command, "commands", {})]
    return found


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_has_help_with_an_example(command):
    result = call(*command, "--help")
    assert result.returncode == 0
    assert re.search(r"Examples?:", result.stdout)
    assert f"paragauge {command[0]}" in result.stdout.split("Example", 1)[1]


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_the_usage_names_every_command(command):
    assert re.search(rf"paragauge {command[0]}\b", USAGE)
    assert len(command) == 1 or re.search(rf"{command[0]}\b.*\b{command[1]}\b", USAGE)


def test_the_readme_names_every_metric():
    for metric in metrics.variants():
        assert f"`{metric.spec}`" in README, f"{metric.spec} is not in the README's table"


def test_the_usage_names_every_extra():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(project["optional-dependencies"]) - {"test", "check"}
    assert set(re.findall(r"^\| `(\w+)` \|", USAGE.partition("## Extras")[2], re.MULTILINE)) == extras


def test_no_placeholder_is_left():
    assert not re.search(r"@[A-Z]+@", README)


def test_every_link_leads_somewhere():
    """Files and headings, with GitHub's anchors: lower case, no punctuation, hyphens for spaces."""
    broken = []
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for path, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", document.read_text(encoding="utf-8")):
            target = document.parent / path if path else document
            if not target.exists():
                broken.append((document.name, path))
            elif anchor:
                headings = re.findall(r"^#+ (.*)", target.read_text(encoding="utf-8"), re.MULTILINE)
                anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
                broken += [] if anchor in anchors else [(document.name, f"{path}#{anchor}")]
    assert broken == []


def test_every_option_in_the_documents_exists():
    unknown, seen = [], 0
    for document in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for line in re.findall(r"paragauge ([a-z-]+(?: [^`\n#|]*)?)", document.read_text(encoding="utf-8")):
            name, *words = line.split()
            command = app.commands.get(name)
            inner = getattr(command, "commands", {})
            if inner:  # `annotate TABLE` is short for `annotate start TABLE`, `models` for `models list`
                command = inner.get(words[0] if words else "") or inner.get("start") or inner.get("list")
            for word in words if command else ():
                if re.fullmatch(r"--[a-z]+(?:-[a-z]+)*", word):
                    seen += 1
                    known = {"--help"}.union(*(parameter.opts for parameter in command.params))
                    unknown += [] if word in known else [(document.name, name, word)]
    assert seen > 50
    assert unknown == []


@pytest.mark.parametrize("document", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_every_package_is_named(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    packages = [file.parent.name for file in (ROOT / "src" / "paragauge").glob("*/__init__.py")]
    assert len(packages) > 10
    assert [package for package in packages if f"`{package}/`" not in text] == []


def test_the_order_of_imports_is_the_one_that_is_enforced():
    """The layers of import-linter, from top to bottom, stand in the document in that order."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(one for one in settings["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    layers = [set(re.findall(r"\w+", layer)) - {"_version"} for layer in contract["layers"]]
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    _, _, section = text.partition("| layer | may import")
    rows = section.partition("\n\n")[0].splitlines()[2:]
    assert [set(re.findall(r"`(\w+)`", row.split("|")[1])) for row in rows] == layers


def test_metrics_are_there_without_an_import_of_their_own():
    code = "import paragauge as pg; print(pg.metrics.Bleu().spec)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (found.stdout, found.stderr) == ("bleu\n", "")


def test_the_help_of_a_group_does_not_depend_on_who_asked_first():
    from paragauge.cli.cache import cache

    assert "-h, --help" in cache.get_help(click.Context(cache))


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
