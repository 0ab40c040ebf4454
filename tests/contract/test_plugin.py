"""One of everything that may be added (examples/additions) works in a package of its own and as a file of this one."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import paragauge
from paragauge.extrinsic.classifier import Classifier, Fitted
from paragauge.extrinsic.classifiers import parse as classifier
from paragauge.stats.correlations import Statistic, statistic
from paragauge.stats.correlations import names as correlations
from paragauge.testing import check_classifier, check_correlation, check_rule
from paragauge.verdict.findings import Outcome, Span
from paragauge.verdict.rules import rule

from ..cli.program import call

ROOT = Path(__file__).parents[2]
ADDITIONS = ROOT / "examples" / "additions"
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
# name of the file, its folder in the package, and how long it may be and is
ROWS = re.findall(r"\]\(examples/additions/mypackage/(\w+)\.py\) \| `([\w/]+)/` \| (\d+) \|", CONTRIBUTING)
QUESTION = '    question = "form"\n'
USED = textwrap.dedent("""
    import runpy
    import sys
    from pathlib import Path
    from click.testing import CliRunner
    import paragauge as pg
    from paragauge.cli import app
    from paragauge.extrinsic.classifiers import parse
    from paragauge.metrics import parse as metric, question
    from paragauge.paraphrasers import parse as paraphraser
    from paragauge.testing import check_classifier, check_correlation, check_metric, check_paraphraser, check_rule
    from paragauge.stats.correlations import statistic
    from paragauge.verdict.rules import rules

    def call(*arguments):
        ended = CliRunner().invoke(app, arguments)
        assert ended.exit_code == 0, ended.exception or ended.output
        return ended.stdout

    one, other = "Please write to ann@red.org today.", "Today, please do write to ann@blue.org."
    own = runpy.run_path("tests/test_contract.py") if Path("tests").is_dir() else {}
    for name in own:
        if name.startswith("test_"):
            own[name]()
    if not own:
        check_metric(metric("jaccard"))
        check_paraphraser(paraphraser("shuffle:seed=1"))
        check_correlation(statistic("somers-d"))
        check_classifier(parse("majority"))
        check_rule(rules()["address"], one, other)
    judged = pg.judge([one], [other], accept=0.1)
    row, = judged.rows
    print(question("jaccard"), row.outcome, row.usable, "|rules:address|" in judged.signatures[judged.criterion.usable])
    data = ["--data", sys.argv[1]]
    header, line = call("meta", "answers", *data, "-m", "jaccard.free", "--statistic", "somers-d", "--no-sentinels",
                        "-f", "csv").splitlines()
    print(header.split(",")[1], line.split(",")[0], call("data", "verify", "answers", *data).strip())
    print(call("signature", "jaccard.free").strip().partition("|version")[0], "signature " in call("--help"))
    sys.path += sys.argv[2:]
    from judged import usable
    print(usable("How old are you?", "What is your age?"))
