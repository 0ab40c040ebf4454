"""Files of sources to files of paraphrases: resumed to the same bytes, by every engine, filtered on the way."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import paragauge as pg
from paragauge.errors import InputError, ParagaugeError
from paragauge.files.rows import read_rows
from paragauge.paraphraser import Candidate, Paraphraser, parameter
from paragauge.select.paraphrase import paraphrase_file

LINES = ["one two three four", "", "five six seven", "eight nine ten eleven twelve", "a", "b c", "d e f"]


@dataclass(frozen=True, kw_only=True)
class Turning(Paraphraser):
    """The words of the source, turned by one place after the other; fails at a word, if it is told to."""

    name: ClassVar[str] = "turning"
    title: ClassVar[str] = "Turning"
    citation: ClassVar[str] = "none"
    batch: ClassVar[int] = 2

    log: str = parameter("", "a file to which every source is written when it is asked for")
    counts: str = parameter("", "a file to which the number of candidates that are asked for is written")
    trouble: str = parameter("", "a file: as long as it is there, a source with the word in it fails")

    def propose(self, sources, n):
        for source in sources:
            for path, said in ((self.log, source), (self.counts, n)):
                if path:
                    with Path(path).open("a") as file:
                        file.write(f"{said}\n")
            if self.trouble and Path(self.trouble).exists() and Path(self.trouble).read_text() in source.split():
                raise ParagaugeError("trouble")
            words = source.split()
            yield [
                Candidate(" ".join([*words[cut:], *words[:cut]]), -float(cut), {"cut": cut})
                for cut in range(1, min(n, len(words) - 1) + 1)
            ]

    def details(self):
        return {"log": "", "counts": "", "trouble": ""}


@pytest.fixture
def lines(tmp_path):
    (tmp_path / "sources.txt").write_text("\n".join(LINES) + "\n")
    return tmp_path / "sources.txt"


def test_a_row_per_candidate_and_a_reason_for_none(lines, tmp_path):
    found = paraphrase_file(lines, Turning(), 2, output=tmp_path / "out.jsonl")
    rows = read_rows(tmp_path / "out.jsonl")
    assert [(row["id"], row["source"], row["candidate"], row["score"]) for row in rows] == [
        ("1.1", LINES[0], "two three four one", -1.0),
        ("1.2", LINES[0], "three four one two", -2.0),
        ("2.1", "", None, None),
        ("3.1", LINES[2], "six seven five", -1.0),
        ("3.2", LINES[2], "seven five six", -2.0),
        ("4.1", LINES[3], "nine ten eleven twelve eight", -1.0),
        ("4.2", LINES[3], "ten eleven twelve eight nine", -2.0),
        ("5.1", "a", None, None),
        ("6.1", "b c", "c b", -1.0),
        ("7.1", "d e f", "e f d", -1.0),
        ("7.2", "d e f", "f d e", -2.0),
    ]
    assert rows[2]["reason"] == "the source is empty"
    assert rows[0]["provenance"] == {"cut": 1}
    assert {row["system"] for row in rows} == {"turning"}
    assert (found.sources, found.candidates) == (7, 9)
    assert found.empty == {"the source is empty": 1, "nothing was generated": 1}
    assert not (tmp_path / "out.jsonl.parts").exists()
    scores = pg.score(tmp_path / "out.jsonl", metrics=["ned.free"])
    assert len(scores) == 11


def test_an_interrupted_run_resumes_to_the_same_bytes(lines, tmp_path):
    whole, part, log, trouble = (tmp_path / name for name in ("whole.jsonl", "part.jsonl", "log", "trouble"))
    method = Turning(log=str(log), trouble=str(trouble))
    paraphrase_file(lines, method, 2, output=whole)
    trouble.write_text("eight")
    with pytest.raises(ParagaugeError, match="sources 3 to 4 failed: trouble; 3 other parts are finished"):
        paraphrase_file(lines, method, 2, output=part)
    assert not part.exists()
    assert sorted(path.name for path in (tmp_path / "part.jsonl.parts").glob("*.jsonl")) == [
        "000000.jsonl", "000002.jsonl", "000003.jsonl",
    ]  # fmt: skip
    trouble.unlink()
    log.unlink()
    paraphrase_file(lines, method, 2, output=part)
    assert part.read_bytes() == whole.read_bytes()
    assert log.read_text().splitlines() == LINES[2:4]  # nothing else was asked for again


def test_a_damaged_part_is_made_again(lines, tmp_path):
    whole, part, trouble = tmp_path / "whole.jsonl", tmp_path / "part.jsonl", tmp_path / "trouble"
    paraphrase_file(lines, Turning(trouble=str(trouble)), 2, output=whole)
    trouble.write_text("eight")
    with pytest.raises(ParagaugeError):
        paraphrase_file(lines, Turning(trouble=str(trouble)), 2, output=part)
    (tmp_path / "part.jsonl.parts" / "000000.jsonl").write_text("{}\n")
    trouble.unlink()
    paraphrase_file(lines, Turning(trouble=str(trouble)), 2, output=part)
    assert part.read_bytes() == whole.read_bytes()


def test_parts_of_another_call_are_refused(lines, tmp_path):
    trouble = tmp_path / "trouble"
    trouble.write_text("eight")
    method = Turning(trouble=str(trouble))
    with pytest.raises(ParagaugeError):
        paraphrase_file(lines, method, 2, output=tmp_path / "out.jsonl")
    with pytest.raises(InputError, match=r"holds another run \(n: 2, now 3\);"):
        paraphrase_file(lines, method, 3, output=tmp_path / "out.jsonl")
    lines.write_text("other\n")
    with pytest.raises(InputError, match=r"another run .*input"):
        paraphrase_file(lines, method, 2, output=tmp_path / "out.jsonl")


def test_a_budget_is_named_as_a_difference_only_where_it_was_given(lines, tmp_path):
    trouble = tmp_path / "trouble"
    trouble.write_text("eight")
    method, options = Turning(trouble=str(trouble)), {"where": "score < 0", "output": tmp_path / "out.jsonl"}
    with pytest.raises(ParagaugeError):
        paraphrase_file(lines, method, 2, **options)
    with pytest.raises(InputError, match=r"another run \(n: 2, now 3\);"):
        paraphrase_file(lines, method, 3, **options)
    with pytest.raises(InputError, match=r"another run \(budget: null, now 9\);"):
        paraphrase_file(lines, method, 2, budget=9, **options)
    with pytest.raises(ParagaugeError, match="trouble"):  # the default, said
        paraphrase_file(lines, method, 2, budget=8, **options)


def test_where_the_first_parts_fail_alike_the_others_are_not_tried(lines, tmp_path):
    log, trouble = tmp_path / "log", tmp_path / "trouble"
    lines.write_text("eight one\n" * 20)
    trouble.write_text("eight")
    with pytest.raises(ParagaugeError, match=r"^trouble$"):
        paraphrase_file(lines, Turning(log=str(log), trouble=str(trouble)), 2)
    assert len(log.read_text().splitlines()) == 2


def test_a_folder_of_other_files_is_left_alone(lines, tmp_path):
    (tmp_path / "out.jsonl.parts").mkdir()
    (tmp_path / "out.jsonl.parts" / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match="contains other files"):
        paraphrase_file(lines, Turning(), 2, output=tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl.parts" / "thesis.tex").read_text() == "mine"


def test_several_processes_give_the_same_bytes(tmp_path):
    """By a method of the package: a process that is started anew does not know this file."""
    text = tmp_path / "plain.txt"
    text.write_text("".join(f"The boy number {number} was running.\n" for number in range(2100)))
    pytest.importorskip("nltk")
    try:
        one = paraphrase_file(text, "wordnet-swap", 2, output=tmp_path / "one.jsonl")
    except ParagaugeError as error:
        pytest.skip(f"needs WordNet: {error}")
    paraphrase_file(text, "wordnet-swap", 2, output=tmp_path / "two.jsonl", workers=2)
    assert one.candidates > 2000
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.tsv", "out.jsonl.gz"])
def test_other_formats_have_the_same_rows(name, lines, tmp_path):
    paraphrase_file(lines, Turning(), 2, output=tmp_path / name)
    rows = read_rows(tmp_path / name)
    assert len(rows) == 11
    assert [row["candidate"] or "" for row in rows][2:4] == ["", "six seven five"]
    provenance = rows[0]["provenance"]
    assert (json.loads(provenance) if isinstance(provenance, str) else provenance) == {"cut": 1}


def test_a_table_has_its_column_of_sources(tmp_path):
    (tmp_path / "table.csv").write_text("question,id\none two,x\nthree four,y\n")
    found = paraphrase_file(tmp_path / "table.csv", Turning(), 1, columns={"source": "question"})
    assert [(row["id"], row["candidate"]) for row in found.rows] == [("x.1", "two one"), ("y.1", "four three")]
    with pytest.raises(InputError, match=r"no column 'source'.*columns={'source': "):
        paraphrase_file(tmp_path / "table.csv", Turning(), 1)


def test_a_null_source_is_missing(tmp_path):
    (tmp_path / "table.jsonl").write_text('{"source": "one two"}\n{"source": null}\n')
    found = paraphrase_file(tmp_path / "table.jsonl", Turning(), 1)
    assert [row["reason"] for row in found.rows] == [None, "the source is missing"]


def test_candidates_are_generated_until_n_meet_the_condition():
    source = "one two three four five six seven eight"
    (plain,) = pg.paraphrase([source], Turning(), 2)
    (found,) = pg.paraphrase([source], Turning(), 2, where="score <= -4")
    assert [candidate.score for candidate in plain] == [-1, -2]
    assert [candidate.score for candidate in found] == [-4, -5]
    (none,) = pg.paraphrase([source], Turning(), 2, where="score <= -4", budget=3)
    assert (none, none.reason) == ([], "no candidate met the condition")
    (early,) = pg.paraphrase(["a b"], Turning(), 2, where="score <= -4", budget=1000)
    assert early.reason == "no candidate met the condition"


@pytest.mark.parametrize("n, budget", [(2, 8), (2, 14), (1, 1), (3, 4), (3, 6), (2, 100), (5, None)])
def test_all_rounds_together_ask_for_no_more_than_the_budget(n, budget, tmp_path):
    source = " ".join(map(str, range(300)))
    pg.paraphrase([source], Turning(counts=str(tmp_path / "counts")), n, where="score > 0", budget=budget)
    asked = [int(line) for line in (tmp_path / "counts").read_text().split()]
    assert sum(asked) == (4 * n if budget is None else budget)  # none meets the condition, so all of it is spent
    assert asked == sorted(set(asked))  # a method gives the same again when it is asked for as many
    assert asked[0] >= n


def test_the_budget_is_what_is_asked_of_an_endpoint(chat_server):
    server = chat_server()
    spec = f"endpoint:url={server.url}"
    (found,) = pg.paraphrase(["hot tea"], spec, 2, where="length-ratio < 0", budget=8)
    assert found.reason == "no candidate met the condition"
    assert sum(request["n"] for request in server.asked) == 8


def test_what_fell_is_told_and_scores_are_columns(lines):
    found = paraphrase_file(lines, Turning(), 1, where="ned.free > 0.75 and length-ratio > 0", metrics=["copy-rate"])
    assert all(row["ned.free"] > 0.75 for row in found.rows if row["candidate"] is not None)
    assert all(set(row) >= {"ned.free", "length-ratio", "copy-rate"} for row in found.rows)
    assert found.rejected["ned.free > 0.75"] > 0


@pytest.mark.parametrize(
    "arguments, said",
    [
        ({"where": "bleu > 1"}, "needs references, and a new paraphrase has none; expected bleu.free$"),
        ({"where": "parascore > .4"}, "needs references, and a new paraphrase has none; expected parascore-free$"),
        ({"where": "`bleu:order=2` > 1"}, "a new paraphrase has none; expected bleu.free:order=2$"),
        ({"where": "selfbleu > 1"}, "judges sets"),
        ({"where": "nonsense > 1"}, "no metric named 'nonsense'"),
        ({"where": "ned.free >"}, "ends too early"),
        ({"budget": 5}, "a budget is for a condition on the candidates; give where='cosine.free >= 0.8' too"),
        ({"budget": "3", "where": "ned.free > 0"}, "budget='3'; expected a whole number"),
        ({"where": "ned.free > 0", "budget": 1}, "a budget of 1 is less than the 2 candidates"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, said):
    with pytest.raises(InputError, match=said):
        pg.paraphrase(["one two"], Turning(), 2, **arguments)


@pytest.mark.parametrize("n", ["3", 1.5, True, None, 0, -1])
@pytest.mark.parametrize("call", [pg.paraphrase, lambda sources, method, n: list(method.generate(sources, n))])
def test_how_many_is_a_whole_number(call, n):
    with pytest.raises(InputError, match=r"^n=.*; expected (a whole number|at least 1)$"):
        call(["one two"], Turning(), n=n)


@pytest.mark.parametrize("sources", ["abc", {"abc", "d"}, {"abc": 1}, b"abc", None, [1], ["a", None]])
def test_sources_are_a_list_of_texts(sources):
    """One text is not as many sources as it has letters."""
    with pytest.raises(InputError, match=r"^source.* is .*; expected (a list of texts|text)$"):
        pg.paraphrase(sources, Turning())


def test_a_whole_number_of_numpy_is_one():
    assert pg.paraphrase(["one two"], Turning(), np.int64(1)) == pg.paraphrase(["one two"], Turning(), 1)


def test_methods_are_found_by_name():
    with pytest.raises(InputError, match="no paraphraser named 'wordswop-1'; did you mean 'wordswap-1'"):
        pg.paraphrase(["one"], "wordswop-1")
    with pytest.raises(InputError, match="has no parameter 'size'"):
        pg.paraphrase(["one"], "wordswap:size=2")
    with pytest.raises(InputError, match=r"paraphraser-minilm has no codes.*codes:model=FOLDER"):
        pg.paraphrase(["one"], "semantic")
