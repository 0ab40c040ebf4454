"""`paragauge references`, the real program in a subprocess."""

import csv
import io
import json
import os
import shutil
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from . import program

call = partial(program.call, "references")
refused = partial(program.refused, "references")
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "tree", "now", "then"]
SYSTEMS = 6
SEGMENTS = 12


def rows_of(*arguments: object) -> list[dict[str, str]]:
    result = call(*arguments, "-f", "csv")
    assert result.returncode == 0, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two language pairs of six systems, each worse than the one before; people agree, but for noise."""
    place = tmp_path_factory.mktemp("wmt")
    random = np.random.default_rng(0)
    for name in ("references", "extra", "darr"):
        (place / name).mkdir()
    assessments = ["LP HUMAN SYSTEM"]
    for pair in ("de-en", "fi-en"):
        short = pair.replace("-", "")
        outputs = place / "system-outputs" / pair
        outputs.mkdir(parents=True)
        lines = [[str(word) for word in random.choice(WORDS, 9)] for _ in range(SEGMENTS)]
        write(place / "references" / f"news-{short}-ref.en", lines)
        for number in (1, 2):
            write(place / "extra" / f"{short}-{number}.en", [changed(line, 0.4, random) for line in lines])
        rankings = []
        for system in range(SYSTEMS):
            write(outputs / f"news.s{system}.{pair}", [changed(line, 0.1 + 0.12 * system, random) for line in lines])
            assessments.append(f"{pair} {-system + random.normal():.3f} s{system}")
            rankings += [
                f"{pair} news {segment} s{system} s{other}"
                for segment in range(1, SEGMENTS + 1)
                for other in range(system + 1, SYSTEMS)
            ]
        if pair == "de-en":
            (place / "darr" / "de-en.tsv").write_text("\n".join(rankings) + "\n")
    (place / "DA-syslevel.csv").write_text("\n".join(assessments) + "\n")
    return place


def write(path: Path, lines: list[list[str]]) -> None:
    path.write_text("".join(" ".join(line) + "\n" for line in lines))


def changed(line: list[str], share: float, random: np.random.Generator) -> list[str]:
    return [str(random.choice(WORDS)) if random.random() < share else word for word in line]


def task(folder: Path, extras: int = 2) -> list[object]:
    return [
        "--outputs", folder / "system-outputs" / "de-en", "--reference", folder / "references" / "news-deen-ref.en",
        *(part for number in range(1, extras + 1) for part in ("--extra", folder / "extra" / f"deen-{number}.en")),
    ]  # fmt: skip


def test_systems_with_one_reference_and_with_more(folder):
    rows = rows_of("score", *task(folder), "-n", 0, "-n", 1, "-n", 2)
    assert list(rows[0]) == ["system", "bleu", "bleu +1", "bleu +2"]
    assert sorted(row["system"] for row in rows) == [f"s{place}" for place in range(SYSTEMS)]
    values = np.array([[float(row[name]) for name in ("bleu", "bleu +1", "bleu +2")] for row in rows])
    assert (np.diff(values[:, 2]) <= 0).all()  # best first
    assert (np.diff(values, axis=1) >= 0).all()  # a longer list of equally long references can only match more
    result = call("score", *task(folder), "-m", "ter")
    assert result.stdout.splitlines()[0].split() == ["system", "ter", "ter", "+2"]
    assert "nrefs:3" in result.stdout
    first = float(result.stdout.splitlines()[2].split()[-1])
    assert first == min(float(line.split()[-1]) for line in result.stdout.splitlines()[2 : 2 + SYSTEMS])


def test_gains_by_direct_assessment(folder):
    rows = rows_of("evaluate", folder, "--extra-dir", folder / "extra", "-n", 1, "-n", 2, "--resamples", 50)
    assert [(row["pair"], row["extras"]) for row in rows] == [(p, n) for p in ("de-en", "fi-en") for n in ("1", "2")]
    for row in rows:
        assert float(row["gain"]) == pytest.approx(float(row["r with extras"]) - float(row["r"]))
        assert float(row["low"]) <= float(row["high"])
        assert 0 < float(row["p"]) < 1
        assert row["systems"] == str(SYSTEMS)
    result = call("evaluate", folder, "--extra-dir", folder / "extra")
    lines = result.stdout.splitlines()
    assert any(line.startswith("references") and "least gain" in line and "most gain" in line for line in lines)
    assert any("nrefs:3" in line for line in lines)


def test_the_summary_is_of_the_rows(folder):
    options = ["evaluate", folder, "--extra-dir", folder / "extra", "--resamples", 50]
    gains = [float(row["gain"]) for row in rows_of(*options)]
    (row,) = rows_of(*options, "--summary")
    found = [float(row[f"{what} gain"]) for what in ("mean", "least", "most")]
    assert found == pytest.approx([sum(gains) / 2, min(gains), max(gains)])
    assert row["pairs"] == "2"
    assert "a summary needs at least two language pairs" in refused(*options, "--summary", "--pair", "de-en")


def test_gains_by_rankings_leave_out_what_is_not_ranked(folder):
    result = call("evaluate", folder, "--extra-dir", folder / "extra", "--human", "darr")
    assert result.returncode == 0, result.stderr
    assert "fi-en is left out: there are no human judgments of it (darr)" in result.stdout
    (row,) = rows_of("evaluate", folder, "--extra-dir", folder / "extra", "--human", "darr", "--pair", "de-en")
    assert int(row["rankings"]) == SEGMENTS * SYSTEMS * (SYSTEMS - 1) // 2
    change = float(row["improved"]) - float(row["degraded"])
    assert float(row["gain"]) == pytest.approx(2 * change)


def test_gains_by_scores_of_segments(folder, tmp_path):
    path = tmp_path / "de-en.seg.score"
    random = np.random.default_rng(1)
    path.write_text(
        "".join(f"s{system}\t{-system + random.normal():.3f}\n" for system in range(SYSTEMS) for _ in range(SEGMENTS))
    )
    options = ["--extra-dir", folder / "extra", "--human", path]
    (row,) = rows_of("evaluate", folder, *options, "--pair", "de-en")
    for name in ("SPA", "SPA with extras", "acc_eq", "acc_eq with extras"):
        assert 0.4 < float(row[name]) <= 1
    assert "is of one language pair; name it with --pair" in refused("evaluate", folder, *options)


def test_several_sets_of_references_and_their_diversity(folder, tmp_path):
    copies = tmp_path / "copies"
    copies.mkdir()
    for pair in ("deen", "fien"):
        for number in (1, 2):
            (copies / f"{pair}-{number}.en").write_text((folder / "references" / f"news-{pair}-ref.en").read_text())
    result = call("evaluate", folder, "--extra-dir", folder / "extra", "--extra-dir", copies)
    assert "diversity and gain over 4 rows: Spearman's ρ" in result.stdout
    rows = rows_of("evaluate", folder, "--extra-dir", copies)
    assert {row["gain"] for row in rows} == {"0.0"}
    assert {row["why"] for row in rows} == {"both give every system the same score"}
    assert {row["p"] for row in rows} == {""}


def test_files_that_follow_an_option_belong_to_it_as_a_shell_spreads_them(folder, tmp_path):
    extras = sorted((folder / "extra").glob("deen-*.en"))
    listed = rows_of("score", *task(folder, 0), "--extra", *extras, "-q")
    assert listed == rows_of("score", *task(folder, 2), "-q")
    assert "bleu +2" in listed[0]
    assert "--extra' requires an argument" in refused("score", *task(folder, 0), "--extra")
    parses = []
    for extra in extras:
        parses.append(tmp_path / f"{extra.name}.parse")
        parses[-1].write_text("".join(f"(S (A {line}))\n" for line in extra.read_text().splitlines()))
    rows = rows_of("diversity", *extras, "--parses", *parses)
    assert [row["by"] for row in rows] == ["words", "trees, words removed", "trees, words blank"]


def test_coverage(folder):
    shares = rows_of("coverage", *task(folder))
    assert [row["n"] for row in shares] == ["1", "2", "3", "4"]
    assert all(float(row["by the reference"]) <= float(row["with the extras"]) for row in shares)
    gained = json.loads(call("coverage", *task(folder), "--show", "gained", "--top", 2, "-f", "json").stdout)
    assert [row["n"] for row in gained] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert gained[0]["occurrences"] >= gained[1]["occurrences"]
    assert rows_of("coverage", *task(folder), "--show", "missing", "--top", 1)[0]["segments"] != "0"
    assert "give at least one file with --extra" in refused("coverage", *task(folder, 0), "--show", "gained")


def test_unrewarded(folder, tmp_path):
    scores = tmp_path / "da.sys.score"
    scores.write_text("".join(f"s{system}\t{-system}\n" for system in range(SYSTEMS)))
    options = ["--show", "unrewarded", "--share", 0.6]
    rows = rows_of("coverage", *task(folder, 0), *options, "--human", scores)
    assert rows
    assert {row["systems"] for row in rows} <= {"2", "3"}  # of the better three
    folds = rows_of("coverage", *task(folder, 0), *options, "--human", scores, "--folds", 3)
    assert {len(row["scored"].split()) for row in folds} <= {2}
    assert rows_of("coverage", *task(folder, 0), *options)  # the better half by BLEU


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "nowhere", "--extra-dir", "."], "no WMT data in"),
        (["evaluate", "FOLDER", "--extra-dir", "FOLDER/extra", "--human", "mqm"], "expected da, darr, or a file"),
        (["evaluate", "FOLDER", "--extra-dir", "FOLDER/extra", "--pair", "de-fr"], "has no file for de-fr"),
        (["evaluate", "FOLDER", "--extra-dir", "FOLDER"], "nothing to evaluate: "),
        (
            ["evaluate", "FOLDER", "--extra-dir", "FOLDER/extra", "-n", "9"],
            " 9 extra references requested; de-en has from 0 to 2",
        ),
        (["diversity", "FOLDER/extra/deen-1.en", "FOLDER/DA-syslevel.csv"], "DA-syslevel.csv has 13; line n of each"),
        (["evaluate", "FOLDER", "--extra-dir", "FOLDER/extra", "-m", "blue"], "did you mean 'bleu'"),
        (["evaluate", "FOLDER", "--extra-dir", "FOLDER/extra", "-f", "xml"], "no format named 'xml'"),
        (["score", "--outputs", "FOLDER", "--reference", "FOLDER/nothing"], "no such file"),
        (["score", "--outputs", "FOLDER"], "Missing option '--reference'"),
    ],
)
def test_what_is_refused(folder, arguments, message):
    environment = {name: value for name, value in os.environ.items() if name != "PARAGAUGE_DATA"}
    assert message in refused(*(part.replace("FOLDER", str(folder)) for part in arguments), env=environment)


def test_the_published_gain_through_the_program(data):
    folder = data / "wmt19"
    if not folder.is_dir():
        pytest.skip(f"needs newstest2019: there is no {folder}")
    options = ["--extra-dir", folder / "human-paraphrases", "--pair", "de-en", "--first", 500, "--resamples", 20]
    (row,) = rows_of("evaluate", folder, *options)
    assert (f"{float(row['r']):.3f}", f"{float(row['r with extras']):.3f}") == ("0.895", "0.948")
    (row,) = rows_of("evaluate", folder, *options, "--human", "darr")
    assert (f"{float(row['τ']):.3f}", f"{float(row['τ with extras']):.3f}") == ("0.026", "0.063")
    assert "--first 500 compares the first 500 lines" in refused("evaluate", folder, *options[:4])


def test_the_summary_counts_the_pairs_that_it_is_of(folder, tmp_path):
    place = tmp_path / "wmt"
    shutil.copytree(folder, place)
    lines = (place / "DA-syslevel.csv").read_text().splitlines()
    (place / "DA-syslevel.csv").write_text("\n".join(line for line in lines if line[:5] != "fi-en") + "\nfi-en 1 s0\n")
    options = ["evaluate", place, "--extra-dir", place / "extra", "--resamples", 50]
    rows = rows_of(*options)
    assert [row["why"] for row in rows] == ["", "people judged 1 of the systems with outputs; a correlation needs 3"]
    (summary,) = rows_of(*options, "--summary")
    assert summary["pairs"] == "1"
    assert float(summary["mean gain"]) == pytest.approx(float(rows[0]["gain"]))


def test_every_metric_that_was_asked_for_has_its_columns(folder: Path) -> None:
    files = [
        "--outputs",
        folder / "system-outputs" / "de-en",
        "--reference",
        folder / "references" / "news-deen-ref.en",
    ]
    specs = ["-m", "bleu", "-m", "chrf", "-m", "chrf:beta=3"]
    found = rows_of("score", *files, "--extra", folder / "extra" / "deen-1.en", *specs)
    names = ["bleu", "bleu +1", "chrf", "chrf +1", "chrf:beta=3", "chrf:beta=3 +1"]
    assert list(found[0]) == ["system", *names]
    assert all(row[name] for row in found for name in names)


def test_a_report_has_gains_diversity_and_coverage(folder, tmp_path):
    result = call("evaluate", folder, "--extra-dir", folder / "extra", "-n", 1, "-n", 2, "--resamples", 50,
                  "--report", tmp_path / "report.html")  # fmt: skip
    assert result.returncode == 0, result.stderr
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    for part in (
        "With additional references bleu agrees better with people in",
        "Gains by language pair",
        "Diversity and gain",
        "extra fi-en",
        "paragauge references evaluate",
    ):
        assert part in text
