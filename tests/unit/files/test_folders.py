"""Where the cache is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from paragauge.files.folders import cache_folder


def test_the_cache_is_where_it_is_asked_to_be(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"


@pytest.mark.skipif(sys.platform != "linux", reason="XDG is of Linux")
@pytest.mark.parametrize("chosen", ["xdg", "", None])
def test_without_a_wish_it_is_in_the_cache_folder_of_the_user(chosen, monkeypatch, tmp_path):
    monkeypatch.delenv("PARAGAUGE_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    if chosen is None:
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", chosen and str(tmp_path / chosen))
    assert cache_folder() == (tmp_path / "xdg" if chosen else tmp_path / "home" / ".cache") / "paragauge"
    assert not Path(cache_folder()).exists(), "to ask makes nothing"
