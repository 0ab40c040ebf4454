"""`paragauge paraphrase`, `paraphrasers` and `filter`, as a user calls them."""

import inspect
import json

import pytest

from paragauge import paraphrasers
from paragauge.models.hub.registry import ENTRIES
from paragauge.paraphrasers import default_method
from paragauge.select.paraphrase import paraphrase, paraphrase_file

from .program import call, refused


@pytest.fixture
def vectors(tmp_path):
    file = tmp_path / "vectors.txt"
    file.write_text("hot 10 0\nwarm 10 1\ncold 10 3\ntea 0 10\ncoffee 1 10\nmilk 3 10\n")
    return file


@pytest.fixture
def lines(tmp_path):
    (tmp_path / "in.txt").write_text("hot tea\n\nzzz\n")
    return tmp_path / "in.txt"


def test_a_file_is_paraphrased_scored_and_filtered(lines, vectors, tmp_path):
    output = tmp_path / "out.jsonl"
    result = call("paraphrase", lines, "--method", f"wordswap-1:vectors={vectors}", "-n", 2, "-o", output)
    assert result.returncode == 0, result.stderr
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    assert [row["candidate"] for row in rows] == ["warm coffee", "cold milk", None, None]
    assert "2 candidates of 3 sources" in result.stdout
    assert "wordswap|vectors:vectors.txt|" in result.stdout
    assert "1 source has no candidate: the source is empty" in result.stderr
    assert "1 source has no candidate: no word of the source has a neighbour" in result.stderr
    scored = call("score", output, "-m", "ned.free", "-q")
    assert scored.returncode == 0, scored.stderr
    kept = tmp_path / "kept.jsonl"
    result = call("filter", output, "--where", "score > 0.9 and ned.free > 0.5", "--best", 1, "-o", kept)
    assert result.returncode == 0, result.stderr
    assert [json.loads(line)["candidate"] for line in kept.read_text().splitlines()] == ["warm coffee"]
    assert "note: 1 of 4 rows are kept" in result.stderr
    assert "note: rejected 2: there is no candidate" in result.stderr
    assert "note: rejected 1: not among the best 1" in result.stderr


def test_lines_from_standard_input_and_from_a_file_of_any_name(lines, vectors, tmp_path):
    given = ["--method", f"wordswap:vectors={vectors}", "-n", 1, "-f", "json", "-q"]
    expected = json.loads(call("paraphrase", lines, *given).stdout)
    assert expected[0]["candidate"] == "warm coffee"
    piped = call("paraphrase", "-", *given, "--input-format", "txt", input=lines.read_text())
    assert piped.returncode == 0, piped.stderr
    assert json.loads(piped.stdout) == expected
    named = lines.rename(tmp_path / "in.questions")
    said = refused("paraphrase", named, *given)
    assert ".xlsx, .txt," in said
    assert "or name it, as with --input-format txt" in said
    assert json.loads(call("paraphrase", named, *given, "--input-format", "txt").stdout) == expected
    assert "did you mean 'txt'? known: csv, json, jsonl, parquet, tsv, txt, xlsx" in refused(
        "paraphrase", named, *given, "--input-format", "text"
    )


def test_a_report_of_the_candidates(lines, vectors, tmp_path):
    given = ["paraphrase", lines, "--method", f"wordswap-1:vectors={vectors}", "-n", 2, "-m", "ned.free"]
    for name, output in (("kept", ["-o", tmp_path / "out.csv"]), ("printed", [])):
        report = tmp_path / f"{name}.html"
        result = call(*given, *output, "--report", report)
        assert result.returncode == 0, result.stderr
        assert f"report: {report}" in result.stderr
        text = report.read_text(encoding="utf-8")
        assert f"<h1>Paraphrases: {name}</h1>" in text
        assert "over 4 rows" in text  # two of them without a candidate
    assert "already exists" in refused(*given, "--report", report)
    altered = refused(*given, "-o", tmp_path / "other.csv", "--report", tmp_path / "other.html", "--spreadsheet")
    assert "--report reads the output, which --spreadsheet alters" in altered


