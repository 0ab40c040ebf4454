"""Every entry of the registry says what is needed to get it, check it and cite it."""

import re

import pytest

from paragauge.errors import InputError
from paragauge.models.hub.registry import ALIASES, ENTRIES, Entry, entry_named


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_entries_are_complete(entry: Entry) -> None:
    assert entry.files
    assert entry.source.requirements or entry.source.packaged
    assert all(re.fullmatch("[0-9a-f]{64}", sha256) for sha256 in entry.files.values())
    assert all(("@" if entry.source.npm else "==") in requirement for requirement in entry.source.requirements)
    assert entry.size > 0
    assert all((entry.kind, entry.use, entry.languages, entry.licence, entry.citation))
    assert not entry.source.archive or len(entry.source.archive) == len(entry.source.requirements)
    if entry.kind == "encoder":
        assert entry.dimension
        assert entry.layers
        assert {"config.json", "tokenizer.json"} < set(entry.files)


def test_the_default_is_minilm_with_the_weights_of_the_hub() -> None:
    entry = entry_named("default")
    assert entry.name == "all-MiniLM-L6-v2"
    assert entry.files["model.safetensors"] == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    assert set(ALIASES.values()) <= set(ENTRIES)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'all-mpnet-base-v2'"):
        entry_named("all-mpnet-base-v3")
