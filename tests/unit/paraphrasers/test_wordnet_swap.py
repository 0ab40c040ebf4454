"""Synonyms of the same part of speech, in the same form."""

import pytest

from paragauge.paraphrasers.wordnet_swap import WordnetSwap, _read


def best(lexicon, source, n=1):
    (found,) = WordnetSwap(wordnet=str(lexicon.place)).generate([source], n)
    return [candidate.text for candidate in found]


def test_the_form_and_the_case_are_kept(lexicon):
    (text,) = best(lexicon, "Students quickly purchased large automobiles.")
    assert text.startswith(("Pupils ", "Scholars "))
    assert " rapidly " in text
    assert " bought " in text
    assert " big " in text
    assert text.endswith(" cars.")


@pytest.mark.parametrize(
    "word, before, expected",
    [
        ("running", ["was"], ("run", "verb", "gerund")),
        ("run", ["the"], ("run", "noun", "base")),
        ("run", ["to"], ("run", "verb", "base")),
        ("taken", ["have"], ("take", "verb", "participle")),
        ("stopped", ["he"], ("stop", "verb", "past")),
        ("stopped", ["was"], ("stop", "verb", "participle")),
        ("biggest", ["the"], ("big", "adj", "superlative")),
        ("mice", ["the"], ("mouse", "noun", "plural")),
        ("suddenly", [], ("suddenly", "adv", "base")),
        ("qwertyish", [], None),
    ],
)
def test_a_word_is_read_by_its_form_and_the_words_before(lexicon, word, before, expected):
    assert _read(word, before, lexicon) == expected


def test_function_words_names_and_numbers_stay(lexicon):
    (text,) = best(lexicon, "On Monday Bob and I bought 15 automobiles in Paris.")
    for kept in ("On Monday Bob and I", "15", "in Paris."):
        assert kept in text


@pytest.mark.parametrize(
    "kept", ["Dr. O'Neill", "Dr. O’Neill", "<b>", "o'clock", "rock'n'roll", "D'Artist", "vitamin-c", "b)"]
)
def test_letters_and_parts_of_a_word_with_an_apostrophe_stay(lexicon, kept):
    (text,) = best(lexicon, f"Large automobiles: {kept} and large automobiles.")
    assert kept in text
    assert text.count("cars") == 2


def test_words_in_quotes_and_before_a_clitic_are_replaced(lexicon):
    (text,) = best(lexicon, "The automobile's colour, the automobiles' colours, an 'automobile'.")
    assert "automobile" not in text


def test_the_article_fits_the_synonym(lexicon):
    (text,) = best(lexicon, "It was an automobile.")
    assert "a car" in text


def test_candidates_differ_and_a_text_without_synonyms_has_a_reason(lexicon):
    found = best(lexicon, "The boy was running towards a large house.", 3)
    assert len(set(found)) == len(found) > 1
    (none,) = WordnetSwap(wordnet=str(lexicon.place)).generate(["12 of 13"], 2)
    assert none.reason == "no word of the source has a synonym in WordNet"
