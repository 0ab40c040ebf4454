"""The table of opposites is what its command writes."""

from __future__ import annotations

import pytest

from paragauge.models.hub.registry import entry_named
from paragauge.models.hub.verify import present_folder
from paragauge.models.lexical.wordnet import load_wordnet
from paragauge_research.training.meaning.opposites import TABLE, table


def test_the_table_is_what_the_command_writes() -> None:
    folder = present_folder(entry_named("wordnet"))
    if folder is None:
        pytest.skip("WordNet 3.0 is not here: `paragauge models get wordnet`")
    assert table(load_wordnet(str(folder))) == TABLE.read_text(encoding="utf-8")


def test_the_notice_that_wordnet_asks_for_is_beside_it() -> None:
    notice = TABLE.with_suffix(".license").read_text(encoding="utf-8")
    assert "WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved." in notice
    assert 'THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS"' in notice
    assert "antonyms.license" in TABLE.read_text(encoding="utf-8").partition("[noun]")[0]
    assert TABLE.stat().st_size < 65_000
