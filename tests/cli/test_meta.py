"""`paragauge meta`, `tune` and `data`, the real program in a subprocess."""

import csv
import io
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from paragauge.files.folders import cache_folder
from paragauge.models.hub.fetch import ensure
from paragauge.models.hub.registry import entry_named

from .program import call, refused

HEADER = "source,candidate,reference,system,human,mine\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Twenty sources of four systems; people like what keeps words of the reference."""
    random = np.random.default_rng(3)
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    lines = [HEADER]
    for source in range(20):
        text = " ".join(random.permutation(words))
        for system in range(4):
            kept = [word if random.random() < 0.3 + 0.2 * system else "x" for word in text.split()]
            human = sum(word != "x" for word in kept) / 10 + 0.01 * random.normal()
            lines.append(f"{source} {text},{' '.join(kept)},{text},system {system},{human:.3f},{random.random():.3f}\n")
    file = tmp_path / "rated.csv"
    file.write_text("".join(lines))
    return file


def records(result: subprocess.CompletedProcess[str]) -> dict[str, dict[str, str]]:
    assert result.returncode == 0, result.stderr
    return {row["metric"]: row for row in csv.DictReader(io.StringIO(result.stdout))}


def test_metrics_are_ranked_with_intervals_clusters_and_notes(table):
    result = call("meta", table, "-m", "rouge1", "-m", "source-only", "--score", "mine")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].split()[:2] == ["metric", "pearson"]
    assert lines[2].startswith("rouge1 ")
    assert any(line.startswith("source-only (sentinel)") for line in lines)
    assert "80 rows of 20 sources" in result.stderr
    rows = records(call("meta", table, "-m", "rouge1", "--score", "mine", "-f", "csv", "-q"))
    assert float(rows["rouge1"]["low"]) < float(rows["rouge1"]["pearson"]) < float(rows["rouge1"]["high"])
    assert rows["rouge1"]["cluster"] == "1"
    assert rows["mine"]["cluster"] == "2"


def test_sentinels_stand_in_every_table_unless_left_out(table):
    names = {"source-only", "candidate-only", "length-ratio", "copy-rate"}
    assert names < set(records(call("meta", table, "-m", "rouge1", "-f", "csv")))
    assert names | {"mine", "rouge1"} < set(records(call("meta", table, "--score", "mine", "-f", "csv")))
    assert set(records(call("meta", table, "-m", "rouge1", "--score", "mine", "--no-sentinels", "-f", "csv"))) == {
        "rouge1", "mine",
    }  # fmt: skip
    assert set(records(call("meta", table, "-m", "rouge1", "--no-sentinels", "-f", "csv"))) == {"rouge1"}


def test_the_number_of_sources_behind_the_mean_within_sources_is_told(table):
    result = call("meta", table, "-m", "rouge1", "--no-sentinels")
    assert "note: within source: the mean over 20 of 20 sources, those where both the ratings and" in result.stderr
    assert records(call("meta", table, "-m", "rouge1", "-f", "csv"))["rouge1"]["sources"] == "20"


@pytest.mark.usefixtures("encoder")
def test_the_default_metrics_need_the_default_encoder_only(table, tmp_path):
    cache = tmp_path / "cache"
    (cache / "models").mkdir(parents=True)
    (cache / "models" / "all-MiniLM-L6-v2").symlink_to(ensure(entry_named("default")).absolute())
    (cache / "converted").symlink_to((cache_folder() / "converted").absolute())  # what CTranslate2 reads of it
    rows = records(
        call("meta", table, "-f", "csv", environment={"PARAGAUGE_CACHE": str(cache), "PARAGAUGE_OFFLINE": "1"})
    )
    assert {"parascore", "bertscore.free", "bleu", "ned.free", "source-only"} <= set(rows)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--human", "rating"], "no column 'rating'"),
        (["--part", "train", "-m", "bleu"], "no part named 'train'"),
        (["-m", "bleu", "--set", "lang=xx"], "no language 'xx'; known: aa, ab,"),
        (["-f", "xls"], "no format named 'xls'"),
    ],
)
def test_bad_requests(table, arguments, sentence):
    assert sentence in refused("meta", table, *arguments)


