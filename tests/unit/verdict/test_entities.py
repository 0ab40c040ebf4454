"""What a paraphrase must not lose: numbers, what they count, and names."""

import pytest

from paragauge.verdict.entities.names import has_names
from paragauge.verdict.entities.units import same_numbers


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("1,299.50", "1299.50", True),
        ("1,000,000 people", "1000000 people", True),
        ("1.299,50", "1,299.50", True),
        ("$1,299.50 today", "today $ 1299.50", True),
        ("It costs $1,299.50.", "It costs $ 1,30,50.", False),
        ("It costs $1,299.50.", "It costs $ 1,29 9.", False),
        ("It costs $1,299.50.", "It costs $1,299.", False),
        ("It costs $1,299.50.", "It costs €1,299.50.", False),
        ("$5", "5 dollars", True),
        ("$5", "USD 5", True),
        ("a $5 bill", "a 5-dollar bill", True),
        ("£20", "20 pounds", True),
        ("20 lb", "20 pounds", True),
        ("5 €", "€5", True),
        ("5 €", "5", False),
        ("12.5%", "12.5 percent", True),
        ("12.5 %", "12.5 per cent", True),
        ("12.5%", "12.5", False),
        ("12.5%", "1.25%", False),
        ("5% or 6%", "5 or 6 percent", True),
        ("from $5 to 10", "from $5 to $10", True),
        ("Python 3.10", "Python 3.1", False),
        ("version 1.2.3", "version 1.2.3", True),
        ("1.000", "1000", False),
        ("in 2019", "in 2018", False),
        ("3 of 10", "10 of 3", True),
        ("3 of 10", "10", False),
        ("3 and 3", "3", False),
        ("two", "2", True),
        ("half a dozen", "6", True),
        ("10 thousand", "10,000", True),
        ("at 3 pm", "at 15:00", True),
        ("for one year", "for a year", True),
        ("on A4", "on A3", False),
        ("在2019年", "在2018年", False),
        ("20 kg", "20 pounds", False),
        ("no number", "none at all", True),
        ("dollars and percent", "euros", True),
    ],
)
def test_numbers_are_the_same_however_they_are_written(one, other, expected):
    assert same_numbers(one, other) == expected
    assert same_numbers(other, one) == expected


@pytest.mark.parametrize(
    ("source", "candidate", "kept"),
    [
        ("He is from Russia.", "He is Russian.", True),
        ("She lives in New York City.", "She lives in NYC.", True),
        ("We met Ann Reed.", "We met Ann.", False),
        ("We meet on Monday.", "We meet mondays.", False),
        ("We meet on Monday.", "On Mon. we meet.", True),
        ("We met in March in Rome.", "In Rome we met.", True),  # a march, or March
        ("I'm Tom, and I like it.", "Tom likes it.", True),
        ("no name", "Ann", True),
    ],
)
def test_a_name_is_kept_in_any_form(source, candidate, kept):
    assert has_names(source, candidate) == kept
