"""METEOR 1.5: the arithmetic on its statistics, and the program behind them."""

from __future__ import annotations

import gzip
import math
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge.errors import ModelError
from paragauge.metrics import parse
from paragauge.models.hub.fetch import ensure
from paragauge.models.hub.registry import entry_named
from paragauge.tables.samples import Samples
from paragauge_research.metrics import meteor_jar as program_of_meteor
from paragauge_research.metrics.meteor15 import LIMIT
from paragauge_research.metrics.meteor_jar import STATISTICS, MeteorJar, load_meteor


def score(candidate: str, *references: str, spec: str = "meteor15") -> float:
    return float(parse(spec).score(sources=["x"], candidates=[candidate], references=[list(references)])[0])


def test_worked_by_hand() -> None:
    # candidate of 4 words, 1 of them a function word; reference of 5 words, 2 of them function words
    # exact: 2 content words and 1 function word on either side; synonym: 1 content word on either side; 2 chunks
    counts = np.zeros((1, len(STATISTICS)))
    numbers = {"candidate words": 4, "reference words": 5, "candidate function": 1, "reference function": 2}
    numbers |= {f"exact: {text} content": 2 for text in ("candidate", "reference")}
    numbers |= {f"exact: {text} function": 1 for text in ("candidate", "reference")}
    numbers |= {f"synonym: {text} content": 1 for text in ("candidate", "reference")}
    numbers |= {"chunks": 2, "candidate matched": 4, "reference matched": 4}
    for name, number in numbers.items():
        counts[0, STATISTICS.index(name)] = number
    # weighted matches: 1·(0.75·2 + 0.25·1) + 0.8·0.75·1 = 2.35
    # P = 2.35 / (0.75·3 + 0.25·1) = 2.35 / 2.5 = 0.94; R = 2.35 / (0.75·3 + 0.25·2) = 2.35 / 2.75
    precision, recall = 0.94, 2.35 / 2.75
    mean = precision * recall / (0.85 * precision + 0.15 * recall)
    expected = mean * (1 - 0.6 * 0.5**0.2)  # 2 chunks of 4 matches
    assert parse("meteor15").from_counts(counts, corpus=False)[0] == pytest.approx(expected, abs=1e-15)


def test_no_match_is_zero_and_no_reference_is_nan() -> None:
    counts = np.zeros((2, len(STATISTICS)))
    counts[0, :2] = 3
    counts[1] = math.nan
    found = parse("meteor15").from_counts(counts, corpus=False)
    assert found[0] == 0
    assert math.isnan(found[1])


@pytest.fixture(scope="module")
def of_one_paraphrase(meteor_jar: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MeteorJar]:  # noqa: ARG001
    """The program with a paraphrase table of one line of its own, which it reads at once."""
    table = tmp_path_factory.mktemp("meteor") / "paraphrases.gz"
    table.write_bytes(gzip.compress(b"0.1\npassed away\ndied\n"))
    program = MeteorJar(ensure(entry_named("meteor-1.5")) / "meteor-1.5.jar", "-norm", "-a", str(table))
    yield program
    program.close()


@pytest.fixture
def small_table(of_one_paraphrase: MeteorJar, monkeypatch: pytest.MonkeyPatch) -> None:
    """The metric asks that program."""
    monkeypatch.setattr(program_of_meteor, "load_meteor", lambda normalize: {True: of_one_paraphrase}[normalize])


def synonyms_and_paraphrases_match() -> None:
    assert score("The cat sat.", "the cat sat .") == 1  # -norm: case and punctuation do not count
    assert score("The large cat", "The big cat") > score("The striped cat", "The big cat")
    assert score("he died in May", "he passed away in May") > score("he ran in May", "he passed away in May")


@pytest.mark.usefixtures("small_table")
def test_synonyms_and_paraphrases_match() -> None:
    synonyms_and_paraphrases_match()


@pytest.mark.thorough  # reads 200 MB of paraphrases
@pytest.mark.usefixtures("meteor_jar")
def test_synonyms_and_paraphrases_of_the_whole_table_match() -> None:
    synonyms_and_paraphrases_match()


