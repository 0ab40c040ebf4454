"""`paragauge score`, the real program in a subprocess."""

from __future__ import annotations

import csv
import functools
import io
import json
import os
import pty
import resource
import shlex
import signal
import subprocess
import time
from pathlib import Path

import polars
import pytest

from .program import call, command, read_terminal, refused

ROOT = Path(__file__).parents[2]
PAIRS = ROOT / "examples" / "pairs.csv"
LEXICAL = ["-m", "bleu", "-m", "ned.free", "-m", "rougeL", "-m", "chrf", "-m", "ter"]


def summary_of(*arguments: object, **options: object) -> dict[tuple[str, str], dict[str, str]]:
    result = call("score", *arguments, "-f", "csv", **options)
    assert result.returncode == 0, result.stderr
    return {(row["metric"], row["system"]): row for row in csv.DictReader(io.StringIO(result.stdout))}


def test_the_summary_shows_each_metric_per_system_with_its_signature():
    result = call("score", PAIRS, *LEXICAL)
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["metric", "system", "mean", "95%", "interval", "corpus", "rows", "failures"]
    assert sum(line.startswith("bleu ↑") for line in lines) == 1
    assert sum("word-swap" in line for line in lines) == 5
    assert any(line.startswith("bleu|against:references|") and "|nrefs:1-2|" in line for line in lines)


def test_standard_input_is_read_like_the_file():
    from_file = summary_of(PAIRS, *LEXICAL)
    assert summary_of("-", *LEXICAL, input=PAIRS.read_text()) == from_file


@pytest.mark.parametrize("suffix", ["tsv", "jsonl", "parquet"])
def test_every_format_gives_the_same_numbers(tmp_path, suffix):
    with PAIRS.open() as lines:
        rows = list(csv.DictReader(lines))
    target = tmp_path / f"pairs.{suffix}"
    if suffix == "tsv":
        with target.open("w") as stream:
            writer = csv.DictWriter(stream, rows[0], delimiter="\t")
            writer.writeheader()
            writer.writerows(rows)
    elif suffix == "jsonl":
        target.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        polars.DataFrame(rows).write_parquet(target)
    assert summary_of(target, *LEXICAL) == summary_of(PAIRS, *LEXICAL)


