"""Errors made on purpose in a text, each with its kind and its place before and after; and changes that do no harm."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from .lexicon import WORD, Lexicon

# what a word can be marked as; the first is none of them
KINDS = (
    *("kept", "number", "unit", "name", "negation", "quantifier", "modal", "tense", "person", "time", "opposite"),
    *("roles", "cause", "other", "added", "dropped", "broken"),
)


def _list(words: str) -> frozenset[str]:
    return frozenset(words.split())


FUNCTION_WORDS = _list(
    """a an the of to in on at by for with from and or but as is are was were be been has have had do does did not no it
    its he she they we you i his her their our your my this that these those there will would can could may might must
    if"""
)
_TENSES = {
    "is": ("was", "will be"), "are": ("were", "will be"), "was": ("is", "will be"), "were": ("are", "will be"),
    "has": ("had", "will have"), "have": ("had", "will have"), "had": ("has",), "does": ("did",), "did": ("does",),
    "will": ("did",), "begins": ("began",), "says": ("said",), "said": ("says",), "goes": ("went",),
    "went": ("goes",), "makes": ("made",), "gives": ("gave",), "takes": ("took",), "comes": ("came",),
    "keeps": ("kept",),
    "gets": ("got",), "runs": ("ran",), "writes": ("wrote",), "holds": ("held",), "sells": ("sold",),
    "finds": ("found",),
    "leaves": ("left",),
}  # fmt: skip
_AUXILIARIES = _list("is are was were am will would can could should may might must does do did has have had")
_OPENING = frozenset(".!?:\"'“")
_ADJUNCTS = _list("in on at with for during by after before from because if when who which")  # what they begin with
_DETERMINERS = _list("the a an his her their my our your")

Place = tuple[int, int]


class Made(NamedTuple):
    """A text after a change, and the words that it concerns, before and after."""

    text: str
    kind: str
    before: tuple[Place, ...]
    after: tuple[Place, ...]


class _Word(NamedTuple):
    text: str
    start: int
    end: int


Change = list[tuple[int, int, str]]  # from, to, what stands there instead; several make one change


def words_of(text: str) -> list[_Word]:
    """Words and marks with their places."""
    return [_Word(found.group(), found.start(), found.end()) for found in WORD.finditer(text)]


def make_error(text: str, lexicon: Lexicon, choose: random.Random, kinds: Sequence[str]) -> Made | None:
    """The text with one error of the first of these kinds, in a random order, that it offers a place for."""
    words = words_of(text)
    for kind in choose.sample(list(kinds), len(kinds)):
        changes = _MAKERS[kind](words, lexicon, choose) if kind in _MAKERS else _exchanged(words, lexicon, choose, kind)
        if changes:
            made = apply(text, choose.choice(changes), kind)
            if made and made.text.lower() != text.lower():
                return made
    return None


def apply(text: str, change: Change, kind: str) -> Made | None:
    """The text changed; double spaces go."""
    parts: list[str] = []
    before: list[Place] = []
    after: list[Place] = []
    place = length = 0
    for start, end, new in sorted(change):
        kept = text[place:start]
        if not new and kept.endswith(" ") and text[end : end + 1] in (" ", "", ".", ",", "?", "!"):
            kept = kept[:-1]
        parts.append(kept)
        length += len(kept)
        if text[start:end].strip():
            before.append((start, end))
        if new.strip():
            after.append((length + len(new) - len(new.lstrip()), length + len(new.rstrip())))
        parts.append(new)
        length += len(new)
        place = end
    parts.append(text[place:])
    made = "".join(parts)
    if made[:1].islower() and text[:1].isupper():
        made = made[0].upper() + made[1:]
    return Made(made, kind, tuple(before), tuple(after)) if made.strip() else None


def _cased(new: str, old: str) -> str:
    return new[0].upper() + new[1:] if old[:1].isupper() and old[1:] == old[1:].lower() and len(old) > 1 else new


def _exchanged(words: Sequence[_Word], lexicon: Lexicon, choose: random.Random, kind: str) -> list[Change]:
    table = lexicon.exchange[kind]
    changes: list[Change] = []
    for place, word in enumerate(words):
        pair = f"{word.text} {words[place + 1].text}".lower() if place + 1 < len(words) else ""
        if pair in table:
            changes.append([(word.start, words[place + 1].end, _cased(choose.choice(table[pair]), word.text))])
        others = table.get(word.text) or table.get(word.text.lower())
        if others:
            changes.append([(word.start, word.end, _cased(choose.choice(others), word.text))])
    return changes


def _number(words: Sequence[_Word], lexicon: Lexicon, choose: random.Random) -> list[Change]:
    changes = _exchanged(words, lexicon, choose, "number")
    for word in words:
        if word.text[0].isdigit():
            places = [place for place, sign in enumerate(word.text) if sign.isdigit()]
            place = choose.choice(places)
            digit = choose.choice([digit for digit in "123456789" if digit != word.text[place]])
            other = word.text[:place] + digit + word.text[place + 1 :]
            if len(places) > 1 and choose.random() < 0.3 and word.text.isdigit():
                swapped = word.text[0] + "".join(choose.sample(word.text[1:], len(word.text) - 1))
                other = swapped if swapped != word.text else other
            elif word.text.isdigit() and choose.random() < 0.2:
                other = word.text + "0"
            changes.append([(word.start, word.end, other)])
    return changes


def _negation(words: Sequence[_Word], lexicon: Lexicon, choose: random.Random) -> list[Change]:
    removed: list[Change] = []
    added: list[Change] = []
    for place, word in enumerate(words):
        low = word.text.lower().replace("’", "'")
        following = words[place + 1].text.lower() if place + 1 < len(words) else ""
        if low in lexicon.negated:
            removed.append(
                [(word.start, word.end, _cased(lexicon.negated[low], word.text) if lexicon.negated[low] else "")]
            )
        elif low.endswith("n't"):
            removed.append([(word.start, word.end, word.text[:-3])])
        elif low in _AUXILIARIES and following.isalpha() and following != "not" and place:
            contracted = (
                f"{word.text}n't" if low not in ("am", "may", "can", "will", "might") and choose.random() < 0.4 else ""
            )
            added.append([(word.start, word.end, contracted or f"{word.text} not")])
        elif low in ("all", "every", "everyone", "everybody") and choose.random() < 0.5:
            added.append([(word.start, word.start, _cased("not ", word.text))])
        elif (
            low.endswith("s")
            and low[:-1] in lexicon.verbs
            and place
            and words[place - 1].text.lower() in ("he", "she", "it")
        ):
            added.append([(word.start, word.end, f"doesn't {low[:-1]}")])
        elif low.endswith("ed") and place and words[place - 1].text[0].isupper() and (base := base_form(low, lexicon)):
            added.append([(word.start, word.end, f"did not {base}")])
    return removed if removed and choose.random() < 0.7 else added or removed


def base_form(word: str, lexicon: Lexicon) -> str:
    """The verb of a regular past; empty where it is none."""
    for base in (word[:-2], word[:-1], word[:-3]):
        if word.endswith("ed") and len(base) > 2 and base in lexicon.verbs:
            return base
    return ""


def _tense(words: Sequence[_Word], lexicon: Lexicon, choose: random.Random) -> list[Change]:
    changes: list[Change] = []
    for place, word in enumerate(words):
        low = word.text.lower()
        following = words[place + 1] if place + 1 < len(words) else None
        if low in _TENSES and place:
            changes.append([(word.start, word.end, choose.choice(_TENSES[low]))])
        elif low == "will" and following is not None and following.text in lexicon.verbs:
            verb = following.text
            past = verb + ("d" if verb.endswith("e") else "ed")
            changes.append([(word.start, following.end, choose.choice([past, f"has {past}", f"used to {verb}"]))])
        elif (
            place
            and (base := base_form(low, lexicon))
            and words[place - 1].text.lower() not in _AUXILIARIES | {"be", "been"}
        ):
            changes.append(
                [(word.start, word.end, choose.choice([f"will {base}", f"will {base}", f"is going to {base}"]))]
            )
    return changes


def _names_in(words: Sequence[_Word]) -> list[_Word]:
    return [
        word
        for before, word in pairwise(words)
        if word.text[0].isupper() and word.text[1:].islower() and before.text not in _OPENING and len(word.text) > 2
    ]


def _name(words: Sequence[_Word], lexicon: Lexicon, choose: random.Random) -> list[Change]:
    changes = _exchanged(words, lexicon, choose, "name")
    if lexicon.names:
        changes += [[(word.start, word.end, choose.choice(lexicon.names))] for word in _names_in(words)]
    return changes


def _roles(words: Sequence[_Word], lexicon: Lexicon, _: random.Random) -> list[Change]:
    named = _names_in(words)
    if words and words[0].text in lexicon.names:
        named = [words[0], *named]
    nouns = [
        noun
        for place, (before, noun) in enumerate(pairwise(words))
        if before.text.lower() in _DETERMINERS
        and noun.text.isalpha()
        and noun.text.islower()
        and (place + 2 >= len(words) or _ends_phrase(words[place + 2].text))
    ]
    changes: list[Change] = []
    for group in (named, nouns):
        for number, one in enumerate(group):
            for other in group[number + 1 :]:
                between = [word.text.lower() for word in words if one.end <= word.start and word.end <= other.start]
                if one.text.lower() != other.text.lower() and not {"and", "or"} & set(between) and len(between) > 1:
                    changes.append([(one.start, one.end, other.text), (other.start, other.end, one.text)])
    return changes


def _ends_phrase(following: str) -> bool:
    return following.lower() in FUNCTION_WORDS or not following[0].isalpha() or following.endswith(("ed", "s"))


def _opposite(words: Sequence[_Word], lexicon: Lexicon, choose: random.Random) -> list[Change]:
    changes = _exchanged(words, lexicon, choose, "opposite")
    for word in words:
        others = lexicon.antonyms.get(word.text.lower(), ())
        if others and len(word.text) > 2 and word.text.lower() not in FUNCTION_WORDS:
            changes.append([(word.start, word.end, _cased(choose.choice(others), word.text))])
    return changes


def _other(words: Sequence[_Word], lexicon: Lexicon, choose: random.Random) -> list[Change]:
    changes = _exchanged(words, lexicon, choose, "other")
    for word in words:
        low = word.text.lower()
        plural = low.endswith("s") and low[:-1] in lexicon.siblings
        others = lexicon.siblings.get(low[:-1] if plural else low, ())
        if others and low not in FUNCTION_WORDS and len(low) > 2:
            other = choose.choice(others)
            changes.append([(word.start, word.end, _cased(other + "s" if plural else other, word.text))])
    return changes


def _added(words: Sequence[_Word], lexicon: Lexicon, choose: random.Random) -> list[Change]:
    changes: list[Change] = [
        [(word.end, word.end, f" {choose.choice(lexicon.added['before_nouns'])}")]
        for place, word in enumerate(words[:-1])
        if word.text.lower() in ("the", "his", "her", "their", "my", "our", "your") and words[place + 1].text.isalpha()
    ]
    if words:
        last = words[-1].start if words[-1].text in (".", "!", "?") else words[-1].end
        for phrases in (lexicon.added["at_the_end"], lexicon.phrases):
            if phrases:
                changes += [[(last, last, f" {choose.choice(phrases)}")]] * (1 + len(changes) // 2)
    return changes


def _dropped(words: Sequence[_Word], lexicon: Lexicon, _: random.Random) -> list[Change]:
    """An adjunct at the end, what stands between commas, an adjective, or one of several joined by and."""
    changes: list[Change] = []
    ending = words[-1].text in (".", "!", "?") if words else False
    content = words[:-1] if ending else words
    for place in range(3, len(content)):
        word = content[place]
        rest = content[place:]
        if word.text.lower() in _ADJUNCTS and 2 <= len(rest) <= max(3, len(content) // 2):
            changes.append([(word.start, content[-1].end, "")])
    for place, word in enumerate(content[1:-1], 1):
        before, after = content[place - 1].text.lower(), content[place + 1]
        if (
            before in ("a", "an", "the", "his", "her", "very", "two", "three")
            and word.text.islower()
            and after.text.isalpha()
            and after.text.lower() not in FUNCTION_WORDS
            and word.text.isalpha()
            and word.text not in lexicon.siblings
        ):
            changes.append([(word.start, after.start, "")])
        if (
            word.text.lower() == "and"
            and place + 1 < len(content)
            and content[place - 1].text.isalpha()
            and after.text.isalpha()
        ):
            changes.append([(word.start, after.end, "")])
        if word.text.lower() in ("only", "almost", "nearly", "also", "again", "usually", "slightly", "partly"):
            changes.append([(word.start, after.start, "")])
    return changes


_MAKERS: Mapping[str, Callable[[Sequence[_Word], Lexicon, random.Random], list[Change]]] = {
    "number": _number, "negation": _negation, "tense": _tense, "name": _name, "roles": _roles, "opposite": _opposite,
    "other": _other, "added": _added, "dropped": _dropped,
}  # fmt: skip


_ONE_WAY = (  # of words that mean the same: these have another sense, in which they do not
    ("since", "because"), ("around", "about"), ("but", "however"), ("over", "more than"), ("under", "fewer than"),
    ("fast", "quickly"),
)  # fmt: skip


def harmless(text: str, lexicon: Lexicon, choose: random.Random, most: int = 2) -> str | None:
    """The text with one or two changes that leave its meaning; None where there is no place for any."""
    changed, done = text, 0
    pairs = [pair for one, other in lexicon.same.items() for pair in ((one, other), (other, one))]
    choose.shuffle(pairs)
    for one, other in pairs:
        if done == most:
            break
        found = re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", changed)
        if found and (one, other) not in _ONE_WAY:
            changed = changed[: found.start()] + other + changed[found.end() :]
            done += 1
    found = re.search(r"\b([A-Z][a-z]+|\d+ \w+) and ([A-Z][a-z]+|\d+ \w+)\b(?! \d)", changed)
    if found and done < most and not re.search(r"\b(between|from|respectively)\b", changed):
        changed = changed[: found.start()] + f"{found.group(2)} and {found.group(1)}" + changed[found.end() :]
        done += 1
    return changed if done else None
