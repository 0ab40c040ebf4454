"""English inflection: the plural, third person, past, participle, gerund, comparative and superlative of a word."""

from __future__ import annotations

import re
from collections.abc import Collection

FORMS = {
    "noun": ("base", "plural"),
    "verb": ("base", "third", "past", "participle", "gerund"),
    "adj": ("base", "comparative", "superlative"),
    "adv": ("base",),
}
_VOWELS = "aeiou"
# base, past, participle; both are one where only one is given
_IRREGULAR = {
    base: (past[0], past[-1])
    for base, *past in (
        entry.split()
        for entry in """arise arose arisen|awake awoke awoken|be was been|bear bore borne|beat beat beaten
        become became become|begin began begun|bend bent|bet bet|bind bound|bite bit bitten|bleed bled
        blow blew blown|break broke broken|breed bred|bring brought|build built|burst burst|buy bought
        cast cast|catch caught|choose chose chosen|cling clung|come came come|cost cost|creep crept|cut cut
        deal dealt|dig dug|do did done|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten
        fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fling flung|fly flew flown
        forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen
        get got gotten|give gave given|go went gone|grind ground|grow grew grown|hang hung|have had
        hear heard|hide hid hidden|hit hit|hold held|hurt hurt|keep kept|kneel knelt|know knew known
        lay laid|lead led|leave left|lend lent|let let|lie lay lain|light lit|lose lost|make made|mean meant
        meet met|overcome overcame overcome|pay paid|put put|quit quit|read read|ride rode ridden
        ring rang rung|rise rose risen|run ran run|say said|see saw seen|seek sought|sell sold|send sent
        set set|shake shook shaken|shed shed|shine shone|shoot shot|show showed shown|shrink shrank shrunk
        shut shut|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken
        spend spent|spin spun|split split|spread spread|spring sprang sprung|stand stood|steal stole stolen
        stick stuck|sting stung|strike struck|strive strove striven|swear swore sworn|sweep swept
        swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought
        throw threw thrown|tread trod trodden|understand understood|undertake undertook undertaken
        upset upset|wake woke woken|wear wore worn|weave wove woven|weep wept|win won|wind wound
        withdraw withdrew withdrawn|write wrote written""".replace("\n", "|").split("|")
    )
}


def inflect(base: str, form: str, irregular: Collection[str] = ()) -> str | None:
    """A form of a word given by its base; None where English has none in one word (`more careful`).

    `irregular` are forms of the word that a lexicon lists, such as `stopped` and `mice`.

    >>> inflect("carry", "past"), inflect("go", "participle"), inflect("box", "plural"), inflect("vast", "superlative")
    ('carried', 'gone', 'boxes', 'vastest')
    """
    match form:
        case "base":
            return base
        case "plural":
            return next((one for one in sorted(irregular) if one != base), None) or _with_s(base)
        case "third":
            return {"be": "is", "have": "has", "do": "does", "go": "goes"}.get(base) or _with_s(base)
        case "past" | "participle":
            if base in _IRREGULAR:
                return _IRREGULAR[base][form == "participle"]
            return _listed(irregular, "ed") or _suffixed(base, "ed")
        case "gerund":
            return _listed(irregular, "ing") or (base[:-2] + "ying" if base.endswith("ie") else _suffixed(base, "ing"))
        case "comparative" | "superlative":
            ending = "er" if form == "comparative" else "est"
            return _listed(irregular, ending) or (_suffixed(base, ending) if _compares(base) else None)
    raise ValueError(f"no form {form!r} of a word")


def form_of(word: str, base: str, part: str, irregular: Collection[str] = ()) -> tuple[str, ...]:
    """Which forms of the base a word may be: `walked` is past or participle; none where it is not a form of it."""
    return tuple(form for form in FORMS[part] if inflect(base, form, irregular) == word)


def _listed(irregular: Collection[str], ending: str) -> str | None:
    return next((one for one in sorted(irregular) if one.endswith(ending)), None)


def _with_s(base: str) -> str:
    if re.search(r"(?:s|x|z|ch|sh)$", base):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ies"
    return base + "s"


def _suffixed(base: str, ending: str) -> str:
    """Regular spelling: late + er, stop + ed, carry + ed."""
    if base.endswith("e") and not (ending == "ing" and base.endswith(("ee", "oe", "ye"))):
        return base[:-1] + ending
    if base.endswith("y") and base[-2:-1] not in _VOWELS and ending != "ing":
        return base[:-1] + "i" + ending
    if re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprt]", base) and not base.endswith("k"):
        return base + base[-1] + ending
    return base + ending


def _compares(base: str) -> bool:
    """Has it a comparative in one word: one syllable, or two that end in y?"""
    syllables = len(re.findall(r"[aeiouy]+", base[:-1] if base.endswith("e") else base))
    return syllables == 1 or (syllables == 2 and base.endswith("y"))
