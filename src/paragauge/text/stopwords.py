"""English function words: those that carry grammar rather than content."""

from __future__ import annotations

import re

STOP_WORDS = frozenset(
    re.findall(
        r"\S+",
        """
    a an the this that these those each every either neither some any no none all both half many much few little more
    most several such own same other another
    i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself we us
    our ours ourselves they them their theirs themselves one ones who whom whose which what whatever whichever whoever
    someone somebody something anyone anybody anything everyone everybody everything nobody nothing
    and or but nor so yet for because although though while whereas if unless until since as than whether
    of in on at by to from with without within into onto upon about above below under over between among through during
    before after against toward towards across along around behind beside besides beyond near off out up down per via
    be am is are was were been being have has had having do does did doing done
    will would shall should can could may might must ought need dare cannot
    not n't never also too very just only even still again ever else there here where when why how then now once
    's 're 've 'll 'd 'm don doesn didn isn aren wasn weren won wouldn shan shouldn couldn mustn hasn haven hadn ain
    """,
    )
)


def is_stop_word(word: str) -> bool:
    """Is it a function word, whatever its case?

    >>> is_stop_word("The"), is_stop_word("cat")
    (True, False)
    """
    return word.lower().replace("’", "'") in STOP_WORDS
