"""`paragauge report`, and `--report` of other commands."""

import json
from pathlib import Path

import polars
import pytest

from .program import call, refused

PAIRS = Path(__file__).parents[2] / "examples" / "pairs.csv"
METRICS = ("-m", "chrf.free", "-m", "ned.free")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    result = call("score", PAIRS, *METRICS, "--run", folder / "run", "--report", folder / "report.html")
    assert result.returncode == 0, result.stderr
    assert result.stderr.splitlines()[-1] == f"report: {folder / 'report.html'}"
    return folder


def test_score_writes_a_report_that_names_its_command(made):
    text = (made / "report.html").read_text(encoding="utf-8")
    assert "By chrf.free, copy is first" in text
    assert f"paragauge score {PAIRS} -m chrf.free" in text


def test_the_report_of_a_run_is_that_of_scoring_it(made):
    result = call("report", made / "run", "-o", made / "again.html")
    assert result.returncode == 0, result.stderr
    assert (made / "again.html").read_bytes() == (made / "report.html").read_bytes()


def test_without_a_run_folder_nothing_else_is_left(tmp_path):
    result = call("score", PAIRS, *METRICS, "--report", tmp_path / "report.html", "-q")
    assert result.returncode == 0, result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
    assert "<title>Paraphrases: pairs</title>" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_data_come_out_again(made, tmp_path):
    assert call("export", made / "report.html", "-o", tmp_path / "scores.jsonl").returncode == 0
    found = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text(encoding="utf-8").splitlines()]
    expected = polars.read_parquet(made / "run" / "scores.parquet").drop("counts").to_dicts()
    assert found == expected
    texts = tmp_path / "texts.csv"
    assert call("export", made / "report.html", "--table", "samples", "-o", texts).returncode == 0
    assert call("score", texts, "-m", "ned.free", "-q").stdout == call("score", PAIRS, "-m", "ned.free", "-q").stdout


def test_what_cannot_be_written_is_refused_before_scoring(made, tmp_path):
    told = refused("score", PAIRS, *METRICS, "--report", made / "report.html", "--run", tmp_path / "run")
    assert told == f"paragauge: {made / 'report.html'} already exists; --overwrite replaces it"
    assert not (tmp_path / "run").exists()
    assert "suffix" in refused("score", PAIRS, *METRICS, "--report", tmp_path / "report.txt")
    assert "is not a run folder" in refused("report", tmp_path / "nowhere", "-o", tmp_path / "report.html")


def test_meta_has_standings_and_analyses(tmp_path):
    rated = polars.read_csv(PAIRS).with_row_index().with_columns((polars.col("index") % 7).alias("human"))
    rated.write_csv(tmp_path / "rated.csv")
    result = call("meta", tmp_path / "rated.csv", "-m", "chrf", "-m", "ned.free", "--report", tmp_path / "meta.html")
    assert result.returncode == 0, result.stderr
    text = (tmp_path / "meta.html").read_text(encoding="utf-8")
    for part in (
        "agrees best with people",
        "Metrics by agreement",
        "By distance",
        "When candidates are copies",
        "paragauge meta ",
        "chrf|",
    ):
        assert part in text
    assert call("export", tmp_path / "meta.html", "--table", "standings", "-o", tmp_path / "s.csv").returncode == 0
    assert "chrf" in polars.read_csv(tmp_path / "s.csv")["metric"].to_list()
    assert "known: copies" in refused("export", tmp_path / "meta.html", "-o", tmp_path / "t.csv")