def test_aligned_files_with_ragged_references(tmp_path):
    files = {
        "source": "a b c\nd e f\n",
        "one": "a b c\nd e x\n",
        "two": "a\nd e f\n",
        "r1": "a b\n\n",
        "r2": "\nd e f\n",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.txt").write_text(text)
    found = summary_of(
        "-s", tmp_path / "source.txt", "-c", tmp_path / "one.txt", "-c", tmp_path / "two.txt",
        "-r", tmp_path / "r1.txt", "-r", tmp_path / "r2.txt", "-m", "ned", "-m", "ned.free",
    )  # fmt: skip
    # 'a b c' against 'a b': 2 of 5 characters; 'd e x' against 'd e f': 1 of 5
    assert float(found["ned", "one"]["mean"]) == pytest.approx((2 / 5 + 1 / 5) / 2)
    assert float(found["ned", "two"]["mean"]) == pytest.approx((2 / 3 + 0) / 2)
    assert float(found["ned.free", "one"]["mean"]) == pytest.approx((0 + 1 / 5) / 2)
    assert "nrefs:1|" in found["ned", "one"]["signature"]


def test_columns_can_be_mapped(tmp_path):
    file = tmp_path / "questions.csv"
    file.write_text("question,rewrite\nabcd,abxy\n")
    found = summary_of(file, "--column", "source=question", "--column", "candidate=rewrite", "-m", "ned.free")
    assert float(found["ned.free", "candidate"]["mean"]) == pytest.approx(2 / 4)  # two of four characters changed
    sentence = refused("score", file, "-m", "ned.free")
    assert "no column 'source'" in sentence
    assert "question, rewrite" in sentence


def test_formats():
    found = json.loads(call("score", PAIRS, "-m", "bleu", "-f", "json").stdout)
    assert {row["system"] for row in found} == {"copy", "word-swap", "rewrite"}
    assert found[0]["low"] <= found[0]["mean"] <= found[0]["high"]
    assert call("score", PAIRS, "-m", "bleu", "-f", "latex").stdout.startswith("\\begin{tabular}")
    assert call("score", PAIRS, "-m", "bleu", "-f", "markdown").stdout.startswith("| metric |")
    assert "no format named 'jsn'; did you mean 'json'?" in refused("score", PAIRS, "-m", "bleu", "-f", "jsn")


def test_digits_and_quiet():
    result = call("score", PAIRS, "-m", "ned.free", "-w", "5", "-q")
    assert "0.16020 to 0.27722" in result.stdout
    assert "version:" not in result.stdout
    assert result.stderr == "note: 14 candidates are exact copies of their source (copy: 14)\n"  # and no progress


def test_quiet_hides_no_warning_and_normalize_sees_through_edits(tmp_path):
    file = tmp_path / "edited.csv"
    source = "The doctor told the patient to rest for three days."
    rows = [
        (source.upper(), "loud"),
        (source + "   ", "loud"),
        (source, "copy"),
        ("The patient was told to rest.", "new"),
    ]
    file.write_text("source,candidate,system\n" + "".join(f"{source},{text},{system}\n" for text, system in rows))
    plain = call("score", file, "-m", "ned.free", "-m", "pinc", "-f", "csv", "-q")
    assert "2 candidates are copies of their source but for case" in plain.stderr
    assert "(loud: 2)" in plain.stderr
    assert "1 candidate is an exact copy of its source (copy: 1)" in plain.stderr
    before = summary_of(file, "-m", "ned.free", "-m", "pinc")
    after = summary_of(file, "-m", "ned.free", "-m", "pinc", "--set", "normalize=yes")
    assert float(before["ned.free", "loud"]["mean"]) > 0.3
    assert float(after["ned.free:normalize=yes", "loud"]["mean"]) == 0
    assert float(after["pinc:normalize=yes", "loud"]["mean"]) == 0
    assert float(after["pinc:normalize=yes", "new"]["mean"]) > 0.5
    assert "|normalize:yes|" in after["pinc:normalize=yes", "new"]["signature"]
    assert "|normalize:no|" in before["pinc", "new"]["signature"]


def test_sentence_level_prints_every_row():
    result = call("score", PAIRS, "-m", "ned.free", "-m", "bleu", "--sentence-level", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert len(rows) == 42
    assert [float(row["ned.free"]) for row in rows if row["system"] == "copy"] == [0.0] * 14


@pytest.mark.parametrize("suffix", ["parquet", "csv", "tsv", "jsonl", "csv.gz"])
def test_output_holds_every_score(tmp_path, suffix):
    target = tmp_path / f"scores.{suffix}"
    assert call("score", PAIRS, "-m", "bleu", "-m", "rouge2", "-o", target).returncode == 0
    if suffix == "parquet":
        frame = polars.read_parquet(target)
    elif suffix == "jsonl":
        frame = polars.read_ndjson(target)
    else:
        frame = polars.read_csv(target, separator="\t" if suffix == "tsv" else ",")
    assert frame.columns == ["sample", "system", "metric", "score", "reason", "note", "outcome", "findings"]
    assert len(frame) == 42 * 2
    assert os.listdir(tmp_path) == [target.name]


def test_undefined_scores_have_a_reason(tmp_path):
    target = tmp_path / "scores.parquet"
    assert call("score", PAIRS, "-m", "bertscore.free", "-m", "parascore", "-o", target).returncode == 0
    missing = polars.read_parquet(target).filter(polars.col("score").is_null())
    assert missing["reason"].to_list() == ["the candidate is empty"] * 2
    assert missing["sample"].to_list() == ["14", "14"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-m", "blue"], "no metric named 'blue'; did you mean 'bleu'?"),
        (["-m", "parascore:omga=1"], "parascore has no parameter 'omga'; did you mean 'omega'?"),
        (["-m", "parascore:omega=-1"], "omega=-1.0 is out of range; expected from 0"),
        (["-m", "parascore:omega=high"], "omega=high is not of the expected kind, float"),
        (["-m", "bleu:tokenizer=14a"], "tokenizer='14a' is unknown; did you mean '13a'?"),
        (["-m", "bleu.fre"], "no variant '.fre' of 'bleu'"),
        (["-m", "bleu", "--set", "precision=int8"], "none of the metrics has a parameter 'precision'"),
        (["-m", "bertscore", "--set", "precision=int7"], "precision='int7' is unknown"),
        (["-m", "bleu", "-o", "scores.doc"], "suffix '.doc' is of no known format"),
        (["-m", "bleu", "-o", "nowhere/scores.csv"], "there is no folder"),
        (["--no-such-option"], "No such option"),
        (["-s", "x.txt"], "either a table or aligned text files"),
        (["--column", "source"], "expected ours=theirs"),
        (["-m", "bertscore", "--set", "encoder=no-such-model"], "no-such-model"),
        (["-m", "bertscore", "--set", "layer=99"], "layer"),
    ],
)
def test_wrong_calls_are_refused_in_one_sentence(arguments, words):
    assert words in refused("score", PAIRS, *arguments)


def test_a_metric_that_needs_references_says_so_where_there_are_none(tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text("source,candidate\na,b\n")
    sentence = refused("score", file, "-m", "bleu")
    assert "bleu needs references and no row of the input has any; 'bleu.free' compares with the source" in sentence
    found = summary_of(file)
    assert {metric for metric, _ in found} == {
        "meaning",
        "changed",
        "usable",
        "parascore-free",
        "bertscore.free",
        "cosine.free",
        "ned.free",
        "bleu.free",
    }


def test_nothing_to_score():
    assert "nothing to score" in refused("score")


# Python 3.11 would leave a truncated .pyc where files must stay small, and no process could import that module again
UNCOMPILED = {"PYTHONDONTWRITEBYTECODE": "1"}


def test_output_that_cannot_be_written_is_one_sentence(tmp_path):
    def tiny_files_only() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    sentence = refused(
        "score", PAIRS, "-m", "ned", "-o", tmp_path / "scores.csv", preexec_fn=tiny_files_only, environment=UNCOMPILED
    )
    assert "could not write" in sentence
    assert os.listdir(tmp_path) == []


def test_a_run_that_cannot_be_written_keeps_what_was_finished(tmp_path):
    big = tmp_path / "big.csv"
    _write_big(big, 20_000)
    folder = tmp_path / "run"

    def small_files_only() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))  # a part has 50 kB, all of them 170 kB

    result = call("score", big, *LEXICAL[:4], "--run", folder, preexec_fn=small_files_only, environment=UNCOMPILED)
    assert result.returncode == 2
    assert "could not write" in result.stderr
    assert "Traceback" not in result.stderr
    assert json.loads((folder / "run.json").read_text())["status"] == "running"
    assert call("score", big, *LEXICAL[:4], "--run", folder).returncode == 0
    assert json.loads((folder / "run.json").read_text())["status"] == "complete"


