"""What another package may add, that a broken one harms nobody, and what is said where research is not installed."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from paragauge.registry import RESEARCH

from ..cli.program import call

STRANGER = textwrap.dedent('''
    """A package that adds one of everything."""
    from dataclasses import dataclass

    import click
    import numpy as np

    from paragauge.benchmarks import Benchmark
    from paragauge.extrinsic.classifier import Classifier, Fitted
    from paragauge.meta.analysis import Analysed, Analysis
    from paragauge.metric import PairMetric, parameter
    from paragauge.paraphraser import Candidate, Paraphraser
    from paragauge.stats.correlations import Statistic
    from paragauge.tables.ratings import Ratings
    from paragauge.tables.samples import Samples
    from paragauge.verdict.findings import Outcome, Span
    from paragauge.verdict.rules import rule


    @rule(Outcome.MEANING, kind="e-mail", english=False)
    def address(source, candidate):
        """An address that became another one."""
        ours, theirs = (next((word for word in text.split() if "@" in word), "") for text in (source, candidate))
        if not ours or not theirs or ours == theirs:
            return []
        return [tuple(Span(text.index(own), text.index(own) + len(own)) for text, own in
                      ((source, ours), (candidate, theirs)))]


    @click.command("greet")
    def greet():
        """Say hello."""
        click.echo("hello")


    @dataclass(frozen=True, kw_only=True)
    class Same(PairMetric):
        """1 for equal texts."""

        name = "same"
        title = "Same"
        question = "form"
        range = (0.0, 1.0)
        higher_is_better = True
        citation = "none, 2026"
        presets = {"nearly-same": {"slack": 2}}

        slack: int = parameter(0, "by how many letters they may differ in length", low=0)

        def compare(self, pairs, work):
            return np.array([float(one == two or 0 < abs(len(one) - len(two)) <= self.slack) for one, two in pairs])


    @dataclass(frozen=True, kw_only=True)
    class Shout(Paraphraser):
        """The source in capitals."""

        name = "shout"
        title = "Shout"
        citation = "none, 2026"

        def propose(self, sources, n):
            return [[Candidate(source.upper(), 0.0, {})] for source in sources]


    @dataclass(frozen=True, kw_only=True)
    class First(Classifier):
        """The first class for every text."""

        name = "first"
        title = "First"
        random = False

        def fit(self, texts, classes, number, seed):
            return Fitted(lambda texts: np.zeros(len(texts), dtype=np.int64))


    def count(scored, request):
        return Analysed(["rows"], [[len(scored)]], {}, ["counted"])


    COUNT = Analysis("count", count)
    SIGN = Statistic("sign", lambda x, y: np.sign((x * (y - y.mean(axis=1, keepdims=True))).sum(axis=1)))
    SMALL = Benchmark(
        name="small", title="Small", about="four rows", languages="en", licence="none", citation="none",
        homepage="none", files={}, read=lambda folder: Ratings(Samples.of(["a", "b", "c", "d"], ["a", "x", "c", "y"]),
                                              np.array([1.0, 0.0, 1.0, 0.5]), "small"),
    )
''')
GROUPS = {
    "commands": {"greet": "greet", "references.greet": "greet", "metrics": "greet", "references.score": "greet"},
    "metrics": {"same": "Same", "bleu": "Same"},
    "paraphrasers": {"shout": "Shout"},
    "classifiers": {"first": "First"},
    "analyses": {"count": "COUNT"},
    "correlations": {"sign": "SIGN"},
    "benchmarks": {"small": "SMALL"},
    "rules": {"address": "address", "number": "address"},
}


def install(folder: Path, names: dict[str, dict[str, str]]) -> dict[str, str]:
    """The environment in which pip has installed a package with these entry points."""
    (folder / "stranger.py").write_text(STRANGER)
    record = folder / "stranger-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    lines = [
        line
        for group, own in names.items()
        for line in (f"[paragauge.{group}]", *(f"{name} = stranger:{value}" for name, value in own.items()))
    ]
    (record / "entry_points.txt").write_text("\n".join([*lines, ""]))
    search = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(search), "PYTHONIOENCODING": "utf-8"}


def say(environment: Mapping[str, str], *arguments: str) -> str:
    """What a command or code prints that does not fail."""
    ended = call(*arguments, environment=environment)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_another_package_adds_one_of_everything(tmp_path):
    here = install(tmp_path, GROUPS)
    assert say(here, "greet") == say(here, "references", "greet") == "hello\n"
    listed = say(here, "--help")
    assert "List every metric" in listed  # what has a name already keeps it
    assert "Score systems" in say(here, "references", "--help")
    assert "hello" not in say(here, "metrics", "-f", "csv")
    assert listed.index("Commands of other packages:") < listed.index("greet  ")
    assert "Say hello." in say(here, "references", "--help")
    (tmp_path / "lines.txt").write_text("how are you\n")
    shown = say(here, "paraphrase", str(tmp_path / "lines.txt"), "--method", "shout", "-m", "same.free", "-f", "json")
    assert "HOW ARE YOU" in shown
    assert '"same.free": 0' in shown
    agreement = say(here, "meta", "small", "-m", "same.free", "--statistic", "sign", "--no-sentinels", "-f", "csv")
    assert agreement.splitlines()[0].startswith("metric,sign,")
    assert agreement.splitlines()[1].startswith("same.free,1")
    assert say(here, "meta", "small", "-m", "same.free", "--analysis", "count", "-f", "csv") == "rows\n4\n"
    assert "small" in say(here, "data", "list")
    code = "from paragauge.extrinsic.classifiers import parse; print(parse('first').spec)"
    assert say(here, "-c", code) == "first\n"
    assert say(here, "-c", "import paragauge as pg; print(pg.metrics.parse('bleu').title)") == "BLEU\n"
    code = """
