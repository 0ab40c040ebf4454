"""What the recorded commands read: the examples, small tables and texts made here, a study, and published data."""

import csv
import json
import random
import shutil
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from paragauge.benchmarks import benchmark

from ..annotate.made import answer_by, judge, made_study

EXAMPLES = Path(__file__).parents[2] / "examples"
TWEETS, SENTENCES = 500, 200  # rows of the published data sets
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "tree", "now", "then"]
SYSTEMS = 4
SEGMENTS = 8


def make_inputs(folder: Path) -> None:
    """Everything that needs no data set."""
    for file in EXAMPLES.glob("*.[ct]sv"):
        shutil.copy(file, folder)
    with (EXAMPLES / "pairs.csv").open(encoding="utf-8", newline="") as stream:
        pairs = list(csv.DictReader(stream))
    sources = list(dict.fromkeys(row["source"] for row in pairs))
    write_lines(folder / "lines.txt", sources[:6])
    write_lines(folder / "references.txt", [row["reference"] for row in pairs[: len(sources)]])
    write_rated(folder / "rated.csv", pairs)
    write_wmt(folder / "wmt")
    write_reviews(folder)
    write_broken(folder)
    store = made_study(folder / "study.db", block=10)
    for rater, favour in (("anna", 60), ("ben", 50)):
        judge(store, rater, answer_by(store, lambda cell, broken, top=favour: top - 7 * (cell % 3) - 20 * broken))
    store.close()


def make_data(folder: Path, data: Path) -> None:
    """The first rows of Twitter-Para and of the STS benchmark's development part; none of their text is recorded."""
    found = benchmark("twitter-para").load()
    texts = found.samples
    columns = zip(texts.ids, texts.sources, texts.candidates, texts.references, found.human.tolist(), strict=True)
    write_table(
        folder / "twitter.csv",
        ["id", "source", "candidate", "reference", "human"],
        (
            (name, source, text, references[0], human)
            for name, source, text, references, human in islice(columns, TWEETS)
        ),
    )
    with (data / "stsb" / "sts-dev.csv").open(encoding="utf-8") as stream:
        cells = [line.rstrip("\n").split("\t") for line in islice(stream, SENTENCES)]
    write_table(folder / "sts.csv", ["source", "candidate", "human"], ((cell[5], cell[6], cell[4]) for cell in cells))


def write_lines(file: Path, lines: Iterable[str]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_table(file: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])


def write_rated(file: Path, pairs: Sequence[dict[str, str]]) -> None:
    """The example pairs with ratings of two raters, and the scores of a metric of someone else's."""
    chance = random.Random(5)
    worth = {"copy": 2.0, "word-swap": 3.0, "rewrite": 4.0}
    rows = []
    for row in pairs:
        own = worth[row["system"]] + chance.choice([-1, -0.5, 0, 0.5, 1])
        ratings = [round(own + chance.choice([-0.5, 0, 0.5]), 1) for _ in range(2)]
        theirs = round(own + chance.uniform(-1, 1), 3)
        rows.append([row["id"], row["source"], row["system"], row["candidate"], row["reference"], *ratings, theirs])
    write_table(file, ["id", "source", "system", "candidate", "reference", "human", "second", "theirs"], rows)


def write_wmt(place: Path) -> None:
    """Two language pairs in WMT's layout: each system is worse than the one before, and people agree but for noise."""
    chance = random.Random(0)

    def changed(line: str, share: float) -> str:
        return " ".join(chance.choice(WORDS) if chance.random() < share else word for word in line.split())

    assessments = ["LP HUMAN SYSTEM"]
    for pair in ("de-en", "fi-en"):
        short = pair.replace("-", "")
        lines = [" ".join(chance.choices(WORDS, k=9)) for _ in range(SEGMENTS)]
        write_lines(place / "references" / f"news-{short}-ref.en", lines)
        for number in (1, 2):
            write_lines(place / "extra" / f"{short}-{number}.en", [changed(line, 0.4) for line in lines])
        for system in range(SYSTEMS):
            texts = [changed(line, 0.1 + 0.15 * system) for line in lines]
            write_lines(place / "system-outputs" / pair / f"news.s{system}.{pair}", texts)
            assessments.append(f"{pair} {round(chance.uniform(-0.6, 0.6) - system, 3)} s{system}")
    ranked = [
        f"de-en news {segment} s{system} s{other}"
        for segment in range(1, SEGMENTS + 1)
        for system in range(SYSTEMS)
        for other in range(system + 1, SYSTEMS)
    ]
    write_lines(place / "darr" / "de-en.tsv", ranked)
    write_lines(place / "DA-syslevel.csv", assessments)


def write_reviews(folder: Path) -> None:
    """Labelled texts, and two ways to paraphrase them: one keeps all words, one those of every other pair of texts."""
    words = {"pos": ("good", "fine", "great"), "neg": ("bad", "poor", "awful")}
    labels = [("pos", "neg")[number % 2] for number in range(60)]
    texts = [f"The film was {words[label][number % 3]}. Number {number}." for number, label in enumerate(labels)]
    write_table(folder / "reviews.csv", ["review", "sentiment"], zip(texts, labels, strict=True))
    made = [{"source": text, "candidate": text.upper(), "system": "loud"} for text in texts]
    for number, text in enumerate(texts):
        made.append({"source": text, "candidate": "Nothing." if number // 2 % 2 else text.lower(), "system": "half"})
    write_lines(folder / "paraphrases.jsonl", map(json.dumps, made))


def write_broken(folder: Path) -> None:
    """Files that no command takes."""
    write_lines(folder / "headless.csv", ["a,b", "c,d"])
    write_lines(folder / "ragged.csv", ["source,candidate", "one,two", "three"])
    write_lines(folder / "broken.json", ['[{"source": "a"'])
    write_lines(folder / "broken.jsonl", ['{"source": "a", "candidate": "b"}', "{"])
    (folder / "latin.csv").write_bytes("source,candidate\ncafé,coffee\n".encode("latin-1"))
    (folder / "broken.parquet").write_bytes(b"PAR1 and nothing else")
    (folder / "empty.csv").write_bytes(b"")
    (folder / "a folder").mkdir()