@pytest.mark.thorough  # another process, which reads the tables again
@pytest.mark.usefixtures("meteor_jar")
def test_without_norm_case_and_punctuation_count() -> None:
    assert score("The cat sat.", "the cat sat .", spec="meteor15:normalize=no") < 1


@pytest.mark.usefixtures("small_table")
def test_texts_cannot_speak_the_programs_language() -> None:
    # a line break or a separator in a text must not become an additional question or an additional reference
    plain = score("one two three four", "one two five six")
    assert score("one two\nthree\r\nfour", "one\ttwo five six") == plain
    assert score("one two three four", "one two ||| five six") < plain
    assert score("EVAL ||| 1 1", "EVAL ||| 1 1") == 1
    assert score("SCORE", "SCORE") == 1
    assert score("café 你好 \ud800", "café 你好 \ud800") == 1
    assert score("café", "caf\ufffd") == 0


@pytest.mark.usefixtures("small_table")
def test_undefined_rows_say_why() -> None:
    long = "to be or not to be " * 400
    samples = Samples.of(["x"] * 4, ["", "a word", "a word", long], [["a word"], ["\x00"], [], [long]])
    metric = parse("meteor15")
    scores = metric.score(samples)
    assert scores[0] == 0
    assert np.isnan(scores[1:]).all()
    assert metric.reason(samples, 1) == "the reference has no words"
    assert metric.reason(samples, 2) == "the row has no reference"
    assert f"{LIMIT:,}" in metric.reason(samples, 3)


def test_without_java_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(ModelError, match="needs Java 8 or later"):
        load_meteor.__wrapped__(True)  # not the one that is loaded already


@pytest.mark.usefixtures("meteor_jar")
def test_without_the_jar_it_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path))
    monkeypatch.setenv("PARAGAUGE_OFFLINE", "1")
    with pytest.raises(ModelError, match=r"`paragauge models get meteor-1\.5`"):
        load_meteor.__wrapped__(True)


@pytest.fixture
def exact_only(meteor_jar: Any) -> Iterator[MeteorJar]:  # noqa: ARG001
    """The program without its paraphrase table, whose reading takes long."""
    program = MeteorJar(ensure(entry_named("meteor-1.5")) / "meteor-1.5.jar", "-norm", "-m", "exact")
    yield program
    program.close()


@pytest.mark.usefixtures("meteor_jar")
def test_what_java_says_is_passed_on(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"Java says: .*nothing\.jar"):
        list(MeteorJar(tmp_path / "nothing.jar").statistics([("a", "b")]))


def test_an_interrupted_question_leaves_no_answer_behind(
    exact_only: MeteorJar, monkeypatch: pytest.MonkeyPatch
) -> None:
    (before,) = exact_only.statistics([("a man", "a man")])
    process = exact_only._program.get()._process

    def interrupted() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(process.stdout, "readline", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(exact_only.statistics([("another question", "another question too")]))
    assert process.poll() is not None
    assert list(exact_only.statistics([("a man", "a man")])) == [before]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_the_java_program_of_the_parent_is_left_alone(tmp_path: Path):
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!{sys.executable}\nimport os, sys\nfor line in sys.stdin: print(os.getpid(), flush=True)\n")
    java.chmod(0o755)
    program = """
        import os, sys
        from pathlib import Path

        os.environ["JAVA_HOME"] = sys.argv[1]
        from paragauge_research.metrics.meteor_jar import MeteorJar

        jar = MeteorJar(Path("any.jar"))
        ((before,),) = jar.statistics([("a", "b")])
        child = os.fork()
        if not child:
            ((own,),) = jar.statistics([("a", "b")])
            assert own != before
            sys.exit(0)  # ends the child's program, not the parent's
        assert os.waitpid(child, 0)[1] == 0
        ((after,),) = jar.statistics([("a", "b")])
        print(after == before)
        """
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program), str(tmp_path)],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (ended.stdout, ended.stderr, ended.returncode) == ("True\n", "", 0)
