"""`paragauge models`, the real program, with a cache of its own."""

import subprocess
from pathlib import Path

import pytest
from tests.cli.program import call

from .conftest import LAYERS, make_model

pytestmark = pytest.mark.usefixtures("empty_cache")


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return call("models", *arguments, environment={"PARAGAUGE_OFFLINE": "1"})


def test_models_are_listed() -> None:
    for arguments in ((), ("list",)):
        finished = run(*arguments)
        assert finished.returncode == 0
        for word in ("all-MiniLM-L6-v2", "all-mpnet-base-v2", "m3e-small", "non-commercial"):
            assert word in finished.stdout


@pytest.mark.parametrize("command", [("get", "default"), ("path", "default"), ("verify", "default")])
def test_what_is_not_here_is_said_with_the_way_to_get_it(command: tuple[str, ...]) -> None:
    finished = run(*command)
    assert finished.returncode == 2
    assert len(finished.stderr.splitlines()) == 1
    assert "`paragauge models get all-MiniLM-L6-v2`" in finished.stderr


def test_verify_finds_a_damaged_file(tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "models" / "all-MiniLM-L6-v2"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    finished = run("verify")
    assert finished.returncode == 2
    states = {line.split()[1].removeprefix(f"{folder}/"): line.split()[-1] for line in finished.stdout.splitlines()[2:]}
    assert states["config.json"] == "damaged"
    assert states["model.safetensors"] == "missing"


def test_a_baseline_is_written(tmp_path: Path) -> None:
    model = make_model(tmp_path / "model", "bert")
    texts, output = tmp_path / "texts.txt", tmp_path / "baseline.csv"
    texts.write_text("the fox\na lazy dog\n\njumps over\n")
    finished = run("baseline", texts, "--encoder", model, "--pairs", "20", "-o", output)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")
    rows = output.read_text().splitlines()
    assert rows[0] == "LAYER,P,R,F"
    assert [row.split(",")[0] for row in rows[1:]] == [str(layer) for layer in range(LAYERS + 1)]
    printed = run("baseline", texts, "--encoder", model, "--pairs", "20", "--layer", "2")
    assert printed.stdout.splitlines()[3] == rows[3]
    assert printed.stdout.splitlines()[2] == "1,nan,nan,nan"


def test_a_baseline_of_nothing_is_refused(tmp_path: Path) -> None:
    model = make_model(tmp_path / "model", "bert")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    empty = tmp_path / "empty"
    empty.write_text("")
    for arguments, message in (
        ([tmp_path / "none"], "cannot be read"),
        ([binary], "not UTF-8"),
        ([empty], "at least two"),
        ([empty, "--layer", "last"], "expected a layer number or all"),
    ):
        finished = run("baseline", *arguments, "--encoder", model)
        assert finished.returncode == 2
        assert message in finished.stderr
        assert len(finished.stderr.splitlines()) == 1
