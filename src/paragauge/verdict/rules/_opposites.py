"""Which English words are opposites: a table from WordNet, and what it lacks."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

_TABLE = Path(__file__).with_name("antonyms.txt")
# what WordNet lacks, or has of rare senses alone: prepositions, adverbs, quantities, and common verbs and nouns
_OWN = """
[adv]
before / after
above / below under beneath
over / under below
inside indoors / outside outdoors
with / without
more / less fewer
most / least fewest
many / few
always / never rarely seldom
often frequently usually / never rarely seldom
together jointly / separately apart individually
forward forwards / backward backwards
in_front_of / behind
near nearby close_to next_to beside / far_from far_away_from away_from
into / out_of
partly partially / completely fully entirely
initially originally / eventually ultimately finally
immediately / eventually later
similarly / differently
correctly / incorrectly wrongly
[verb]
start begin commence / stop end finish cease
continue / stop end cease
increase rise grow climb expand / decrease reduce fall drop decline shrink diminish
raise increase extend / lower reduce cut decrease
buy purchase / sell
win / lose
live survive / die
arrive come enter stay / leave depart exit
accept approve / reject refuse oppose
agree / refuse oppose disagree
allow permit / forbid prohibit ban prevent
love like enjoy / hate dislike loathe despise
pass succeed / fail
build create construct establish found / destroy demolish ruin
include / exclude omit
appear emerge / disappear vanish
add insert / remove subtract delete
attack / defend protect
protect help / harm hurt
hire / fire dismiss
save / spend waste
import / export
improve / worsen deteriorate
support favour favor / oppose
confirm admit / deny
reveal show disclose / hide conceal
avoid / seek
send / receive
throw / catch
encourage / discourage
hold / drop
destroy damage break / repair restore fix
release / withhold detain arrest
activate enable / deactivate disable
obey / defy
inhibit / facilitate
connect join / disconnect separate
embrace / avoid abandon
smile laugh / frown cry
[noun]
start beginning / end finish
success / failure
arrival / departure
enemy opponent rival foe / friend ally supporter
profit gain / loss
day daytime daylight / night nighttime
morning / evening night midnight
birth life / death
difference / similarity resemblance
increase rise growth / decrease reduction cut fall drop decline
expert professional / amateur novice beginner
hero / villain
noise / silence
confidence / doubt uncertainty
presence existence / absence lack
insider / outsider
teacher / student pupil
construction / demolition destruction
[adj]
current present / former past previous
next following / previous
similar same identical alike / different
same / other another
domestic local national / foreign
ancient old traditional vintage / modern new
final last / first
easy simple / difficult hard complex complicated
violent / peaceful
married / single unmarried
common normal usual ordinary / rare unusual strange unique
good great excellent nice fine / bad terrible awful horrible
happy glad cheerful / sad unhappy depressed miserable
rich wealthy / poor
cheap inexpensive / expensive costly
huge enormous giant massive gigantic / tiny small little
big large / little small tiny
colorful colourful / drab monochrome colorless colourless
guilty / innocent
skilled experienced / unskilled inexperienced untrained
beautiful pretty / ugly hideous
main major key / minor
nearby close / distant faraway
free available / busy occupied
safe / dangerous hazardous risky
important significant / trivial insignificant marginal unimportant
stupid / intelligent smart clever
messy dirty / tidy neat clean
calm / angry
young / old elderly senior
shy / bold
fragile / sturdy robust resilient
injured hurt / unharmed unhurt uninjured
"""
# what WordNet calls opposite, and people use alike: a house stands or sits on a hill
_USED_ALIKE = frozenset(frozenset(pair.split()) for pair in ("come go", "sit stand", "lie stand", "bring take"))
# words that WordNet names by rare senses: the said man, some ordinary man, such a little man
_LEFT_OUT = frozenset(
    {"some", "any", "all", "no", "each", "every", "both", "several", "such", "said", "other", "another"}
)
ENDINGS = {
    "noun": (("s", ""), ("es", ""), ("ies", "y")),
    "verb": (*(("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ied", "y"), ("ing", ""), ("ing", "e")),),
    "adj": (("er", ""), ("er", "e"), ("ier", "y"), ("est", ""), ("est", "e"), ("iest", "y")),
    "adv": (("er", ""), ("er", "e"), ("est", ""), ("est", "e")),
}
_SHORTEST = 2  # letters of what an ending is taken from
Entry = tuple[str, str]  # part of speech, word


class _Table(NamedTuple):
    opposites: dict[Entry, frozenset[Entry]]
    irregular: dict[Entry, tuple[str, ...]]  # bought: buy


@lru_cache(maxsize=1 << 14)
def opposites(word: str) -> frozenset[Entry]:
    """What is the opposite of a word in any of its forms."""
    known = _table().opposites
    return frozenset().union(*(known.get(entry, ()) for entry in entries(word)))


@lru_cache(maxsize=1 << 14)
def entries(word: str) -> frozenset[Entry]:
    """What a word may be a form of."""
    irregular = _table().irregular
    return frozenset(
        (part, base) for part in ENDINGS for base in (word, *irregular.get((part, word), ()), *regular(word, part))
    )


def regular(word: str, part: str) -> list[str]:
    """What it is a form of, if it is a regular one: bigger may be of bigg, bigge and big."""
    found = []
    for ending, instead in ENDINGS[part]:
        base = word.removesuffix(ending)
        if _SHORTEST <= len(base) < len(word):
            found.append(base + instead)
            if not instead and len(base) > _SHORTEST and base[-1] == base[-2]:
                found.append(base[:-1])
    return found


@cache
def _table() -> _Table:
    pairs: dict[Entry, set[Entry]] = {}
    irregular: dict[Entry, tuple[str, ...]] = {}
    part = ""
    listed = _TABLE.read_text(encoding="utf-8").splitlines()
    for line, left_out in (*product(listed, (_LEFT_OUT,)), *product(_OWN.splitlines(), (frozenset[str](),))):
        form, is_form, word = line.partition(" = ")
        if line.startswith("["):
            part = line.strip("[]")
        elif is_form:
            irregular[part, form] = (*irregular.get((part, form), ()), word)
        for one, other in _pairs(line):
            if frozenset((one, other)) not in _USED_ALIKE and left_out.isdisjoint((one, other)):
                pairs.setdefault((part, one), set()).add((part, other))
                pairs.setdefault((part, other), set()).add((part, one))
    return _Table({entry: frozenset(others) for entry, others in pairs.items()}, irregular)


def _pairs(line: str) -> list[tuple[str, str]]:
    """The pairs of a line of the table; an underscore stands for a space."""
    if line.startswith("#"):
        return []
    ours, _, theirs = line.partition(" / ")
    prefix, _, turned = line.partition("-: ")
    pairs = [*product(ours.split(), theirs.split()), *((prefix + base, base) for base in turned.split())]
    return [(one.replace("_", " "), other.replace("_", " ")) for one, other in pairs]
