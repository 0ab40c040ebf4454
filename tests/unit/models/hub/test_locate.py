"""Names that are no model are answered in one sentence."""

from pathlib import Path

import pytest

from paragauge.errors import InputError, ModelError
from paragauge.models import load_encoder


def test_an_unknown_name() -> None:
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
