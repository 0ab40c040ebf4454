"""What is in the wheel: by setuptools itself, from a copy of the tree."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = {
    "benchmarks/published.toml", "benchmarks/wmt19.sha256", "cards/cards.json", "cards/texts.toml",
    "metrics/fluency/ordinary.txt", "models/hub/registry.toml", "paraphrasers/prompt.txt", "py.typed",
    "verdict/antonyms.license", "verdict/antonyms.txt", "verdict/rules/rules.json", "verdict/words.toml",
}  # fmt: skip
FOLDERS = {"models/pairs/meaning", "paraphrasers/shipped", "reports/page", "web/annotate/page", "web/serve/page"}


def wheel_of(project: Path, folder: Path) -> set[str]:
    """The files that setuptools puts into the wheel of a project."""
    pytest.importorskip("setuptools", reason="needs setuptools, which builds the wheel")
    copy, built = folder / "copy", folder / "built"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(project / name, copy)
    shutil.copytree(project / "src", copy / "src", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
    code = f"from setuptools import setup; setup(script_args=['-q', 'build', '--build-lib', {str(built)!r}])"
    ended = subprocess.run([sys.executable, "-c", code], cwd=copy, capture_output=True, encoding="utf-8")
    assert ended.returncode == 0, ended.stderr
    return {file.relative_to(built).as_posix() for file in built.rglob("*") if file.is_file()}


def test_the_wheel_has_the_program_its_weights_and_no_training(tmp_path):
    found = wheel_of(ROOT, tmp_path)
    code = {file.relative_to(ROOT / "src").as_posix() for file in (ROOT / "src" / "paragauge").rglob("*.py")}
    assert {file for file in found if file.endswith(".py")} == code
    others = {file.removeprefix("paragauge/") for file in found - code}
    data = {file for file in others if not any(file.startswith(f"{folder}/") for folder in FOLDERS)}
    assert data == DATA
    for folder in FOLDERS:
        assert {file for file in others if file.startswith(f"{folder}/")} == {
            file.relative_to(ROOT / "src" / "paragauge").as_posix()
            for file in (ROOT / "src" / "paragauge" / folder).rglob("*")
            if file.is_file() and file.suffix not in (".py", ".pyc")
        }
    assert not [file for file in found if {"training", "papers", "configurations"} & set(file.split("/"))]


def test_the_wheel_of_research_has_its_data_and_nothing_of_paragauge(tmp_path):
    project = ROOT / "research"
    found = wheel_of(project, tmp_path)
    package = project / "src"
    assert found == {
        file.relative_to(package).as_posix()
        for file in (package / "paragauge_research").rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    }
    assert any(file.endswith("printed.csv") for file in found)
    assert any(file.endswith("meaning.toml") for file in found)
