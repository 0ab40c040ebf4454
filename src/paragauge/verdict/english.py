"""Words of a text with their places, as the rules read them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple


def vocabulary(listed: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(listed.split())


# what carries no meaning of its own: articles, pronouns, auxiliaries, prepositions, conjunctions
FUNCTION = vocabulary(
    """a an the this that these those some any each every such it its he him his she her hers they them their theirs
    we us our ours you your yours i me my mine who whom whose which what there here is are was were be been being
    am do does did done doing have has had having will would shall of in on at to for from by with about into onto
    over under up down out off as than then and or but so if while when where because though although also too
    just very really quite still even only own same other s t d ll re ve m not no can could should may might must"""
)
_WORD = re.compile(r"\w+(?:['’]\w+)*")
# forms that no ending tells, each with its verb
_IRREGULAR = {
    form: forms[0]
    for forms in map(
        str.split,
        """beat beaten;begin began begun;bite bit bitten;blow blew blown;break broke broken;bring brought;build built
        buy bought;catch caught;choose chose chosen;come came;draw drew drawn;drink drank drunk
        drive drove driven;eat ate eaten
        fall fell fallen;feed fed;feel felt;fight fought;find found;fly flew flown;forget forgot forgotten
        forgive forgave forgiven;freeze froze frozen;get got gotten;give gave given;go went gone;grow grew grown
        hear heard;hide hid hidden;hold held;keep kept;know knew known;lead led;leave left;lend lent;lose lost
        make made;mean meant;meet met;pay paid;ride rode ridden;ring rang rung;rise rose risen;run ran;say said
        see saw seen;seek sought;sell sold;send sent;shake shook shaken;shoot shot;show shown;sing sang sung
        sink sank sunk;sit sat;sleep slept;speak spoke spoken;spend spent;stand stood;steal stole stolen
        strike struck;swear swore sworn;swim swam swum;take took taken;teach taught;tear tore torn;tell told
        think thought;throw threw thrown;understand understood;wake woke woken;wear wore worn;win won
        withdraw withdrew withdrawn;write wrote written""".replace("\n", ";").split(";"),
    )
    for form in forms[1:]
}
_ENDINGS = ("edly", "ings", "ing", "ed", "es", "ly", "s", "e")  # the longest first


class Word(NamedTuple):
    """A word, in lower case and as it stands."""

    lower: str
    start: int
    end: int


@lru_cache(maxsize=1024)
def words(text: str) -> tuple[Word, ...]:
    """The words of a text, in order; several rules ask for the same text."""
    return tuple(
        Word(found.group().lower().replace("’", "'"), found.start(), found.end()) for found in _WORD.finditer(text)
    )


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """A word without its ending: crude, and the same for the forms of nearly all words."""
    word = word.removesuffix("'s")
    word = _IRREGULAR.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1].isalpha():  # stopp, plann
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 2 and word[-1] == "y" else word


def is_content(word: str) -> bool:
    """Does it carry meaning of its own?"""
    return word not in FUNCTION and word.partition("'")[0] not in FUNCTION