from paragauge import metrics, score
print(type(metrics.parse("same")).__module__, metrics.parse("nearly-same").spec, metrics.question("same"))
print(metrics.parse("nearly-same.free").score(sources=["ab", "ab"], candidates=["cde", "cdefg"]).tolist())
print(score(["ab"], ["cde"], metrics=["same.free:slack=1"])["same.free:slack=1"].tolist())
"""
    assert say(here, "-c", code) == "stranger nearly-same form\n[1.0, 0.0]\n[1.0]\n"


JUDGED = """
import paragauge as pg
found = pg.judge(["Please write to ann@red.org today."], ["Today, please do write to ann@blue.org."])
row, = found.rows
print(row.outcome, [one.rule for one in row.findings if one.rule != "reader"], row.kinds[0], row.usable)
print(found.frame["why"][0].partition(":")[0], "|rules:address|" in found.signatures["usable"])
"""


def test_a_rule_of_another_package_decides(tmp_path):
    """And it is not part of what `meaning` was trained on."""
    ended = call("-c", JUDGED, environment=install(tmp_path, {"rules": GROUPS["rules"]}))
    assert ended.stderr == ""
    first, second = ended.stdout.splitlines()
    assert first == "meaning lost ['address'] e-mail False"
    assert second.startswith("meaning lost (e-mail")
    assert second.endswith("True")


def test_a_broken_package_is_an_error_only_for_who_asks_for_it(tmp_path):
    ruined = {group: {"ruined": "Missing", "wrong": "np"} for group in GROUPS}
    ruined["commands"]["references.ruined"] = "Missing"
    ruined["metrics"] |= {"another-name": "Same"}
    here = install(tmp_path, ruined)
    assert "ruined" not in say(here, "--help")
    assert "ruined" not in say(here, "references", "--help")
    for name, why in (
        ("wrong", "is not a paragauge Metric class"), ("ruined", "cannot be loaded"),
        ("another-name", "has the name 'same'; expected 'another-name'"),
    ):  # fmt: skip
        code = (
            f"import paragauge as pg\ntry: pg.metrics.parse({name!r})\nexcept pg.ParagaugeError as error: print(error)"
        )
        assert why in say(here, "-c", code)
    code = "from paragauge import metrics\nprint(*(metrics.parse(name).spec for name in ('bleu', 'chrf++')))"
    assert say(here, "-c", code) == "bleu chrf++\n"
    for command in (["metrics"], ["paraphrase", "--list"], ["data", "list"], ["data", "verify"]):
        assert "ruined" not in say(here, *command, *(["-f", "csv"] if command[-1] != "verify" else []))
    table = tmp_path / "rated.csv"
    table.write_text("source,candidate,human,text,label\na,a,1,a,x\nb,x,0,b,y\nc,c,1,c,x\nd,y,0,d,y\n")
    assert "rouge1.free" in say(here, "meta", str(table), "-m", "rouge1.free", "-f", "csv")
    for arguments in (
        ["ruined"], ["references", "ruined"], ["data", "show", "ruined"], ["data", "show", "wrong"],
        ["score", str(table)], ["score", str(table), "-m", "ruined"], ["score", str(table), "-m", "wrong"],
        ["paraphrase", str(table), "--method", "wrong"], ["wrong"],
        ["extrinsic", "--train", str(table), "--paraphraser", "wordnet-swap", "--model", "wrong"],
        ["meta", str(table), "--statistic", "ruined"], ["meta", str(table), "--analysis", "wrong"],
    ):  # fmt: skip
        ended = call(*arguments, environment=here)
        assert ended.returncode == 2, arguments
        assert "plug-in" in ended.stderr
        assert "Traceback" not in ended.stderr
        assert len(ended.stderr.splitlines()) == 1


WITHOUT = """
import importlib.metadata, sys
every = importlib.metadata.entry_points
importlib.metadata.entry_points = lambda **chosen: [
    point for point in every(**chosen) if not point.value.startswith("paragauge_research")
]
sys.modules["paragauge_research"] = None
from paragauge.cli import main
main()
"""


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["reproduce", "shen2022"], "the command 'reproduce'"),
        (["train-metric", "-o", "trained"], "the command 'train-metric'"),
        (["train-paraphraser", "-o", "trained"], "the command 'train-paraphraser'"),
        (["references", "diversity", "a.txt"], "the command 'references diversity'"),
        (["score", "TABLE", "-m", "meteor15"], "the metric 'meteor15'"),
        (["score", "TABLE", "-m", "ds-tree:parser=spacy"], "the metric 'ds-tree'"),
        (["paraphrase", "TABLE", "--method", "codes"], "the paraphraser 'codes'"),
        (["paraphrase", "TABLE", "--method", "semantic"], "the paraphraser 'semantic'"),
        (["extrinsic", "--train", "TABLE", "--paraphraser", "wordnet-swap", "--model", "gru"], "the classifier 'gru'"),
        (["meta", "TABLE", "--analysis", "groups"], "the analysis 'groups'"),
    ],
)
def test_without_research_the_line_that_installs_it_is_named(tmp_path, arguments, named):
    table = tmp_path / "table.csv"
    table.write_text("source,candidate,human,text,label\na,a,1,a,x\nb,x,0,b,y\nc,c,1,c,x\nd,y,0,d,y\n")
    ended = call("-c", WITHOUT, *[str(table) if one == "TABLE" else one for one in arguments])
    assert ended.returncode == 2, ended.stderr
    assert ended.stderr == (
        f"paragauge: {named} is in the package paragauge-research, which is not installed: pip install "
        "paragauge-research, or from a checkout pip install ./research\n"
    )


def test_without_research_the_rest_works(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("source,candidate,human\na,a,1\nb,x,0\nc,c,1\nd,y,0\n")
    ended = call("-c", WITHOUT, "--help")
    assert "score" in ended.stdout
    assert "reproduce" not in ended.stdout
    assert "meteor15" not in call("-c", WITHOUT, "metrics", "-f", "csv").stdout
    report = tmp_path / "report.html"
    ended = call("-c", WITHOUT, "meta", str(table), "-m", "rouge1.free", "--report", str(report))
    assert ended.returncode == 0, ended.stderr
    assert "pip install ./research" in report.read_text(encoding="utf-8")


def test_the_table_of_names_is_what_research_adds():
    found = {
        group: {point.name for point in entry_points(group=group) if point.value.startswith("paragauge_research")}
        for group in RESEARCH
    }
    if not any(found.values()):
        pytest.skip("needs paragauge-research: pip install ./research")
    presets = {
        group: {
            preset
            for point in entry_points(group=group)
            if point.value.startswith("paragauge_research")
            for preset in getattr(point.load(), "presets", ())
        }
        for group in RESEARCH
    }
    assert {group: set(names) for group, names in RESEARCH.items()} == {
        group: found[group] | presets[group] for group in RESEARCH
    }