def test_constant_ratings_and_absent_files(tmp_path):
    file = tmp_path / "flat.csv"
    file.write_text("source,candidate,human\na,b,1\nc,d,1\ne,f,1\n")
    assert "all 3 human scores are 1" in refused("meta", file, "-m", "ned.free")
    assert "is neither a file nor a data set" in refused("meta", tmp_path / "none.csv")
    assert "every source has one candidate" in refused(
        "meta", _with(tmp_path, "1\nc,d,2\ne,f,3\n"), "-m", "ned.free", "--level", "source"
    )


def _with(folder: Path, rest: str) -> Path:
    file = folder / "other.csv"
    file.write_text("source,candidate,human\na,b," + rest)
    return file


def test_tune_prints_the_chosen_setting_and_its_honest_score(table):
    result = call("tune", table, "-m", "ibleu", "--grid", "alpha=0.5:1:0.1", "--share", "0.3", "-f", "json")
    assert result.returncode == 0, result.stderr
    before, chosen, gain = json.loads(result.stdout)
    assert before["setting"] == "ibleu"
    assert chosen["setting"].startswith("ibleu:alpha=")
    assert gain["low"] is None  # the same setting, but for its name: nothing to resample
    every = json.loads(call("tune", table, "-m", "ibleu", "--grid", "alpha=0.5,1", "--all", "-f", "json").stdout)
    assert [row["alpha"] for row in every] == [0.5, 1.0]
    assert "expected NAME=VALUES" in refused("tune", table, "--grid", "alpha")


def test_data_sets_are_listed_shown_imported_and_verified(tmp_path, data):
    listed = json.loads(call("data", "list", "-f", "json", "--data", data).stdout)
    assert {row["name"] for row in listed} >= {"twitter-para", "bq-para", "ppdb", "stsb"}
    assert all(row["licence"] and row["citation"] and row["files"] for row in listed)
    assert "sha256 350a3ff4" in call("data", "show", "twitter-para").stdout
    target = tmp_path / "data"
    taken = call("data", "import", "twitter-para", data / "parascore", environment={"PARAGAUGE_DATA": str(target)})
    assert taken.returncode == 0, taken.stderr
    assert "twitter-para: as published" in call("data", "verify", "--data", target).stdout
    (target / "parascore" / "twitter" / "source-reference.pickle").write_bytes(b"changed")
    broken = call("data", "verify", "twitter-para", "--data", target)
    assert broken.returncode == 2
    assert "changed: parascore/twitter/source-reference.pickle" in broken.stdout
    assert "is not the file that was published" in refused("meta", "twitter-para", "--data", target, "-m", "bleu")


def test_a_data_set_that_is_not_here_says_where_to_get_it(tmp_path):
    sentence = refused("meta", "twitter-para", "--data", tmp_path)
    assert "download it from github.com/shadowkiller33/ParaScore" in sentence
    assert "--human is for a file" in refused("meta", "twitter-para", "--human", "x")


@pytest.mark.parametrize(
    ("analysis", "columns", "figures"),
    [
        ("groups", ["distance to", "group", "metric", "pearson"], 2),
        ("cases", ["case", "share of rows", "metric", "pearson"], 0),
        ("copies", ["share of copies", "metric", "pearson", "rank"], 1),
    ],
)
def test_analyses_without_an_encoder(table, tmp_path, analysis, columns, figures):
    options = ["-m", "rouge1", "-m", "ned.free", "--analysis", analysis, "--resamples", "100", "--no-sentinels"]
    result = call("meta", table, *options, "-f", "json", "--figures", tmp_path / "drawn")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert set(columns) <= set(found[0])
    assert {row["metric"] for row in found} == {"rouge1", "ned.free"}
    assert len(list(tmp_path.glob("drawn/*.svg"))) == len(list(tmp_path.glob("drawn/*.png"))) == figures
    wide = call("meta", table, *options, "-f", "markdown")
    assert wide.stdout.startswith("| metric |")


