"""Errors made on purpose: marked where the text was changed, and nowhere else."""

import random
import re
from pathlib import Path

import pytest

from paragauge_research.training.pairs import broken, errors
from paragauge_research.training.pairs.lexicon import Lexicon, read_lexicon
from paragauge_research.training.pairs.rows import ERRORS, Row, joined, made_row

TEXTS = [
    "The company will open two stores in Berlin next month because demand has risen.",
    "Only members can use the pool before 9 am on Sunday.",
    "She did not tell her brother that Anna had sold the old car for $4,500.",
    "How many people were hurt when the train left the station in March?",
    "Yesterday Anna introduced the teacher to Paul, and the dog chased the cat in Berlin.",
    "Mix the flour with 200 g of sugar, and bake it for half an hour.",
]


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    folder = tmp_path_factory.mktemp("wordnet")
    for part in ("adj", "adv", "verb", "noun"):
        (folder / f"data.{part}").write_text("  1 a licence\n", "utf-8")
    (folder / "index.noun").write_text("  1 a licence\n", "utf-8")
    found = read_lexicon(folder)
    found.learn(TEXTS * 3)
    return found


@pytest.mark.parametrize("kind", ERRORS)
def test_what_stands_outside_of_the_marks_is_unchanged(kind: str, lexicon: Lexicon) -> None:
    made = 0
    for seed in range(40):
        text = TEXTS[seed % len(TEXTS)]
        error = errors.make_error(text, lexicon, random.Random(seed), [kind])
        if error is None:
            continue
        made += 1
        assert error.kind == kind
        kept = [_without(text, error.before), _without(error.text, error.after)]
        assert _words(kept[0]) == _words(kept[1])
        assert error.text != text
    if kind not in ("opposite", "other"):  # these need WordNet, or a word of a list
        assert made


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _without(text: str, places: tuple[tuple[int, int], ...]) -> str:
    for start, end in sorted(places, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def test_broken_language_is_marked_in_the_candidate_alone(lexicon: Lexicon) -> None:
    for seed in range(200):
        error = broken.broken(TEXTS[seed % len(TEXTS)], lexicon, random.Random(seed))
        if error is not None:
            assert (error.kind, error.before) == ("broken", ())
            assert all(0 <= start < end <= len(error.text) for start, end in error.after)


def test_marks_of_joined_texts_stand_where_their_words_are(lexicon: Lexicon) -> None:
    good = Row(TEXTS[0], TEXTS[0], 1, 1, 1, 1, ())
    for seed in range(60):
        choose = random.Random(seed)
        bad = made_row(Row(TEXTS[1], TEXTS[1], 1, 1, 1, 1, ()), lexicon, choose, 1.0, 1.0)
        if bad is None:
            continue
        whole = joined([good, bad, good], choose)
        alone = [(bad.source, bad.candidate)[side][start:end] for side, start, end, _ in bad.marks or ()]
        found = [(whole.source, whole.candidate)[side][start:end] for side, start, end, _ in whole.marks or ()]
        assert whole.same == 0
        assert all(0 <= start < end for _, start, end, _ in whole.marks or ())
        assert set(alone) & set(found) or len(whole.source) != len(whole.candidate)


def test_written_pairs_lie_in_the_repository() -> None:
    folder = Path(__file__).parents[3] / "data" / "written"
    assert sum(len(file.read_text("utf-8").splitlines()) for file in folder.glob("*.jsonl")) >= 1600