""")


@pytest.fixture
def outside(tmp_path: Path) -> list[Path]:
    """The folders where pip has put the package."""
    shutil.copytree(ADDITIONS, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    project = tomllib.loads((ADDITIONS / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    record = tmp_path / f"{project['name']}-{project['version']}.dist-info"
    record.mkdir()
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = [
        line
        for group, own in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in own.items()))
    ]
    (record / "entry_points.txt").write_text("\n".join(lines))
    return [tmp_path, tmp_path / "mypackage"]


@pytest.fixture
def inside(tmp_path: Path) -> list[Path]:
    """A copy of paragauge with the same files in its folders; the rule only shows what it finds."""
    package = Path(paragauge.__file__).parent
    shutil.copytree(package, tmp_path / "paragauge", copy_function=os.symlink)
    for name, folder, _ in ROWS:
        code = (ADDITIONS / "mypackage" / f"{name}.py").read_text(encoding="utf-8")
        (tmp_path / "paragauge" / folder / f"{name}.py").write_text(code.replace("Outcome.MEANING", "Outcome.CHECK"))
    return [tmp_path, tmp_path / "paragauge" / "adapters"]


def searching(folder: Path) -> dict[str, str]:
    """The variables with which Python finds the folder, and ours where it was found so far."""
    ours = [os.path.abspath(path) for path in filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {"PYTHONPATH": os.pathsep.join([str(folder), *ours]), "PYTHONIOENCODING": "utf-8"}


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=os.environ | searching(folder),
        capture_output=True, encoding="utf-8", timeout=300,
    )  # fmt: skip


@pytest.mark.parametrize(("where", "outcome"), [("outside", "meaning lost False"), ("inside", "check True")])
def test_one_of_everything_is_one_file(where, outcome, request):
    folder, scorers = request.getfixturevalue(where)
    found = run(folder, "-W", "error", "-c", USED, str(ADDITIONS / "data"), str(scorers))
    assert found.returncode == 0, found.stderr
    assert found.stdout.splitlines() == [
        f"form {outcome} True",
        "somers-d jaccard.free answers: as published",
        "jaccard|against:source True",
        "{'value': True, 'reason': <Outcome.OK: 'usable'>, 'kinds': ()}",
    ]


def test_the_document_has_the_lines_that_each_takes():
    files = {file.stem for file in (ADDITIONS / "mypackage").glob("[!_]*.py")}
    assert {name for name, *_ in ROWS} == files
    for name, folder, lines in ROWS:
        assert (ROOT / "src" / "paragauge" / folder).is_dir()
        assert (
            len((ADDITIONS / "mypackage" / f"{name}.py").read_text(encoding="utf-8").splitlines()) == int(lines) <= 25
        )
    (shown,) = re.findall(r"```python\n(.*?)```", CONTRIBUTING, re.DOTALL)
    assert shown == (ADDITIONS / "mypackage" / "jaccard.py").read_text(encoding="utf-8")
    adapters = [*(ROOT / "src" / "paragauge" / "adapters").glob("[!_]*.py")]
    assert all(len(file.read_text(encoding="utf-8").splitlines()) <= 45 for file in adapters)


CHECK = "from mypackage.jaccard import Jaccard; from paragauge.testing import check_metric; check_metric(Jaccard())"


def told(folder: Path) -> str:
    """What the author is told of a metric that fails."""
    found = call("-c", CHECK, environment=searching(folder))
    assert found.returncode == 1
    return found.stderr


def test_a_broken_one_is_told_which_checks_failed(outside):
    folder, _ = outside
    (folder / "mypackage-1.0.dist-info" / "entry_points.txt").unlink()  # not registered yet
    file = folder / "mypackage" / "jaccard.py"
    code = file.read_text(encoding="utf-8")
    assert "max(len(one | two), 1)" in code
    file.write_text(code.replace("max(len(one | two), 1)", "max(len(one), 1)"), encoding="utf-8")
    assert "jaccard fails 1 of 19 checks:" in (found := told(folder))
    assert "check_declared_symmetry: the two texts cannot change places" in found


def test_an_overall_metric_must_normalize(outside):
    folder, _ = outside
    file = folder / "mypackage" / "jaccard.py"
    file.write_text(file.read_text(encoding="utf-8").replace(QUESTION, ""), encoding="utf-8")
    assert "declare another `question`" in told(folder)
    assert "python -O leaves out assertions" in run(folder, "-O", "-c", CHECK).stderr


def test_pytest_is_not_needed_to_run_the_checks(tmp_path):
    code = "import sys; from paragauge.testing import CHECKS; print(*{'pytest', 'hypothesis'} & set(sys.modules))"
    assert run(tmp_path, "-c", code).stdout.strip() == ""


def test_correlations_and_classifiers_of_the_package_meet_their_contracts():
    for name in correlations():
        check_correlation(statistic(name))
    pytest.importorskip("sklearn", reason="needs the extra extrinsic")
    check_classifier(classifier("tfidf"))


PAIR = ("one two", "one three")


@rule(Outcome.CHECK)
def nothing(source, candidate):  # noqa: ARG001
    return []


@rule(Outcome.CHECK)
def copies(source, candidate):  # noqa: ARG001
    return [(Span(0, len(source)), None)]


@rule(Outcome.CHECK)
def beyond(source, candidate):
    return [] if source == candidate else [(Span(0, len(source) + 1), None)]


@rule(Outcome.CHECK)
def bare(source, candidate):
    return [] if source == candidate else [((0, 3), None)]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (lambda source, candidate: [], "is not a rule; put @rule"),  # noqa: ARG005
        (nothing, "finds nothing where it is said to find something"),
        (copies, "finds something in .* copied"),
        (beyond, "finds the place .* in 'one two', of 7 characters"),
        (bare, r"finds the place \(0, 3\) in 'one two'"),
    ],
)
def test_a_broken_rule_is_told_why(broken, why):
    with pytest.raises(AssertionError, match=why):
        check_rule(broken, *PAIR)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (lambda x, y: (x * y).sum(axis=1)[:1], "gave the shape"),
        (lambda x, y: -statistic("pearson").function(x, y), "the ratings themselves get -1"),
        (lambda x, y: np.nan_to_num(statistic("pearson").function(x, y)), "all the same give a number"),
        (lambda x, y: statistic("pearson").function(x, y) / len(x), "one row at a time"),
    ],
)
def test_a_broken_correlation_is_told_why(function, why):
    with pytest.raises(AssertionError, match=why):
        check_correlation(Statistic("broken", function))


@pytest.mark.parametrize(
    ("predict", "why"),
    [
        (lambda texts: np.zeros(1, dtype=np.int64), "got classes of the shape"),  # noqa: ARG005
        (lambda texts: np.full(len(texts), 2), "of two classes"),
        (lambda texts: np.arange(len(texts)) % 2, "one text at a time"),
    ],
)
def test_a_broken_classifier_is_told_why(predict, why):
    @dataclass(frozen=True, kw_only=True)
    class Broken(Classifier):
        name = "broken"
        title = "Broken"
        random = False

        def fit(self, texts, classes, number, seed):  # noqa: ARG002
            return Fitted(predict)

    with pytest.raises(AssertionError, match=why):
        check_classifier(Broken())