def _write_big(path: Path, rows: int) -> None:
    words = ["alpha", "beta", "gamma", "delta", "omega", "pi", "rho", "tau", "phi", "chi"]
    with path.open("w") as stream:
        stream.write("source,candidate,reference\n")
        for row in range(rows):
            text = " ".join(words[(row * step) % 10] for step in (1, 3, 7, 9, 11, 13))
            other = " ".join(words[(row * step + 1) % 10] for step in (1, 3, 7, 9, 11, 13))
            stream.write(f"{text} {row // 3},{other} {row % 7},{text} {other}\n")


def _contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in ("samples.parquet", "scores.parquet", "run.json")}


def test_a_run_folder_holds_one_run(tmp_path):
    assert call("score", PAIRS, "-m", "ned.free", "--run", tmp_path / "run").returncode == 0
    sentence = refused("score", PAIRS, "-m", "ned.free", "-m", "chrf", "--run", tmp_path / "run")
    assert "holds another run (metrics: added chrf)" in sentence
    (tmp_path / "other.csv").write_text("source,candidate\na b,b a\n")
    sentence = refused("score", tmp_path / "other.csv", "-m", "ned.free", "--run", tmp_path / "run")
    assert "holds another run (input: " in sentence


@pytest.mark.thorough  # `tests/faults/test_killed.py` kills one with two workers
def test_a_killed_run_goes_on_and_ends_with_the_same_bytes(tmp_path):
    big = tmp_path / "big.csv"
    _write_big(big, 20_000)  # three parts
    arguments = ["score", big, "-m", "bleu", "-m", "ned.free"]
    assert call(*arguments, "--run", tmp_path / "whole").returncode == 0
    killed = command(*arguments, "--run", tmp_path / "killed")
    with subprocess.Popen(killed, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        parts = tmp_path / "killed" / "parts"
        while not list(parts.glob("*.scores.parquet")):
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "killed" / "scores.parquet").exists()
    assert call(*arguments, "--run", tmp_path / "killed").returncode == 0
    assert _contents(tmp_path / "killed") == _contents(tmp_path / "whole")
    again = call(*arguments, "--run", tmp_path / "killed")
    assert again.returncode == 0
    assert again.stdout == call(*arguments).stdout
    sentence = refused(*arguments, "-m", "chrf", "--run", tmp_path / "killed")
    assert "holds another run (metrics: added chrf)" in sentence
    assert "holds another run (input: " in refused("score", PAIRS, *arguments[2:], "--run", tmp_path / "killed")


