"""`paragauge score`, the real program in a subprocess."""

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

import pytest

from ..faults.program import write_table
from .program import call, command, read_terminal, refused

ROOT = Path(__file__).parents[2]
PAIRS = ROOT / "examples" / "pairs.csv"
LEXICAL = ["-m", "bleu", "-m", "ned.free", "-m", "rougeL", "-m", "chrf", "-m", "ter"]


def summary_of(*arguments: object, **options: object) -> dict[tuple[str, str], dict[str, str]]:
    result = call("score", *arguments, "-f", "csv", **options)
    assert result.returncode == 0, result.stderr
    return {(row["metric"], row["system"]): row for row in csv.DictReader(io.StringIO(result.stdout))}


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


def test_digits_and_quiet():
    result = call("score", PAIRS, "-m", "ned.free", "-w", "5", "-q")
    assert "0.16214 to 0.28118" in result.stdout
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


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-m", "bleu:tokenizer=14a"], "tokenizer='14a' is unknown; did you mean '13a'?"),
        (["-m", "bleu", "--set", "precision=int8"], "none of the metrics has a parameter 'precision'"),
        (["-m", "bertscore", "--set", "precision=int7"], "precision='int7' is unknown"),
        (["-m", "bleu", "-o", "nowhere/scores.csv"], "there is no folder"),
        (["-m", "bertscore", "--set", "layer=99"], "layer"),
    ],
)
def test_wrong_calls_are_refused_in_one_sentence(arguments, words):
    assert words in refused("score", PAIRS, *arguments)


def test_without_references_the_default_metrics_need_none(tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text("source,candidate\na,b\n")
    found = summary_of(file)
    names = "meaning changed usable parascore-free bertscore.free cosine.free ned.free bleu.free"
    assert {metric for metric, _ in found} == set(names.split())


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
    write_table(big, 20_000)
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


def test_a_run_folder_holds_one_run(tmp_path):
    assert call("score", PAIRS, "-m", "ned.free", "--run", tmp_path / "run").returncode == 0
    sentence = refused("score", PAIRS, "-m", "ned.free", "-m", "chrf", "--run", tmp_path / "run")
    assert "holds another run (metrics: added chrf)" in sentence
    (tmp_path / "other.csv").write_text("source,candidate\na b,b a\n")
    sentence = refused("score", tmp_path / "other.csv", "-m", "ned.free", "--run", tmp_path / "run")
    assert "holds another run (input: " in sentence


def test_ctrl_c_is_130_and_says_so(tmp_path):
    big = tmp_path / "big.csv"
    write_table(big, 60_000)
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
    write_table(big, 20_000)
    assert call("score", big, "-m", "bleu", "-m", "ter").stderr == ""


def test_a_progress_bar_on_a_terminal(tmp_path):
    big = tmp_path / "big.csv"
    write_table(big, 20_000)
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
