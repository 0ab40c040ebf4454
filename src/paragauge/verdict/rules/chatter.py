"""What a model says around its paraphrase: an announcement, a label, several answers, markup, a remark, a refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings import Outcome, Places, Span
from . import rule

_MARK = r"(?:\*\*|__|\*|#+ ?)?"
_THING = (
    r"(?:paraphras\w*|re-?phras\w*|re-?word\w*|re-?writ\w*|rewrote|revis\w*|version|rendition|alternatives?|options?|"
    r"sentences?|clause|text|wording|summary|simplif\w*|translation|ways? (?:of|to)|other words|another way)"
)
_SORT = r"formal|informal|polite|casual|simple|simplified|short|shorter|long|longer|revised|improved|better|new"
_LABEL = (
    rf"(?:(?:my |the |a |your )?(?:(?:more )?(?:{_SORT})\s+)?"
    r"(?:paraphrased?|paraphrasing|rephrased|reworded|rewritten|rewrite|rewording|output|answer|assistant|user|"
    r"candidate|version|rendition|result|response|option|alternative|shorter|longer|simplified|original|source|input)"
    r"(?: (?:sentence|text|version|notice|question|clause|\d+|[a-c]))?)"
)
_YES = r"sure(?: thing)?|certainly|of course|absolutely|great question|gladly|no problem"
_END = r"(?:^|[.!?\"”)]\s+|\()"  # of a sentence, before a remark
_SIGNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # announced: Sure! Here's …:, Of course! …, Okay, let me rephrase that:
        rf"^\W{{0,3}}(?:(?:{_YES}|okay|ok|alright|yes)\b[^:.!?\n]{{0,30}}[:!.,]\s+)?"
        r"(?:here(?:'s|’s| is| are| you go| goes)|let me|i would|i'd|this|try|that|one|you could|it)\b"
        rf"[^:\n]{{0,60}}?{_THING}[^:\n]{{0,60}}[:–—]",
        rf"^\W{{0,3}}(?:{_YES}|here you go)[!:]\s",
        r"^\W{0,3}(?:sure|certainly|of course|yes|okay|ok)[,.:!][^.!?\n]{0,50}:(?=\s)",
        # labelled
        rf"^\W{{0,3}}{_MARK}{_LABEL}{_MARK}\s*[:=]{_MARK}(?=\s)",
        rf"(?:(?<=[.!?\"”])\s+|\n){_MARK}{_LABEL}{_MARK}\s*:{_MARK}(?=\s)",
        r"^\s*(?:q|user|prompt|subject)\s*:\s",
        # several answers
        r"(?:^|\s)(?:1[.)]|a\))\s[^\n]{8,300}?\s(?:2[.)]|b\))\s",
        r"[.!?\"”)]\s+\(?(?:or|alternatively|another option|other options?|also possible)\s*[:,]?\s*:",
        rf"{_END}alternatively:",
        # markup
        r"\*\*[^*\n]{1,40}:?\*\*",
        r"```|^\s*(?:#{1,6}|[-*•>])\s+\S|</?(?:p|b|i|em|strong|br|div|span|li|ul)\s*/?>",
        # remarks
        rf"{_END}(?:note|explanation|tone|word count|changes(?: made)?|length|style)\s*:",
        r"[(\[](?:note|tone|i (?:kept|have kept|preserved|left|changed|used|made|'ve|assume)|no changes|same meaning|"
        r"the (?:tone|meaning)|word count|length|paraphrased?|rephrased|rewritten|formal|informal|alternatively)\b"
        r"[^)\]]{0,300}[)\]]",
        rf"{_END}(?:i hope (?:this|that) helps|hope (?:this|that) helps|let me know (?:if|whether)|"
        r"feel free to (?:ask|let)|is there anything else i can|"
        r"i (?:kept|have kept|preserved|'ve kept|made sure) (?:the|it|all|both)|"
        r"(?:would you like|do you want|shall i|should i|want)(?: me)?(?: to)? (?:\w+ ){0,3}"
        r"(?:version|shorter|shorten|formal|option|alternative|rephrase|reword|rewrite|adjust|tweak))\b[^\n]{0,300}$",
        # the talk of a chat, and marks of a model or of a program
        rf"^\W{{0,3}}(?:{_YES}|okay|ok|understood|got it|noted|alright|hmm+|happy to help|here you go)"
        r"(?:[.!:]|\s?[–—-]\s|,? (?:so |here|i(?:'d|’d|'ll|’ll| can| will| understand)\b)|\s?[\U0001F300-\U0001FAFF])",
        r"^\W{0,3}(?:i understand (?:your|the) request|let me (?:think|try)|final answer|to rephrase)\b",
        r"<\|[^|>\n]{1,40}\|>|</?s>|\[/?INST\]|</?think>|<(?:eos|pad|bos)>|<</?sys>>|\[/?(?:end|start)\b[^\]\n]{0,30}\]|<(\w{3,30})>[^<]+</\1>",
        r"^\s*(?:user|human|assistant|model|system)\s*(?:\n|:)|\s(?:human|user|assistant)\s?:\s",
        r"^\s*[\[{]\s*[\"“'][^\"\n]{1,40}[\"”']\s*:|^\s*(?://|return\b|\|)\s?\S|\|\s?-{3,}|~~[^~]+~~|\n-{3,}(?:\n|$)",
        r"^\s*(\*\*|__|\*|_)(?=\S)[^\n]+\1\s*$",
        # it speaks of itself, in words that no other text needs
        r"\b(?:paraphras(?:e|es|ed|ing)|re-?phras(?:e|ed|ing)|re-?word(?:ed|ing)?|phrasing|restatement|restated)\b",
        r"\b(?:(?:active|passive) voice|meaning (?:is )?preserved|"
        r"same (?:idea|meaning|thing) in (?:other|different) words|"
        r"another way (?:to|of) (?:say|put)\w*|how i would (?:put|say)|(?:literary|formal|informal) register|"
        r"(?:the|your) (?:original|source) (?:text|sentence|says|does)|capture the meaning|sound natural)\b",
        # two answers side by side
        r"[.!?\"”]\s+(?:or maybe|or perhaps|or simply|better(?: still| yet)?|actually, a more)\b",
        # refused
        r"\bas an ai\b|\b(?:language model|AI assistant)\b",
        r"^\W{0,3}(?:i'?m|i am|we'?re)?\s*(?:sorry|afraid)\b[^.\n]{0,30}\b(?:i|we) (?:can'?t|can’t|cannot|am unable|"
        r"am not able)\b[^.\n]{0,40}\b(?:rephrase|paraphrase|reword|rewrite|help|assist|comply|do that|provide|answer)",
        r"^\W{0,3}i (?:can'?t|cannot|can’t) (?:rephrase|paraphrase|reword|rewrite|verify this|comply|assist|fulfil)\b",
    )
)
_BEFORE = re.compile(r"[.!?\"”)]*\s+")  # the end of the sentence before
_QUOTES = (("“", "”"), ('"', '"'), ("«", "»"), ("'", "'"), ("‘", "’"), ("`", "`"))


@rule(Outcome.CHATTER, kind="not only the paraphrase", english=False)
def chatter(source: str, candidate: str) -> list[Places]:
    """The first sign in the candidate that the source does not show too; a copy is just that."""
    if source.split() == candidate.split():
        return []
    found = next((sign for sign in _SIGNS if sign.search(candidate) and not sign.search(source)), None)
    if found is not None:
        match = found.search(candidate)
        assert match is not None
        shown = match.group()
        end_before = _BEFORE.match(shown)
        begin = match.start() + (end_before.end() if end_before else 0)
        return [(None, Span(begin, max(begin + 1, match.start() + len(shown.rstrip()))))]
    if doubled := _doubled(source, candidate):
        return [(None, doubled)]
    if next(_quoted(candidate), False) and not next(_quoted(source), False) and not set(source) & set('"“”«»'):
        return [(None, Span(0, len(candidate)))]
    return []


def _doubled(source: str, candidate: str) -> Span | None:
    """What stands on additional lines, or after a slash, where the source has none."""
    if "\n" not in source.strip() and (lines := candidate.strip().split("\n", 1))[1:]:
        begin = candidate.index("\n", len(candidate) - len(candidate.lstrip()))
        return Span(begin + len(lines[1]) - len(lines[1].lstrip()) + 1, len(candidate.rstrip()))
    sides = re.split(r"\s(?:/|vs\.)\s", candidate)
    if len(sides) == 2 and not re.search(r"\s(?:/|vs\.)\s", source) and all(len(side.split()) > 4 for side in sides):
        return Span(len(candidate) - len(sides[1]), len(candidate))
    return None


def _quoted(text: str) -> Iterator[bool]:
    """Is all of it in quotes?"""
    text = text.strip()
    for opening, closing in _QUOTES:
        inner = text[1:-1]
        if len(text) > 2 and text[0] == opening and text[-1] == closing and not {opening, closing} & set(inner):
            yield True