def test_ctrl_c_is_130_and_says_so(tmp_path):
    big = tmp_path / "big.csv"
    _write_big(big, 60_000)
    stopped = command("score", big, "-m", "ter", "--run", tmp_path / "run")
    # a shell may have started us in the background, where Ctrl-C is ignored, and a child inherits that
    attended = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(
        stopped, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=attended
    ) as process:
        while not (tmp_path / "run" / "run.json").exists():
            assert process.poll() is None, "it ended before it could be interrupted"
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert output == ""
    assert errors.strip().splitlines()[0] == f"note: finished parts are kept in {tmp_path / 'run'}; rerun to resume"
    assert errors.strip().splitlines()[-1] == "paragauge: interrupted"


def test_a_closed_pipe_is_no_error():
    piped = f"{shlex.join(command('score', PAIRS, '-m', 'ned', '--sentence-level', '-f', 'csv'))} | head -1"
    result = subprocess.run(["bash", "-c", f"set -o pipefail; {piped}"], capture_output=True, text=True, timeout=60)
    assert result.stdout == "sample,system,ned\n"
    assert [line for line in result.stderr.splitlines() if not line.startswith("note: ")] == []


def test_chinese_through_an_english_encoder_is_said(tmp_path):
    file = tmp_path / "zh.jsonl"
    rows = [{"source": "我想知道怎么还款", "candidate": "请问如何还钱", "reference": "还款的方法是什么"}] * 3
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = call("score", file, "-m", "bertscore", "-m", "bleu")
    assert result.returncode == 0
    assert "of the tokens are unknown to all-MiniLM-L6-v2" in result.stderr
    assert "--set encoder=m3e-small" in result.stderr
    found = summary_of(file, "-m", "bleu", "-m", "bleu:tokenizer=zh", "--set", "lang=zh")
    assert float(found["bleu:tokenizer=zh", "candidate"]["mean"]) > 0


def test_no_progress_bar_where_there_is_no_terminal(tmp_path):
    big = tmp_path / "big.csv"
    _write_big(big, 20_000)
    assert call("score", big, "-m", "bleu", "-m", "ter").stderr == ""


def test_a_progress_bar_on_a_terminal(tmp_path):
    big = tmp_path / "big.csv"
    _write_big(big, 20_000)
    terminal, other = pty.openpty()
    shown = b""
    scoring = command("score", big, "-m", "bleu", "--run", tmp_path / "run")
    with subprocess.Popen(scoring, stdout=subprocess.DEVNULL, stderr=other) as process:
        os.close(other)
        while not list((tmp_path / "run" / "parts").glob("*.scores.parquet")):
            assert process.poll() is None, "it ended before it could be held up"
            time.sleep(0.01)
        process.send_signal(signal.SIGSTOP)  # on no machine too fast for the bar, which is shown after a second
        time.sleep(1.1)
        process.send_signal(signal.SIGCONT)
        shown += read_terminal(terminal)
    os.close(terminal)
    assert process.returncode == 0
    assert b"scoring rows" in shown
