"""Where the cache is; temporary folders go, whatever becomes of the process that made them."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from paragauge.files.folders import LOCK, TemporaryFolder, cache_folder, remove_abandoned

HOLDER = (
    "import sys; from paragauge.files.folders import TemporaryFolder\n"
    "folder = TemporaryFolder(); (folder.path / 'content').write_text('x'); print(folder.path, flush=True)\n"
    "sys.stdin.read()\n"
)


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary ones, here and in the processes started here."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_goes_when_it_is_closed_or_forgotten(temporary: Path) -> None:
    with TemporaryFolder() as path:
        (path / "content").write_text("x")
        assert list(temporary.iterdir()) == [path]
    assert list(temporary.iterdir()) == []
    forgotten = TemporaryFolder()
    assert list(temporary.iterdir()) == [forgotten.path]
    del forgotten
    assert list(temporary.iterdir()) == []


def test_the_folder_of_a_killed_process_is_removed_by_the_next_and_no_other() -> None:
    command = [sys.executable, "-c", HOLDER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        left = Path(holder.stdout.readline().strip())
        own = TemporaryFolder()
        assert remove_abandoned() == []
        assert (left / "content").exists()
        holder.kill()
    assert left.exists()
    following = TemporaryFolder()
    assert not left.exists()
    assert own.path.exists()
    assert following.path.exists()


def test_folders_that_only_look_like_ours_stay(temporary: Path) -> None:
    (temporary / "paragauge-results").mkdir()
    (temporary / "paragauge-results" / "thesis.tex").write_text("years of work")
    (temporary / "elsewhere").mkdir()
    (temporary / "elsewhere" / LOCK).touch()
    (temporary / "paragauge-link").symlink_to(temporary / "elsewhere")
    (temporary / "paragauge-file").touch()
    assert remove_abandoned() == []
    assert (temporary / "paragauge-results" / "thesis.tex").exists()
    assert (temporary / "elsewhere" / LOCK).exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_leaves_the_folder_to_its_parent() -> None:
    folder = TemporaryFolder()
    child = os.fork()
    if not child:
        folder.close()
        os._exit(0)
    os.waitpid(child, 0)
    assert folder.path.exists()
    assert remove_abandoned() == []  # it is still held


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
