"""Every command prints and writes what is recorded; `recording.py` says how exactly."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from paragauge.cli import app
from paragauge.files.folders import cache_folder

from ..cli.program import call
from .cases import CASES, Case
from .inputs import make_data, make_inputs
from .recording import EXPECTED, RECORD, check, shown
from .test_serve import REQUESTS

pytest.importorskip("paragauge_research", reason="the lists that are recorded have what the research project adds")


@pytest.fixture(scope="session")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    make_inputs(folder)
    return folder


@pytest.fixture(scope="session")
def paraphraser() -> None:
    """The paraphraser comes with the package."""


@pytest.fixture(scope="session")
def extrinsic() -> None:
    pytest.importorskip("sklearn", reason="needs the extra extrinsic")


@pytest.fixture(scope="session")
def charts() -> None:
    for package in ("altair", "vl_convert"):
        pytest.importorskip(package, reason="needs the extra charts")


@pytest.fixture
def place(inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that a case is run in; links to what it reads."""
    for file in inputs.iterdir():
        (tmp_path / file.name).symlink_to(file)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PARAGAUGE_OFFLINE", "1")
    return tmp_path


def outputs(case: Case, place: Path) -> Iterator[str]:
    """What its commands print, and the files that they write."""
    before = set(place.iterdir())
    for line in case.commands:
        words, _, file = line.partition(" < ")
        result = call(*shlex.split(words), input=(place / file).read_text(encoding="utf-8") if file else None)
        yield f"$ paragauge {line}\n{result.stdout}"
        yield from (f"(error) {text}\n" for text in result.stderr.splitlines())
        if result.returncode:
            yield f"(exit code {result.returncode})\n"
    for pattern in case.files:
        for file in sorted(place.glob(pattern)):
            if file.is_file() and file not in before:
                yield f"== {file.relative_to(place)}\n{shown(file)}\n"


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.name, marks=[pytest.mark.thorough] * case.thorough) for case in CASES]
)
def test_command(case: Case, place: Path, request: pytest.FixtureRequest) -> None:
    for need in case.needs:
        request.getfixturevalue(need)
    if "data" in case.needs:
        make_data(place, Path(os.environ["PARAGAUGE_DATA"]))
    folders = {place.resolve(): "<folder>", place: "<folder>", cache_folder(): "<cache>"}
    check(case.name, "".join(outputs(case, place)), folders, case.network)


def helps() -> dict[str, list[str]]:
    """Commands of the research project, by what the file is called that has their help; `docs/commands.md` has ours."""
    found = {}
    for name in named(app):
        command = app.get_command(click.Context(app), name)
        inner = [[name, one] for one in named(command)] if isinstance(command, click.Group) else [[name]]
        for words in inner:
            callback = (command.commands[words[-1]] if isinstance(command, click.Group) else command).callback
            if not str(getattr(callback, "__module__", "")).startswith("paragauge."):
                found[f"help-{'-'.join(words)}"] = words
    return found


def named(group: click.Group) -> list[str]:
    return group.list_commands(click.Context(group))


@pytest.mark.parametrize("name", helps())
def test_help(name: str) -> None:
    words = helps()[name]
    said = CliRunner().invoke(app, [*words, "--help"], prog_name="paragauge", terminal_width=80).output
    check(name, f"$ paragauge {' '.join(words)} --help\n{said}", {}, network=False)


def test_every_recorded_file_belongs_to_a_case() -> None:
    known = {case.name for case in CASES} | set(helps()) | {f"serve-{name}" for name in REQUESTS}
    for file in EXPECTED.iterdir() if RECORD else ():
        if file.stem not in known:
            file.unlink()
    assert {file.stem for file in EXPECTED.iterdir()} == known
