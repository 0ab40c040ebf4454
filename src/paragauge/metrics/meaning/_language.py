"""Whether the texts are English, which a learned metric of meaning was trained on: counted, to be told of."""

from __future__ import annotations

from ...compute.workspace import Workspace
from ...rules.language import language
from ...tables.samples import Samples


def count_languages(samples: Samples, work: Workspace) -> None:
    """Note how many of the sources are read, and how many of them are clearly not English."""
    work.notes["sources|meaning"] += len(samples)
    work.notes["not English|meaning"] += sum(language(text) not in (None, "English") for text in samples.sources)
