"""An e-mail address that became another one."""

import re

from paragauge.verdict.findings import Outcome, Places, Span
from paragauge.verdict.rules import rule

ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.\w+")


@rule(Outcome.MEANING, kind="e-mail", english=False)
def address(source: str, candidate: str) -> list[Places]:
    """The first of each text, where they differ."""
    one, two = ADDRESS.search(source), ADDRESS.search(candidate)
    return [(Span(*one.span()), Span(*two.span()))] if one and two and one[0] != two[0] else []
