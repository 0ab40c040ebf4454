"""Whether the texts are English, which a learned metric of meaning was trained on: counted, to be told of."""

from __future__ import annotations

from ...compute.workspace import Workspace
from ...tables.notices import NoticeKind
from ...tables.samples import Samples
from ...verdict.language import language


def count_languages(samples: Samples, work: Workspace) -> None:
    """Note how many different sources are read, and how many of them are clearly not English."""
    for text in dict.fromkeys(samples.sources):
        if work.is_new("language", text):
            work.notices.add(NoticeKind.NOT_ENGLISH, "meaning", language(text) not in (None, "English"), 1)
