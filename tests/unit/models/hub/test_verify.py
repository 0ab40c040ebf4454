"""A remembered checksum is given only for a file that did not change."""

import hashlib
import os
import time
from pathlib import Path

import pytest

from paragauge.models.hub.verify import file_sha256

pytestmark = pytest.mark.usefixtures("empty_cache")


def settled(path: Path, data: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that, as far as the clock tells, was written a while ago."""
    path.write_bytes(data)
    later = time.time_ns() + 10**10
    monkeypatch.setattr(time, "time_ns", lambda: later)
    return path


def test_the_same_as_hashlib(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"weights")
    assert file_sha256(file) == hashlib.sha256(b"weights").hexdigest()


def test_a_change_is_seen_even_if_size_and_time_are_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = settled(tmp_path / "file", b"weights", monkeypatch)
    file_sha256(file)
    status = file.stat()
    file.write_bytes(b"wEights")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert file_sha256(file) == hashlib.sha256(b"wEights").hexdigest()


def test_a_known_file_is_not_read_again_unless_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = settled(tmp_path / "file", b"weights", monkeypatch)
    right = file_sha256(file)
    (note,) = (tmp_path / "cache" / "checksums").iterdir()
    note.write_text(note.read_text().replace(right, "0" * 64))
    assert file_sha256(file) == "0" * 64  # the note was believed, so the file was not read
    assert file_sha256(file, recheck=True) == right


def test_a_file_written_a_moment_ago_is_not_remembered(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"weights")
    file_sha256(file)
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"stamp": 1}', b"\xff\xfe"])
def test_a_damaged_note_counts_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes) -> None:
    file = settled(tmp_path / "file", b"weights", monkeypatch)
    right = file_sha256(file)
    (note,) = (tmp_path / "cache" / "checksums").iterdir()
    note.write_bytes(damage)
    assert file_sha256(file) == right


def test_an_unwritable_cache_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").write_text("a file where the folder should be")
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "plain"))
    file = settled(tmp_path / "file", b"weights", monkeypatch)
    assert file_sha256(file) == hashlib.sha256(b"weights").hexdigest()
