"""Scores that are kept: by `score` with a run or an output, and read again by `open_run`."""

import polars
import pytest

import paragauge as pg
from paragauge.errors import InputError

ROWS = [
    {"id": str(row), "source": f"a b {row}", "candidate": f"a c {row}" if row % 2 else "", "system": "one"}
    for row in range(6)
]
METRICS = ["ned.free", "chrf.free"]


@pytest.mark.parametrize("given", ["path", "rows", "samples"])
def test_a_run_has_what_scoring_in_memory_gives(tmp_path, given):
    polars.DataFrame(ROWS).write_csv(tmp_path / "pairs.csv")
    table = {"path": tmp_path / "pairs.csv", "rows": ROWS, "samples": pg.read(ROWS)}[given]
    whole = pg.score(ROWS, metrics=METRICS)
    run = pg.score(table, metrics=METRICS, run=tmp_path / "run", workers=1)
    again = pg.open_run(tmp_path / "run")
    for found in (run, again):
        assert found.folder == tmp_path / "run"
        assert [row._asdict() for row in found.summary] == whole.summary().to_dicts()
        for metric in METRICS:
            assert found.scores[metric].tolist() == pytest.approx(whole[metric].tolist(), nan_ok=True)
        assert found.verdict is None
        assert set(found.signatures) == set(METRICS)
    assert pg.compare(run, whole).systems  # a run is compared like its folder


def test_an_output_alone_keeps_the_scores_and_gives_the_summary(tmp_path):
    run = pg.score(ROWS, metrics=["ned.free"], output=tmp_path / "scores.csv")
    assert polars.read_csv(tmp_path / "scores.csv").height == len(ROWS)
    assert run.summary[0].rows == len(ROWS)
    assert repr(run) == "Run('not kept', 6 rows)"
    with pytest.raises(InputError, match="not kept in a folder; give run"):
        _ = run.scores
    with pytest.raises(InputError, match="expected run or output too"):
        pg.score(ROWS, metrics=["ned.free"], workers=2)


def test_the_verdict_of_a_run_is_that_of_judge(judged_run):
    found = pg.open_run(judged_run)
    assert found.verdict is not None
    assert {one.system for one in found.verdict.systems} == {row.system for row in found.summary}
    with pytest.raises(InputError, match="is not a run folder"):
        pg.open_run(judged_run / "nowhere")


def test_a_file_is_paraphrased_like_a_list(tmp_path):
    (tmp_path / "texts.txt").write_text("a warm day\n\n")
    listed = pg.paraphrase(["a warm day", ""], "wordswap-1", 1)
    kept = pg.paraphrase(tmp_path / "texts.txt", "wordswap-1", 1, output=tmp_path / "out.jsonl")
    assert kept.sources == 2
    rows = polars.read_ndjson(tmp_path / "out.jsonl")["candidate"].to_list()
    assert rows == [one[0].text if one else None for one in listed]
    with pytest.raises(InputError, match="for the path of a text file or table"):
        pg.paraphrase(["a warm day"], "wordswap-1", output=tmp_path / "other.jsonl")
