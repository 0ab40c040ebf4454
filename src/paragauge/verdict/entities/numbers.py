"""The numbers of a text, written in digits or in words, with their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ..english import Word, words
from ..findings import Span

_ONES = """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen"""
_RANKS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"""
UNITS = {word: value for value, word in enumerate(_ONES.split(), 1)}
_DECADES = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 10 * value for value, word in enumerate(_DECADES.split(), 2)}
_ORDINALS = {word: value for value, word in enumerate(_RANKS.split(), 1)} | {"thirtieth": 30}
_SMALL = {"hundred": 1e2, "dozen": 12.0}
_LARGE = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_YEARS = {"decade": 10.0, "decades": 10.0, "centuries": 100.0}
_SHORT = {"k": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "mil": 1e6, "b": 1e9, "bn": 1e9, "tn": 1e12}
# said of many things next to numbers: they answer for a number in the other text, and are not missed by themselves
_LOOSE = {
    "half": (0.5, 50), "quarter": (0.25, 25), "once": (1,), "twice": (2,), "both": (2,), "couple": (2,), "pair": (2,),
    "double": (2,), "doubled": (2,), "tripled": (3,), "quadrupled": (4,), "halved": (0.5, 50), "century": (100,),
    "nineties": (90, 1990), "eighties": (80, 1980), "seventies": (70, 1970),
    "sixties": (60, 1960), "fifties": (50, 1950),
}  # fmt: skip
PLACES = (
    {"first", "second", "third", "fourth", "fifth"}, {"once", "twice"}, {"half", "quarter", "third"},
    {"doubled", "tripled", "quadrupled", "halved"}, {"hundred", "thousand", "million", "billion", "dozen"},
)  # fmt: skip
_BETWEEN = (" ", "-", " and ", "-and-", " a ")  # a: half a dozen
_FEW = frozenset({"one", *PLACES[0], *PLACES[1], *PLACES[2]})
_SPOKEN = frozenset({*UNITS, *_TENS, *_ORDINALS, *_SMALL, *_LARGE, *_YEARS, *_LOOSE})
_SCALES = _SMALL | _LARGE | _YEARS | _SHORT
_DIGIT = re.compile(r"\d")
_WRITTEN = re.compile(
    r"(?<![\w.])(?=\d)(?:(?P<hour>\d\d?)(?:[:.](?P<minute>[0-5]\d))? ?(?P<noon>[ap])\.?m\b"
    r"|(?P<clock>\d\d?):(?P<minutes>[0-5]\d)(?![\d:])"
    r"|(?P<over>\d\d?)/(?P<under>2|3|4|5|8|10)(?![\w/]|[.,]\d)"
    r"|(?P<decade>(?:\d\d)?\d0)s\b"
    r"|(?P<digits>\d+(?:[.,]\d+)*)(?:(?P<short>k|m[mn]?|mil|bn?|tn)\b"
    rf"|(?:[ -](?P<scale>{'|'.join([*_SMALL, *_LARGE, *_YEARS, 'bn', 'mn', 'mil'])})\b))?)",
    re.IGNORECASE,
)
_PARTS = {
    name: float(value)
    for value, names in enumerate(("half halves", "third", "quarter fourth", "fifth", "sixth", "seventh", "eighth"), 2)
    for name in names.split()
}
_FRACTION = re.compile(
    rf"(?<![\w-])(?P<over>{'|'.join(list(UNITS)[:9])})[ -](?P<under>{'|'.join(_PARTS)})s?\b", re.IGNORECASE
)
_RATIO = re.compile(
    rf"(?<![\w.,])(?P<over>\d\d?|{'|'.join(list(UNITS)[:9])}) (?:in|out of|in every|of every) "
    r"(?P<under>3|4|5|8|10|20|100|three|four|five|eight|ten|twenty)(?![\w.,:%-]*\d)\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    rf"\b(?P<minutes>five|ten|quarter|twenty|twenty-five|half)(?P<side> past| to)"
    rf" (?P<hour>{'|'.join(list(UNITS)[:12])}|\d\d?)\b",
    re.IGNORECASE,
)
_MINUTES = {"five": 5, "ten": 10, "quarter": 15, "twenty": 20, "twenty-five": 25, "half": 30}
_MOST = 300  # numbers of a text that are compared
_CURRENCY = "$€£¥₹"
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_POINTS = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+")  # 1.299,50; without a comma it could be a date or a version


class Number(NamedTuple):
    """What a number may be: 3.142 is a little more than three, or three thousand and more."""

    values: tuple[float, ...]
    span: Span
    loose: bool = False
    hours: tuple[float, ...] = ()  # of a time of the day
    parts: tuple[float, ...] = ()  # 4/5 is one number, or two
    digits: str = ""  # of one in digits alone: these, without separators of thousands


