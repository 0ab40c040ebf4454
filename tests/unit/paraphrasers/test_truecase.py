"""Case and spaces that come back from the source."""

import pytest

from paragauge.paraphrasers._truecase import read_case, truecased

TABLE = {"tom": "Tom", "european": "European", "i": "I", "english": "English", "usa": "USA"}


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("how do i learn english ?", "How can I study English?", "How do I learn English?"),
        ("i ' m tom ' s friend .", "I am a friend of Tom.", "I'm Tom's friend."),
        ("it isn ' t iphone 6 s .", "Is it the iPhone 6s?", "It isn't iPhone 6 s."),
        ("a part - time job", "a job that is part-time", "a part-time job"),
        ("the state - of - the - art e - mail", "The E-mail", "The state-of-the-art E-mail"),
        ("he paid 1 , 000 . 50 , not 3 .", "They paid.", "He paid 1,000.50, not 3."),
        ("is c + + harder than c # ?", "Is C++ harder than C#?", "Is C++ harder than C#?"),
        ('he said " go " . then he left .', "X. Y.", 'He said "go". Then he left.'),
        ("how much ? a lot .", "A. B.", "How much? A lot."),
        ("the u . s . army", "The U.S. has an army.", "The U.S. army."),
        ("", "X", ""),
        ("no capital", "lower case source", "no capital"),
        ("and / or ( maybe )", "And", "And/or (maybe)"),
        ("why is the letter big ?", "WHY IS THIS IN CAPITAL LETTERS?", "WHY IS THE LETTER BIG?"),
        ("it ' s 5 euros .", "I?", "It's 5 euros."),
        ("it ' s ok .", "IT IS OK, Tom.", "IT's OK."),
        (
            "a old man is an new one , a hour and a letter a is .",
            "One.",
            "An old man is a new one, an hour and a letter a is.",
        ),
        ("people in a event . it is a e.g. case", "One.", "People in an event. It is a e.g. case."),
        ('" " we go , " he said . "', '"We go," he said.', 'We go, "he said."'),
        ('" go , " " stop "', '"Go," "stop".', '"Go," "stop"'),
        ("a university in a european union", "One.", "A university in a European union."),
        ("is a sql or an hr a honest thing ?", "A honest SQL?", "Is a SQL or an hr a honest thing?"),
        (
            '" we won \' t give up , " the coach . "',
            '"We will not give up," said the coach.',
            '"We won\'t give up," the coach.',
        ),
        ('go " .', '"Go."', "Go."),
        ('" go , said he .', '"Go," he said.', "Go, said he."),
        ('( " go " ) and “ stop ”', "A.", '("Go") and “stop”'),
        ('a 19 " screen', 'It has a 19" screen', 'A 19" screen'),
        ("it was late . . we left", "It was late!", "It was late. We left!"),
        ("wait . . .", "Wait...", "Wait..."),
        ("iphone 6 is new .", "Is the iPhone 6 new?", "iPhone 6 is new."),
    ],
)
def test_a_text_is_written_as_its_source(text, source, expected):
    assert truecased(text, source, TABLE) == expected


@pytest.mark.parametrize(
    ("text", "phrases", "expected"),
    [
        ("i live in new york , a new city .", ["New York"], "I live in New York, a new city."),
        ("pythonista and c + + .", ["Pythonista", "C++"], "Pythonista and C++."),
        ("cats like the cat .", ["cat"], "Cats like the cat."),
        ("cat and cats .", ["cAT"], "cAT and cats."),
        ("so english .", ["english"], "So english."),
        (r"a \ 1 b", [r"\1"], r"A \1 b?"),
        ("it is a old , , a odd", ["a old", ",,"], "It is a old,, an odd?"),
    ],
)
def test_phrases_are_written_as_they_are_given(text, phrases, expected):
    assert truecased(text, "Where is it?", TABLE, phrases) == expected


def test_a_model_without_a_table_has_an_empty_one(tmp_path):
    assert read_case(tmp_path) == {}