def test_an_endpoint_by_its_url(lines, chat_server):
    server = chat_server()
    result = call("paraphrase", lines, "--endpoint", server.url, "-n", 1, "-f", "csv", "-q")
    assert result.returncode == 0, result.stderr
    assert "tea hot 0" in result.stdout


def test_a_line_that_the_endpoint_refuses_is_told_and_the_others_are_paraphrased(chat_server, tmp_path):
    server = chat_server(refused={"bomb": 400})
    (tmp_path / "in.txt").write_text("hot tea\na bomb\ncold milk\n")
    output = tmp_path / "out.jsonl"
    result = call("paraphrase", tmp_path / "in.txt", "--endpoint", server.url, "-n", 1, "-o", output)
    assert result.returncode == 0, result.stderr
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    assert [row["candidate"] for row in rows] == ["tea hot 0", None, "milk cold 0"]
    assert rows[1]["reason"] == "the endpoint refused: 400 the prompt was filtered"
    assert "1 source has no candidate: the endpoint refused: 400 the prompt was filtered" in result.stderr
    server.failures, server.code = 99, 401
    (tmp_path / "many.txt").write_text("hot tea\n" * 500)
    before = len(server.asked)
    said = refused(
        "paraphrase", tmp_path / "many.txt", "--endpoint", server.url, "-n", 1, "-o", tmp_path / "none.jsonl"
    )
    assert "refused: 401" in said
    assert len(server.asked) - before <= 8  # two parts, each with four requests at once


def test_what_is_refused(lines, tmp_path):
    assert "did you mean 'wordswap-1'" in refused("paraphrase", lines, "--method", "wordswp-1")
    assert "name it with --method codes:model=FOLDER" in refused("paraphrase", lines, "--method", "semantic")
    said = refused("paraphrase", lines, "--method", "beam", "--endpoint", "http://127.0.0.1:9/v1")
    assert "--endpoint is for the method endpoint" in said
    said = refused("paraphrase", lines, "--method", "wordswap-1", "--budget", 9)
    assert "give --where 'cosine.free >= 0.8' too" in said
    (tmp_path / "table.csv").write_text("question\nwhat\n")
    assert "--column source=NAME" in refused("paraphrase", tmp_path / "table.csv", "--method", "wordswap-1")
    (tmp_path / "pairs.csv").write_text("source,candidate\na,b\n")
    assert "has '=' at character 6" in refused("filter", tmp_path / "pairs.csv", "--where", "bleu = = 1")
    assert "nothing to filter by" in refused("filter", tmp_path / "pairs.csv")
    assert "--by cosine.free" in refused("filter", tmp_path / "pairs.csv", "--best", 1)


def test_without_a_method_one_is_taken_that_may_be_used_for_any_purpose(lexicon, tmp_path):
    (tmp_path / "in.txt").write_text("The big car is here.\n")
    environment = {"PARAGAUGE_WORDNET": str(lexicon.place), "PARAGAUGE_CACHE": str(tmp_path / "cache")}
    result = call("paraphrase", tmp_path / "in.txt", "-n", 1, environment=environment)
    assert result.returncode == 0, result.stderr
    assert "wordnet-swap|" in result.stdout
    (said,) = result.stderr.splitlines()
    why = "it needs WordNet alone, and may be used for any purpose"
    assert said == f"note: no method was given, so wordnet-swap is taken: {why}"
    assert call("paraphrase", tmp_path / "in.txt", "-n", 1, "-q", environment=environment).stderr == ""


def test_no_default_reaches_for_weights_that_are_for_research(tmp_path, monkeypatch):
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path))
    assert default_method().name == "wordnet-swap"
    plain = paraphrasers.load("round-trip")()
    assert {ENTRIES[name].licence for name in (plain.there, plain.back)} == {"Apache-2.0"}
    for call_ in (paraphrase, paraphrase_file):
        assert inspect.signature(call_).parameters["method"].default is None


def test_the_licence_of_the_model_of_the_package_is_told(tmp_path):
    (tmp_path / "in.txt").write_text("How old are you?\n")
    told = "licence CC-BY-NC-SA 4.0, for research"
    assert told in call("paraphrase", tmp_path / "in.txt", "--method", "beam:width=2", "-n", 1).stderr
