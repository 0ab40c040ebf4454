"""English inflection, both ways."""

import pytest

from paragauge.text.inflect import FORMS, form_of, inflect


@pytest.mark.parametrize(
    "base, form, irregular, expected",
    [
        ("cat", "plural", (), "cats"),
        ("box", "plural", (), "boxes"),
        ("city", "plural", (), "cities"),
        ("day", "plural", (), "days"),
        ("mouse", "plural", ("mice",), "mice"),
        ("watch", "third", (), "watches"),
        ("do", "third", (), "does"),
        ("carry", "past", (), "carried"),
        ("bake", "past", (), "baked"),
        ("stop", "past", (), "stopped"),
        ("admit", "past", ("admitted", "admitting"), "admitted"),
        ("write", "past", (), "wrote"),
        ("write", "participle", (), "written"),
        ("say", "participle", (), "said"),
        ("lie", "gerund", (), "lying"),
        ("see", "gerund", (), "seeing"),
        ("take", "gerund", (), "taking"),
        ("run", "gerund", (), "running"),
        ("big", "comparative", (), "bigger"),
        ("happy", "superlative", (), "happiest"),
        ("large", "superlative", (), "largest"),
        ("beautiful", "comparative", (), None),
        ("good", "comparative", ("better", "best"), "better"),
        ("quick", "base", (), "quick"),
    ],
)
def test_forms(base, form, irregular, expected):
    assert inflect(base, form, irregular) == expected


def test_a_word_may_be_several_forms_of_its_base():
    assert form_of("walked", "walk", "verb") == ("past", "participle")
    assert form_of("wrote", "write", "verb") == ("past",)
    assert form_of("cut", "cut", "verb") == ("base", "past", "participle")
    assert form_of("xyz", "walk", "verb") == ()
    assert set(FORMS) == {"noun", "verb", "adj", "adv"}
    with pytest.raises(ValueError, match="no form"):
        inflect("walk", "optative")
