"""What reads texts takes time in proportion to their length, whatever stands in them: twice as long for two."""

import time
from collections.abc import Callable
from functools import partial

import pytest

from paragauge.text.normalize import normalize
from paragauge.text.sentences import sentences
from paragauge.text.tokens import NAMES, pieces, split_spaceless, tokenize
from paragauge.verdict.rules import rules

# the beginning of a text, what is repeated, and the end
PATTERNS = {
    "marks and stops": ("a", "?.", "a"),
    "marks": ("a", "?", "a"),
    "wide marks": ("a", "？", "a"),
    "stops": ("a", ".", "?"),
    "ellipses": ("a", "…", "a"),
    "commas": ("a", ", ", "x?"),
    "initials": ("", "A. ", ""),
    "abbreviations": ("", "U.S. ", "x"),
    "dotted": ("", "a.", "a"),
    "spaces": ("a", " ", "a"),
    "lines": ("a", " \n", "a"),
    "quotes": ('a."', '"', "a"),
    "brackets": ("a", "(", ")"),
    "apostrophes": ("a", "'", "a"),
    "hyphens": ("a", "-a", "x"),
    "digits": ("a ", "1", " a"),
    "grouped digits": ("a ", "1,", "x"),
    "fractions": ("a ", "1/", "x"),
    "units": ("a ", "5 km ", "x"),
    "spelled numbers": ("a ", "twenty-", "x"),
    "addresses": ("a ", "www.", "?"),
    "negations": ("a ", "not ", "x"),
    "tags": ("a", ", isn't it", "x"),
    "requests": ("a ", "could you ", "x?"),
    "told questions": ("a ", "ask ", "x?"),
    "names": ("a ", "Bob ", "x"),
    "opposites": ("", "hot ", "x"),
    "roles": ("the cat ", "was eaten by the dog ", "."),
    "markup": ("a", "<skipped", "&lt;"),
    "one word": ("", "a", "b"),
    "accents": ("a", "\u0301", "b"),
    "no spaces": ("", "我", "。"),
    "unseen": ("a", "\u200b", "a"),
}
SIZE = 8_000  # characters: the square of it takes tenths of a second and more
SHORT = 0.02  # seconds, in which no square of it can be done
MOST = 3.0  # a line gives 2, a square 4


def hostile(name: str, size: int) -> str:
    head, unit, tail = PATTERNS[name]
    return head + unit * (size // len(unit)) + tail


def opposed(name: str, size: int) -> str:
    return hostile(name, size).replace("hot", "cold").replace("not", "is").replace("Bob", "Tom")


# a source and a candidate of hostile texts
PAIRS: dict[str, Callable[[str, int], tuple[str, str]]] = {
    "source": lambda name, size: (hostile(name, size), "It was so."),
    "candidate": lambda name, size: ("It was so.", hostile(name, size)),
    "both": lambda name, size: (hostile(name, size), hostile(name, size)),
    "two": lambda name, size: (hostile(name, size), opposed(name, size + 40) + " not"),
    "question": lambda name, size: (hostile(name, size) + "?", "It was so."),
    "statement": lambda name, size: ("Did it x? It did not do so at all.", hostile(name, size)),
}
READERS: dict[str, Callable[[str], object]] = {
    "sentences": sentences,
    "pieces": pieces,
    "split_spaceless": split_spaceless,
    "normalize": normalize,
    **{f"tokens: {name}": partial(lambda name, text: tokenize(name, [text]), name) for name in NAMES},
}


def seconds(call: Callable[[], object]) -> float:
    began = time.thread_time()
    call()
    return time.thread_time() - began


def check_growth(made: Callable[[int], Callable[[], object]], what: str) -> None:
    """Measured again where it seems to grow faster: others use the processor too."""
    if seconds(made(2 * SIZE)) < SHORT:
        return
    ratios: list[float] = []
    for _ in range(5):
        once, twice = (min(seconds(made(size)) for _ in range(2)) for size in (SIZE, 2 * SIZE))
        ratios.append(twice / once)
        if ratios[-1] < MOST:
            return
    pytest.fail(f"{what}: twice the text takes {min(ratios):.1f} times as long")


@pytest.mark.parametrize("rule", rules())
def test_rules_take_time_in_proportion(rule):
    for shape, pair in PAIRS.items():
        for name in PATTERNS:
            check_growth(
                lambda size, name=name, pair=pair: partial(rules()[rule].find, *pair(name, size)), f"{name}, {shape}"
            )


@pytest.mark.parametrize("reader", READERS)
def test_tokens_and_sentences_take_time_in_proportion(reader):
    if "mecab" in reader:
        pytest.importorskip("MeCab")
    for name in PATTERNS:
        check_growth(lambda size, name=name: partial(READERS[reader], hostile(name, size)), name)
