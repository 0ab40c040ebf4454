"""`paragauge extrinsic`: a table of one's own to tables, a run folder and a report; what is refused."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from .program import call, refused

WORDS = {"pos": ("good", "fine", "great"), "neg": ("bad", "poor", "awful")}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "my.csv"
    lines = []
    for number in range(60):
        label = ("pos", "neg")[number % 2]
        lines.append(f'"The film was {WORDS[label][number % 3]}. Number {number}.",{label}')
    file.write_text("review,sentiment\n" + "\n".join(lines) + "\n")
    return file


@pytest.fixture
def paraphrases(table: Path, tmp_path: Path) -> Path:
    file = tmp_path / "out.jsonl"
    rows = []
    for row in csv.DictReader(table.read_text().splitlines()):
        for system, text in (("loud", row["review"].upper()), ("gone", "Nothing is left.")):
            rows.append({"source": row["review"], "candidate": text, "system": system})
    file.write_text("".join(map("{}\n".format, map(json.dumps, rows))))
    return file


def options(table: Path, *more: object) -> list[object]:
    return ["extrinsic", "--train", table, "--text", "review", "--label", "sentiment", *more]


def test_a_table_of_ones_own(table, paraphrases, tmp_path):
    pytest.importorskip("sklearn", reason="needs the extra extrinsic")
    run, page = tmp_path / "run", tmp_path / "page.html"
    common = options(table, "--paraphrases", paraphrases, "--model", "tfidf", "-m", "ned.free", "--seeds", 2)
    shown = call(*common, "--run", run, "--report", page)
    assert shown.returncode == 0, shown.stderr
    assert "my: accuracy on the originals, trained on originals or on paraphrases (%)" in shown.stdout
    # loud and original have the same answers, but those of 12 texts leave more than 2 points open
    assert "my: no paraphraser is shown to be able to replace the originals: of 2 comparisons" in shown.stdout
    assert "note: my: 12 of 60 rows, drawn with the seed 0, are held out for testing" in shown.stderr
    again = call(*common, "--run", run, "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(again.stdout)))
    found = {row["paraphraser"]: float(row["accuracy"]) for row in rows if row["mode"] == "replace"}
    assert found["original"] == found["loud"] == 1
    assert found["gone"] < 0.8
    assert "Task: my" in page.read_text()
    assert call("report", run, "-o", tmp_path / "again.html").returncode == 0
    command = re.search(r'<div class="code"><span class="label">command</span>.*?</div>\n', page.read_text())[0]
    assert "paragauge extrinsic" in command  # which the run does not keep, as it may be the work of several
    assert (tmp_path / "again.html").read_text() == page.read_text().replace(command, "")
    assert "unchanged" in call("runs", "verify", run).stdout
    assert "to be able to replace the originals" in call("runs", "show", run).stdout
    assert "has no table of scores" in refused("export", run, "-o", tmp_path / "scores.csv")
    pairs = call(*common, "--run", run, "-f", "json", "--table", "associations")
    assert {row["paraphraser"] for row in json.loads(pairs.stdout)} == {"loud", "gone"}
    assert call("runs", "list", tmp_path).stdout.count("complete") == 1
    assert call("export", page, "-o", tmp_path / "replace.csv", "--table", "my replace").returncode == 0


def test_prediction_is_printed(table, paraphrases, tmp_path):
    pytest.importorskip("sklearn", reason="needs the extra extrinsic")
    common = options(table, "--model", "tfidf", "--mode", "replace", "--rank-metrics", "-m", "ned.free", "-f", "json")
    run = tmp_path / "run"
    message = refused(*common, "--paraphrases", paraphrases, "--run", run)
    assert "metrics cannot be ranked by 2 paraphrasers; expected 3 or more" in message
    assert not run.exists()  # before any work
    third = tmp_path / "third.csv"
    lines = [f'"{row["review"]}","Film {row["review"]}"' for row in csv.DictReader(table.read_text().splitlines())]
    third.write_text("source,candidate\n" + "\n".join(lines) + "\n")
    shown = call(*common, "--paraphrases", paraphrases, "--paraphrases", third)
    (row,) = json.loads(shown.stdout)
    assert (row["metric"], row["paraphrasers"]) == ("ned.free", 3)


def test_a_rerun_that_is_refused_leaves_the_run_complete(table, paraphrases, tmp_path):
    pytest.importorskip("sklearn", reason="needs the extra extrinsic")
    run = tmp_path / "run"
    common = options(table, "--model", "tfidf", "--mode", "replace", "-m", "ned.free", "--run", run)
    assert call(*common, "--paraphrases", paraphrases).returncode == 0
    assert "no paraphraser named 'wordswop'" in refused(*common, "--paraphraser", "wordswop")
    assert call("runs", "list", tmp_path).stdout.count("complete") == 1


def test_what_is_refused(table, paraphrases, tmp_path):
    common = options(table, "--paraphrases", paraphrases)
    assert "no task was given; known: imdb, sst2, mr, cr" in refused("extrinsic", "--paraphraser", "wordswap-1")
    assert "both the task cr and --train" in refused("extrinsic", "cr", *common[1:])
    assert "--test is for a table of your own" in refused("extrinsic", "cr", "--test", table)
    assert "--table prediction is for -f json and csv" in refused(*common, "--table", "prediction")
    assert "--seeds many: expected a number" in refused(*common, "--seeds", "many")
    assert "name the column with --text" in refused("extrinsic", "--train", table, "--paraphrases", paraphrases)
    one = tmp_path / "one.csv"
    one.write_text("review,sentiment\na,pos\nb,pos\nc,pos\nd,pos\n")
    assert "have the label 'pos'; expected two classes or more" in refused(*options(one, "--paraphrases", paraphrases))
    empty = tmp_path / "empty.csv"
    empty.write_text("review,sentiment\n,pos\nb,neg\n")
    assert "empty.csv: the text of row 1 is empty" in refused(*options(empty, "--paraphrases", paraphrases))
    other = tmp_path / "other.csv"
    other.write_text("review,sentiment\na,odd\n")
    message = refused(*options(table, "--test", other, "--paraphrases", paraphrases))
    assert "the label 'odd', which no training text has; known: neg, pos" in message
    lacking = tmp_path / "lacking.csv"
    lacking.write_text("source,candidate\na,b\n")
    message = refused(*options(table, "--paraphrases", lacking, "--mode", "replace", "-m", "ned.free"))
    assert "lacks paraphrases of 48 of 48 training texts of my" in message or "scikit-learn" in message