@pytest.mark.usefixtures("encoder")
def test_an_analysis_by_an_encoder_brings_the_metrics_it_is_made_of(table):
    result = call("meta", table, "-m", "rouge1", "--analysis", "decomposition", "-f", "json", "--resamples", "100")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)


def test_the_table_as_a_chart_and_an_unknown_analysis(table, tmp_path):
    result = call("meta", table, "-m", "rouge1", "--score", "mine", "--figures", tmp_path)
    assert result.returncode == 0, result.stderr
    assert f"drawn: {tmp_path / 'correlations.svg'}" in result.stderr
    assert (tmp_path / "correlations.png").read_bytes().startswith(b"\x89PNG")
    assert "no analysis named 'copy'; did you mean 'copies'" in refused("meta", table, "--analysis", "copy")


def test_a_column_of_scores_is_judged_however_many_it_lacks(table):
    lines = table.read_text().splitlines()
    table.write_text(
        "\n".join([lines[0], *(line.rpartition(",")[0] + "," for line in lines[1:30]), *lines[30:]]) + "\n"
    )
    result = call("meta", table, "--score", "mine", "-f", "csv")
    found = records(result)
    assert {"mine", "bleu", "ned.free"} <= found.keys()  # it is judged next to the metrics, not in place of them
    assert "29 rows left out" in result.stderr


def test_notes_say_which_scores_are_negated_and_what_is_constant(table):
    notes = call("meta", table, "-m", "ned").stderr
    assert "less is better for ned, copy-rate: judged by the negated score" in notes
    assert "length-ratio: its score is 1 for every row" not in notes
    copies = table.with_name("copies.csv")
    copies.write_text("source,candidate,human\n" + "".join(f"text {row},text {row},{row}\n" for row in range(5)))
    assert "copy-rate: its score is 1 for every row" in call("meta", copies, "-m", "ned.free").stderr


def test_one_source_has_no_interval_and_says_why(tmp_path):
    file = tmp_path / "one.csv"
    file.write_text("source,candidate,human\n" + "".join(f"a b c,{'a ' * row}b,{row % 3}\n" for row in range(1, 7)))
    result = call("meta", file, "-m", "ned.free")
    assert result.returncode == 0
    assert "6 rows of 1 source (" in result.stderr
    assert "no intervals and no bootstrap" in result.stderr


@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_ratings_of_any_size_leave_no_warning(table, factor):
    rows = table.read_text().splitlines()
    scaled = [line.split(",") for line in rows[1:]]
    for cells in scaled:
        cells[4] = str(float(cells[4]) * factor)
    plain = call("meta", table, "-m", "rouge1", "-f", "csv")
    table.write_text("\n".join([rows[0], *map(",".join, scaled)]) + "\n")
    result = call("meta", table, "-m", "rouge1", "-f", "csv")
    assert float(records(result)["rouge1"]["pearson"]) == pytest.approx(float(records(plain)["rouge1"]["pearson"]))
    assert result.stderr == plain.stderr


def test_beside_a_level_the_other_correlations_are_called_pooled(table):
    header = call("meta", table, "-m", "rouge1", "--level", "source", "-q").stdout.splitlines()[0]
    assert "pooled pearson" in header
    assert "within source" not in header


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--analysis", "groups", "--level", "source"], "--level is for --analysis correlations"),
        (["--analysis", "copies", "--score", "mine"], "the column 'mine' has no scores of these"),
        (["--statistic", "accuracy"], "no statistic named 'accuracy'"),
        (["--figures", __file__], "it is a file; expected a folder"),
    ],
)
def test_what_would_be_passed_over_is_refused(table, arguments, sentence):
    assert sentence in refused("meta", table, "-m", "rouge1", *arguments)