def numbers(text: str) -> list[Number]:
    """The numbers of a text, in order, as far as English words tell."""
    found = list(_written(text)) if _DIGIT.search(text) else []
    spoken = [word for word in words(text) if word.lower in _SPOKEN]
    phrases = [*_ratios(text), *_clock_times(text)]
    found = [one for one in found if not any(_overlap(one.span, phrase.span) for phrase in phrases)] + phrases
    if not spoken:
        return found
    found += _fractions(text)
    run: list[Word] = []
    runs = [run]
    for word in spoken:
        if any(_overlap(one.span, Span(word.start, word.end)) for one in found):
            continue
        if run and text[run[-1].end : word.start].lower() not in _BETWEEN:
            run = []
            runs.append(run)
        run.append(word)
    return sorted((*found, *(number for row in runs for number in _spoken(text, row))), key=_start)[:_MOST]


def exact_numbers(text: str) -> list[Number]:
    """The numbers that a text must not lose: not one, first or once, but those within words too: A4 and 2019年."""
    found = [one for one in numbers(text) if not one.loose]
    for inner in islice(_DIGITS.finditer(text), _MOST) if _DIGIT.search(text) else ():
        span = Span(*inner.span())
        if not any(_overlap(span, one.span) for one in found):
            found.append(Number(_values(inner.group()), span, digits=_plain(inner.group())))
    return found


def same(one: Number, other: Number) -> bool:
    """May both be the same number, or the same time?"""
    if one.hours and other.hours:
        return not set(one.hours).isdisjoint(other.hours)
    return any(value in other.values for value in one.values)


def same_digits(one: Number, other: Number) -> bool:
    """Are both the same, and if written in digits, of the same ones: 3.1 is another version than 3.10?"""
    return one.digits == other.digits if one.digits and other.digits else same(one, other)


def unmatched(
    ours: Iterable[Number], theirs: Iterable[Number], alike: Callable[[Number, Number], bool] = same
) -> tuple[list[Number], list[Number]]:
    """The numbers of each text that the other does not have, as often."""
    lost, new = _matched([one for one in ours if not one.loose], [one for one in theirs if not one.loose], alike)
    if lost and new:
        lost, _ = _matched(lost, [one for one in theirs if one.loose], alike)
        new, _ = _matched(new, [one for one in ours if one.loose], alike)
    return lost, new


def _matched(
    ours: list[Number], theirs: list[Number], alike: Callable[[Number, Number], bool]
) -> tuple[list[Number], list[Number]]:
    left = list(theirs)
    lost = []
    for number in ours:
        place = next((place for place, other in enumerate(left) if alike(number, other)), None)
        if place is None:
            lost.append(number)
        else:
            del left[place]
    return lost, left


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _start(number: Number) -> int:
    return number.span.start


def _written(text: str) -> Iterator[Number]:
    for found in islice(_WRITTEN.finditer(text), _MOST):
        span = Span(*found.span())
        if found["noon"] or found["clock"]:
            yield _time(found, span)
        elif found["decade"]:
            value = float(found["decade"])
            other = value + 1900 if value < 100 else value if value % 100 else value / 100 + 1  # the 1800s are the 19th
            yield Number((value, other, *(value + year for year in range(1, 10 if value % 100 else 1))), span)
        elif found["under"]:
            one, other = float(found["over"]), float(found["under"])
            yield Number(_part(one, other), span, parts=(one, other))
        else:
            short = (found["short"] or "").lower()
            scale = _SCALES.get(short or (found["scale"] or "").lower(), 1.0)
            values = tuple(scale * value for value in _values(found["digits"]))
            if short in ("k", "m", "mm", "b") and (not span.start or text[span.start - 1] not in _CURRENCY):
                values += _values(found["digits"])  # metres, millimetres
            if span.end - span.start == 2 and span.start and text[span.start - 1] in "'’":  # '85
                values += (1900 + values[0], 2000 + values[0])
            yield Number(values, span, digits="" if short or found["scale"] else _plain(found["digits"]))


def _plain(digits: str) -> str:
    if _THOUSANDS.fullmatch(digits):
        return digits.replace(",", "")
    return digits.replace(".", "").replace(",", ".") if _POINTS.fullmatch(digits) else digits


def _fractions(text: str) -> Iterator[Number]:
    """Two thirds; not one third, which may be said of places."""
    for found in islice(_FRACTION.finditer(text), _MOST):
        one, other = UNITS[found["over"].lower()], _PARTS[found["under"].lower()]
        if 1 < one < other:
            yield Number(_part(one, other), Span(*found.span()))


