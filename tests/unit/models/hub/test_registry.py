"""Every entry of the registry says what is needed to get, check and cite it; names of no model are refused."""

import re
from pathlib import Path

import pytest

from paragauge.errors import InputError, ModelError
from paragauge.models import load_encoder
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


def test_an_unknown_encoder_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'all-MiniLM-L6-v2'"):
        load_encoder("all-MiniLM-L6")


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no model folder"):
        load_encoder(str(tmp_path / "nothing"))


def test_a_folder_that_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"has no config\.json"):
        load_encoder(str(tmp_path))


def test_the_hub_is_not_asked_when_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAGAUGE_OFFLINE", "1")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(ModelError, match="PARAGAUGE_OFFLINE is set"):
        load_encoder("paragauge-tests/no-such-model")


@pytest.mark.parametrize(("parameter", "value"), [("precision", "int4"), ("long", "cut")])
def test_unknown_settings(parameter: str, value: str) -> None:
    with pytest.raises(InputError, match=f"{parameter}='{value}' is unknown"):
        load_encoder("default", **{parameter: value})  # type: ignore[arg-type]