@pytest.mark.parametrize("analysis", ["groups", "cases", "copies"])
def test_analyses_of_nothing_are_refused(tmp_path, analysis):
    flat = tmp_path / "flat.csv"
    flat.write_text("source,candidate,reference,human\n" + "a,b,c,1\n" * 4)
    assert "all 4 human scores are 1" in refused("meta", flat, "-m", "ned.free", "--analysis", analysis)
    free = _with(tmp_path, "1\nc,d,2\ne,f,3\n")
    assert "no row of the input has references" in refused("meta", free, "-m", "ned.free", "--analysis", "cases")


def test_a_copy_is_rated_by_the_end_of_the_scale(table):
    lines = [line.split(",") for line in table.read_text().splitlines()]
    for cells in lines[1:]:
        cells[4] = str(1 + 4 * float(cells[4]))
    least = min(float(cells[4]) for cells in lines[1:])
    table.write_text("\n".join(map(",".join, lines)) + "\n")
    notes = call("meta", table, "-m", "rouge1", "--analysis", "copies").stderr
    assert f"copies of their source, rated {least:g};" in notes


def test_a_missing_judgment_is_counted_in_an_analysis(table):
    lines = table.read_text().splitlines()
    lines[1:4] = [",".join([*line.split(",")[:4], "", "1"]) for line in lines[1:4]]
    table.write_text("\n".join(lines) + "\n")
    assert "left out, without a human score: 3" in call("meta", table, "-m", "rouge1", "--analysis", "cases").stderr


def test_a_name_near_that_of_a_data_set_is_proposed():
    assert "did you mean 'twitter-para'?" in refused("meta", "twitter-par")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--seed", "-1"], "-1 is not in the range x>=0"),
        (["--split", "published", "--share", "2", "--grid", "alpha=1,0.5"], "expected a share between 0 and 1"),
        (["--grid", "alpha=1", "--grid", "alpha=0.5"], "--grid names alpha twice"),
    ],
)
def test_tune_refuses(table, arguments, sentence):
    assert sentence in refused("tune", table, "-m", "ibleu", *arguments)


def test_tune_says_what_it_left_out_and_when_nothing_tried_is_better(table):
    lines = table.read_text().splitlines()
    lines[1] = ",".join([*lines[1].split(",")[:4], "", "1"])
    table.write_text("\n".join(lines) + "\n")
    result = call("tune", table, "-m", "ibleu", "--grid", "alpha=0", "--share", "0.5", "-f", "csv")
    assert result.stdout.splitlines()[0] == "which,setting,dev,test,low,high,dev rows,test rows"
    assert "1 rows left out, without a human score" in result.stderr
    assert "rows are few for choosing a setting" in result.stderr
    assert "no setting that was tried agrees better with people on the dev part" in result.stderr


def test_tune_leaves_a_published_part_as_it_is(data):
    sentence = refused("tune", "twitter-para", "--data", data, "--split", "published", "--share", "0.5")
    assert "the published dev part of twitter-para is fixed" in sentence


def test_a_data_set_cannot_be_put_where_a_file_is(tmp_path, data):
    (tmp_path / "file").touch()
    sentence = refused("data", "import", "twitter-para", data / "parascore", "--data", tmp_path / "file")
    assert "cannot put parascore/twitter/source-candidate.pickle into" in sentence


def test_an_empty_part_and_a_human_column_named_the_wrong_way(tmp_path):
    file = _with(tmp_path, "1\nc,d,2\ne,f,3\n")
    assert "the dev part of 3 rows is empty; --part all" in refused("meta", file, "--part", "dev", "-m", "ned.free")
    assert "is named with --human rating" in refused("meta", file, "--column", "human=rating")