def _ratios(text: str) -> Iterator[Number]:
    """Seven in ten, 7 out of 10."""
    for found in islice(_RATIO.finditer(text), _MOST):
        over, under = (float(UNITS.get(word.lower()) or _TENS.get(word.lower()) or word) for word in found.groups())
        if over < under:
            yield Number(_part(over, under), Span(*found.span()), parts=(over, under))


def _clock_times(text: str) -> Iterator[Number]:
    """Ten past four, a quarter to nine."""
    for found in islice(_CLOCK.finditer(text), _MOST):
        minutes = _MINUTES[found["minutes"].lower()] / 60 * (1 if found["side"].lower() == " past" else -1)
        hour = float(UNITS.get(found["hour"].lower()) or found["hour"]) + minutes
        if 0 < hour < 24:
            hours = (hour, hour + 12)[: 2 if hour < 12 else 1]
            yield Number((*hours, *(value - 12 for value in hours if value > 12)), Span(*found.span()), hours=hours)


def _part(one: float, other: float) -> tuple[float, ...]:
    """As a share, and in percent."""
    return one / other, 100 * one / other


def _values(digits: str) -> tuple[float, ...]:
    """1,000 is a thousand, 2.5 and 2,5 are two and a half, 1.000 is a thousand or one; of 1.2.3 the digits count."""
    head, *rest = re.split(r"[.,]", digits)
    if not rest:
        return (float(head),)
    decimal = float(".".join(("".join((head, *rest[:-1])), rest[-1])))
    whole = float("".join((head, *rest)))
    marks = re.findall(r"[.,]", digits)
    if len(rest) == 1:
        if len(rest[0]) != 3 or head.startswith("0") or len(head) > 3:
            return (decimal,)
        return (whole,) if marks[0] == "," else (decimal, whole)
    thousands = all(len(part) == 3 for part in rest[:-1])
    return (decimal,) if thousands and marks[-1] not in marks[:-1] else (whole,)


def _time(found: re.Match[str], span: Span) -> Number:
    """3 pm is 15:00, and 3 for who says no more."""
    hour = float(found["hour"] or found["clock"])
    minutes = float(found["minute"] or found["minutes"] or 0) / 60
    hours: tuple[float, ...]
    if found["noon"]:
        hours = (hour % 12 + (12 if found["noon"].lower() == "p" else 0) + minutes,)
    else:
        hours = (hour + minutes, hour + 12 + minutes)[: 2 if hour <= 12 else 1]
    return Number((hour + minutes, *hours, *(value - 12 for value in hours if value > 12)), span, hours=hours)


def _spoken(text: str, run: Sequence[Word]) -> Iterator[Number]:
    """The numbers in a row of words: three hundred and fifty is one, two and three are two."""
    own: list[Word] = []
    total = current = 0.0
    last = ""
    for word in run:
        kind, value = _kind(word.lower)
        joined = bool(own) and "and" in text[own[-1].end : word.start].lower()
        if own and (not _goes_on(last, current, kind, value) or (joined and last not in ("scale", "bare"))):
            yield _number(own, total + current, last)
            own, total, current, last = [], 0.0, 0.0, ""
        own.append(word)
        if kind == "scale" and value < 1000:
            current = (current or 1.0) * value
            last = "scale" if last or word.lower == "dozen" else "bare"
        elif kind == "scale":
            total, current, last = total + (current or 1.0) * value, 0.0, "scale" if last else "bare"
        elif kind == "years":
            current, last = (current or 1.0) * value, "years" if last else "bare"
        elif kind == "tens" and last in ("unit", "tens"):
            current, last = 100 * current + value, "tens"  # nineteen ninety
        else:
            current, last = current + value, kind
    if own:
        yield _number(own, total + current, last)


def _kind(word: str) -> tuple[str, float]:
    for kind, known in (("unit", UNITS), ("tens", _TENS), ("ordinal", _ORDINALS), ("years", _YEARS)):
        if word in known:
            return kind, known[word]
    return ("loose", _LOOSE[word][0]) if word in _LOOSE else ("scale", _SCALES[word])


def _goes_on(last: str, current: float, kind: str, value: float) -> bool:
    """Is it one number with the words before it?"""
    if kind in ("scale", "years"):
        return last in ("unit", "tens", "scale", "loose") and current in (*range(1, 1000), 0, 0.5)
    if kind == "tens" and last in ("unit", "tens"):
        return 13 <= current <= 20
    return kind != "loose" and (last in ("scale", "bare") or (last == "tens" and value < 10))


def _number(own: Sequence[Word], value: float, last: str) -> Number:
    """A word by itself may be no more than loosely a number."""
    if len(own) == 1 and own[0].lower in _LOOSE:
        return Number(_LOOSE[own[0].lower], Span.of(*own), loose=True)
    return Number((value,), Span.of(*own), loose=last == "bare" or (len(own) == 1 and own[0].lower in _FEW))
