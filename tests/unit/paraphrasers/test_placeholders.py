"""What stands in for names, numbers and rare words, and the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge.paraphraser import Candidate
from paragauge.paraphrasers import parse
from paragauge.paraphrasers._placeholders import Placeholder, Protected, protected, restore
from paragauge.paraphrasers.reranked import Reranked

COMMON = (
    "is the of in to and a an at costs laptop was born on october obama gandhi met moved near house year old by python "
    "for or more visit best buy call me before apple there pears said that ill dr st i we love song who what are"
)
STAND_INS = (
    "batman jack david paris chicago bob tokyo boston canada milk piano coffee 24 30 50 15 40 2000 1990 2008 monday "
    "sunday 20th 10th 90s 1980s"
)
KNOWN = frozenset(COMMON.split()) | frozenset(STAND_INS.split())


def pieces(word: str) -> int:
    """One for common words, numbers and signs, and what the alphabet lacks cannot be written; three for others."""
    if not all(character.isascii() for character in word):
        return 1000
    if set("./@") & set(word[:-1]):
        return 5
    return 1 if word.lower() in KNOWN or len(word) == 1 else 3


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("The laptop costs $1,299.50 at Best Buy.", "The laptop costs 24 at Best Buy."),
        (
            "Mahatma Gandhi was born on 2 October 1869 in Porbandar.",
            "Batman Gandhi was born on 24 October 2000 in Chicago.",
        ),
        ("Mahatma's house", "Batman's house"),
        ("Is the house Mahatma’s?", "Is the house Batman’s?"),
        ("Call me at 555-0199 before 12:45.", "Call me at 24 before 30."),
        ("Is C++ Python 3.11?", "Is C++ Python 24?"),
        ("Dr. Krzysztof Nowak moved to Szczecin.", "Dr. Batman moved to Chicago."),  # a name of two words is one
        ("We met Krzysztof, Nowak and Obama.", "We met Batman, Jack and Obama."),
        ("Barack Obama met Angela Obama.", "Batman Obama met Jack Obama."),
        ("DR. NOWAK MOVED TO SZCZECIN.", "DR. MILK MOVED TO PIANO."),
        ("Krzysztof Nowak", "Batman"),
        ("Nowak said that Nowak is ill.", "Milk said that Milk is ill."),  # the first of a sentence may be no name
        ("nowak said that nowak is ill", "milk said that milk is ill"),  # one word, one stand-in
        ("We met Batman and Krzysztof.", "We met Batman and Jack."),  # what the source has does not stand in
        ("Is 24 of 300 30?", "Is 50 of 15 40?"),
        ("There is 1 apple and 2 pears.", "There is 1 apple and 24 pears."),
        ("Is the 121st house of the 1970s old?", "Is the 20th house of the 90s old?"),
        ("The 125-year-old house", "The 24-year-old house"),
        ("The house costs 5% more, €1 at best.", "The house costs 24% more, 30 at best."),
        ("Born on 12/11/2003", "Born on monday"),
        ("Is COVID-19 old?", "Is BATMAN old?"),
        ("Visit https://example.com/a?b=1 (or me@example.org).", "Visit batman (or jack)."),
        ("What is #zumba to @kowalczyk?", "What is batman to chicago?"),
        ("What is 北京?", "What is milk?"),
        ("We love 😀!", "We love 😀!"),
        (
            "Best Of The Krzysztof House Apple",
            "Best Of The Milk House Apple",
        ),  # where all have capitals, none is a name
        ("", ""),
    ],
)
def test_what_stands_in(source: str, read: str) -> None:
    found = protected(source, pieces)
    assert found.text == read
    assert restore(*found) == (source, (), ())


def test_words_of_literal_phrases_are_neither_replaced_nor_used() -> None:
    found = protected("We met Krzysztof Nowak in Szczecin.", pieces, ["to Szczecin", "batman"])
    assert found.text == "We met Jack in Szczecin."
    assert found.placeholders == (Placeholder("Krzysztof Nowak", "Jack", "name", 1),)


def test_what_finds_no_stand_in_is_left_alone() -> None:
    source = "is zz1 zz2 xx3 " + " ".join(f"q{number}q" for number in range(20))
    found = protected(source, pieces)
    assert 0 < len(found.placeholders) < 23
    assert found.text.endswith("q19q")
    assert protected("We met Krzysztof.", lambda _: 9) == Protected("We met Krzysztof.")


@pytest.mark.parametrize(
    ("text", "placeholders", "written", "lost", "doubled"),
    [
        ("Is Tom's house 24?", [("Iago", "Tom", "name"), ("5.5", "24", "number")], "Is Iago's house 5.5?", (), ()),
        ("Is TOM here?", [("iPhone", "Tom", "name")], "Is iPhone here?", (), ()),
        (
            "Is Tommy 245 or 24,000 or 2.24?",
            [("Iago", "Tom", "name"), ("5", "24", "number")],
            None,
            ("name", "number"),
            (),
        ),
        ("Tom is Tom.", [("Iago", "Tom", "name")], "Iago is Iago.", (), ("name",)),
        ("Milk is a milk.", [("electron", "milk", "word")], "Electron is an electron.", (), ("word",)),
        ("An milk.", [("zebra", "milk", "word")], "A zebra.", (), ()),
        ("IT IS A MILK.", [("ELECTRON", "MILK", "word")], "IT IS AN ELECTRON.", (), ()),
        ("It is.", [(r"\1", "24", "number")], "It is.", ("number",), ()),
        (r"It is 24.", [(r"$\1", "24", "number")], r"It is $\1.", (), ()),
    ],
)
def test_the_way_back(text, placeholders, written, lost, doubled) -> None:
    found = restore(text, [Placeholder(*one, times=1) for one in placeholders])
    assert found == (text if written is None else written, lost, doubled)


def test_the_article_is_that_of_the_source() -> None:
    found = protected("we met a unicorn", pieces)
    assert found.text == "we met a milk"
    assert restore("an milk is what we met", found.placeholders).text == "a unicorn is what we met"


ODD = (
    "Krzysztof nowak Nowak's $1,299.50 12:45 a an A the is Batman 24 C++ x_1 foo_ “Zoë” 1970s milk MILK Dr. end. "
    "(2003) 😀 €5 a@b.cd 125-year-old O'Neil 3rd -"
)
words = st.sampled_from(ODD.split())
texts = st.one_of(st.lists(words, max_size=12).map(" ".join), st.text(max_size=40))


@given(texts, st.lists(words, max_size=2))
def test_what_is_copied_comes_back(source: str, literal: list[str]) -> None:
    found = protected(source, pieces, literal)
    assert restore(*found) == (source, (), ())
    assert len({one.read.lower() for one in found.placeholders}) == len(found.placeholders)


@given(texts)
def test_nothing_is_lost_where_nothing_is_protected(source: str) -> None:
    assert restore(source, ()) == (source, (), ())
    spared = protected(source, pieces, [source])  # all its words are literal
    assert spared == Protected(source) or all(not any(map(str.isalnum, one.word)) for one in spared.placeholders)


SOURCES = [
    "The laptop costs $1,299.50 at Best Buy.",
    "Dr. Krzysztof Wiśniewski moved to Szczecin.",
    "Mahatma Gandhi was born on 2 October 1869 in Porbandar.",
]


@pytest.mark.parametrize("method", ["beam", "sampled", "diverse-beam", "reranked"])
def test_the_shipped_model_keeps_names_and_numbers(method: str) -> None:
    """In whatever it writes, candidates that lost one are marked and behind the others; no word of them is broken."""
    paraphraser = parse(method)
    whole = 0
    for source, found in zip(SOURCES, paraphraser.generate(SOURCES, 5), strict=True):
        own = paraphraser.protected(source).placeholders
        assert {one.word for one in own} == set(found[0].provenance["protected"])
        for one in found:
            kept = all(part.word in one.text for part in own)
            assert kept or "lost" in one.provenance
            whole += kept
            assert "batman" not in one.text.lower()
        marks = [bool({"lost", "doubled"} & one.provenance.keys()) for one in found]
        if method != "reranked":  # which has its own reasons next to these
            assert marks == sorted(marks)
    assert whole


def test_the_signature_says_whether_words_are_protected() -> None:
    assert "|protect:yes|" in parse("beam").signature
    assert parse("beam:protect=yes").signature == parse("beam").signature
    assert "|protect:no|" in parse("beam:protect=no").signature
    assert parse("beam:protect=no").protected(SOURCES[0]) == Protected(SOURCES[0])
    with pytest.raises(InputError, match="protect"):
        parse("beam:protect=maybe")


def test_constraints_are_met_by_protected_words_too() -> None:
    (source,) = SOURCES[1:2]
    (found,) = parse("constrained:require=to Szczecin").generate([source], 3)
    assert found
    assert all("to Szczecin" in one.text for one in found)
    (found,) = parse("constrained:avoid=Szczecin").generate([source], 3)
    assert found
    assert all("Szczecin" not in one.text for one in found)
    (found,) = parse("constrained:avoid_source=yes").generate(["Is photosynthesis good?"], 3)
    assert all("photosynthesis" not in one.text.lower() for one in found)


def test_reranking_puts_marked_candidates_behind() -> None:
    marked = Candidate("A man rides one horse, a horse.", 0.0, {"doubled": ["word"]})
    plain = Candidate("Someone is on horseback there.", -3.0)
    ranked = Reranked()._ranked("A man rides a horse.", [marked, plain])
    assert [one.text for one in ranked] == [plain.text, marked.text]


@pytest.mark.parametrize(
    ("source", "read", "word"),
    [
        ("Send it by 5 p.m. tomorrow.", "Send it by 24 tomorrow.", "5 p.m."),
        ("It ends at 5 p.m.", "It ends at 24.", "5 p.m"),
        ("At 5:30 pm, we go.", "At 24, we go.", "5:30 pm"),
        ("Is 10 AM fine?", "Is 24 fine?", "10 AM"),
        ("It has 7 amps.", "It has 24 amps.", "7"),
    ],
)
def test_a_time_of_day_is_one_number(source, read, word):
    found = protected(source, lambda _: 1)
    assert found.text == read
    assert [one.word for one in found.placeholders] == [word]
    assert restore(*found).text == source
