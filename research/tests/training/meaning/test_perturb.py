import random
import re

import pytest

from paragauge_research.training.meaning.perturb import KINDS, Lexicon, perturb

LEXICON = Lexicon({"hot": ["cold"], "open": ["closed"]}, frozenset({"like", "see"}))


@pytest.mark.parametrize(
    "kind, text, expected",
    [
        ("number", "It costs 7 euros.", r"It costs [1-689] euros\."),
        ("number", "She has two dogs.", r"She has (?!two)\w+ dogs\."),
        ("negation", "The door is open.", r"The door is not open\."),
        ("negation", "The door is not open.", r"The door is open\."),
        ("negation", "He can't come.", r"He can come\."),
        ("negation", "She likes it.", r"She does not like it\."),
        ("name", "We met Anna.", r"We met (?!Anna)\w+\."),
        ("roles", "Then Anna called Bert.", r"Then Bert called Anna\."),
        ("roles", "The dog, and the cat.", r"The cat, and the dog\."),
        ("antonym", "The soup is hot.", r"The soup is cold\."),
    ],
)
def test_each_kind_changes_what_it_says(kind: str, text: str, expected: str) -> None:
    changed = perturb(text, kind, LEXICON, random.Random(1))
    assert changed is not None
    assert re.fullmatch(expected, changed)


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_without_a_place_is_left_alone(kind: str) -> None:
    assert perturb("oh", kind, LEXICON, random.Random(1)) is None


def test_the_seed_decides() -> None:
    text = "On Monday Anna may not see the 3 hot houses of Bert."
    made = [perturb(text, "number", LEXICON, random.Random(seed)) for seed in (1, 1, 2, 3, 4)]
    assert made[0] == made[1]
    assert len(set(made)) > 1
    assert text not in made
