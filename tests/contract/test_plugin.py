"""A plug-in as CONTRIBUTING shows it passes the contract as CONTRIBUTING runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ..cli.program import call

CONTRIBUTING = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
METRIC, CHECK = re.findall(r"```python\n(.*?)```", CONTRIBUTING, re.DOTALL)
(ENTRY,) = re.findall(r'^jaccard = "(.*)"$', CONTRIBUTING, re.MULTILINE)
QUESTION = '    question = "form"\n'


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The folder where pip has put a package with the metric of CONTRIBUTING, and the author's test of it."""
    (tmp_path / "mypackage").mkdir()
    (tmp_path / "mypackage" / "__init__.py").touch()
    code = METRIC.replace("from ...", "from paragauge.").replace("    title =", f"{QUESTION}    title =")
    (tmp_path / "mypackage" / "jaccard.py").write_text(code, encoding="utf-8")
    record = tmp_path / "mypackage-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: mypackage\nVersion: 1.0\n")
    (record / "entry_points.txt").write_text(f"[paragauge.metrics]\njaccard = {ENTRY}\n")
    (tmp_path / "test_jaccard.py").write_text(CHECK, encoding="utf-8")
    return tmp_path


def searching(package: Path) -> dict[str, str]:
    """The variables with which Python finds the package, and ours where it was found so far."""
    ours = [os.path.abspath(path) for path in filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {"PYTHONPATH": os.pathsep.join([str(package), *ours]), "PYTHONIOENCODING": "utf-8"}


def run(package: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=package, env=os.environ | searching(package),
        capture_output=True, encoding="utf-8", timeout=300,
    )  # fmt: skip


def run_tests(package: Path) -> subprocess.CompletedProcess[str]:
    return run(package, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_jaccard.py")


def test_the_metric_of_the_document_passes(package):
    found = run_tests(package)
    assert found.returncode == 0, found.stdout
    assert "1 passed" in found.stdout


@pytest.mark.thorough
def test_a_metric_that_is_not_registered_yet_passes(package):
    (package / "mypackage-1.0.dist-info" / "entry_points.txt").unlink()
    assert run_tests(package).returncode == 0


def told(package: Path) -> str:
    """What the author's test says of a metric that fails it."""
    found = call("-c", f"{CHECK}\n\ntest_contract()", environment=searching(package))
    assert found.returncode == 1
    return found.stderr


def test_a_broken_one_is_told_which_checks_failed(package):
    file = package / "mypackage" / "jaccard.py"
    code = file.read_text(encoding="utf-8")
    assert "max(len(one | two), 1)" in code
    file.write_text(code.replace("max(len(one | two), 1)", "max(len(one), 1)"), encoding="utf-8")
    assert "jaccard fails 1 of 19 checks:" in (found := told(package))
    assert "check_declared_symmetry: the two texts cannot change places" in found


def test_an_overall_metric_must_normalize(package):
    file = package / "mypackage" / "jaccard.py"
    file.write_text(file.read_text(encoding="utf-8").replace(QUESTION, ""), encoding="utf-8")
    assert "declare another `question`" in told(package)


def test_pytest_is_not_needed_to_run_the_checks(package):
    code = "import sys; from paragauge.testing import CHECKS; print(*{'pytest', 'hypothesis'} & set(sys.modules))"
    assert run(package, "-c", code).stdout.strip() == ""
    assert run(package, "-O", "-c", CHECK.partition("def ")[0] + "check_metric(Jaccard())").returncode == 1
