"""The disk cache: what is damaged is absent, what is too much goes, and processes can share it."""

import os
import random
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paragauge.compute.store import FeatureStore
from paragauge.errors import InputError


def written(path: Path, count: int = 50, size: int = 200) -> dict[str, bytes]:
    """A closed store with some values; SQLite's journal is in the file after closing."""
    values = {f"key {number}": bytes([number % 256]) * size for number in range(count)}
    store = FeatureStore(path)
    store.write("feature", values.items())
    store.close()
    return values


def reread(path: Path, keys: list[str], signature: str = "feature") -> dict[str, bytes]:
    store = FeatureStore(path)
    found = store.read(signature, keys)
    store.close()
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(
    values=st.dictionaries(st.text(max_size=10), st.binary(max_size=100), max_size=20), signature=st.text(max_size=5)
)
def test_round_trip(values, signature, tmp_path):
    store = FeatureStore(tmp_path / "store.sqlite")
    store.write(signature, values.items())
    assert store.read(signature, [*values, "never written \0"]) == values
    assert store.read(signature + "'", list(values)) == {}
    store.close()
    assert reread(tmp_path / "store.sqlite", list(values), signature) == values


def test_more_keys_than_sqlite_takes_in_one_query(path):
    values = written(path, count=2_345, size=10)
    assert reread(path, list(values)) == values


def test_the_last_value_counts(path):
    store = FeatureStore(path)
    store.write("feature", [("key", b"old")])
    store.write("feature", [("key", b"new")])
    assert store.read("feature", ["key"]) == {"key": b"new"}
    assert len(store) == 1
    store.close()


def test_a_damaged_value_is_absent(path):
    values = written(path)
    content = bytearray(path.read_bytes())
    place = content.index(values["key 7"])
    content[place + 3] ^= 0x01  # one bit inside one value
    path.write_bytes(content)
    assert reread(path, list(values)) == {key: value for key, value in values.items() if key != "key 7"}


@pytest.mark.parametrize(
    "damage",
    [
        "value = CAST(x'00' || substr(value, 2) AS BLOB)",
        "value = x'0102'",
        "value = 'text'",
        "value = CAST(x'ff80' AS TEXT)",
        "value = 7",
        "value = (SELECT value FROM entry WHERE rowid = 2)",
        "used = 'long ago', value = x''",
        "used = 'long ago'",  # which does no harm
    ],
)
def test_an_entry_that_makes_no_sense_is_absent(path, damage):
    values = written(path)
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE entry SET {damage} WHERE rowid = 1")
    connection.close()
    absent = {"key 0"} if "value" in damage else set()
    assert reread(path, list(values)) == {key: value for key, value in values.items() if key not in absent}


def test_a_value_written_anew_replaces_the_damaged_one(path):
    values = written(path)
    content = path.read_bytes()
    path.write_bytes(content.replace(values["key 7"], b"?" * len(values["key 7"])))
    store = FeatureStore(path)
    assert "key 7" not in store.read("feature", list(values))
    store.write("feature", [("key 7", values["key 7"])])
    store.close()
    assert reread(path, list(values)) == values


@pytest.mark.parametrize("seed", range(20))
def test_a_file_damaged_anywhere_never_gives_a_wrong_value(path, seed, capsys):
    """Bytes flipped all over: whatever SQLite makes of it, a value is right or absent, and the store works on."""
    values = written(path, count=200)
    content = bytearray(path.read_bytes())
    chance = random.Random(seed)
    for _ in range(chance.choice([1, 10, 1_000])):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)
    store = FeatureStore(path)
    found = store.read("feature", list(values))
    assert all(values[key] == value for key, value in found.items())
    store.write("feature", values.items())
    again = store.read("feature", list(values))
    assert all(values[key] == value for key, value in again.items())
    store.close()
    capsys.readouterr()


@pytest.mark.parametrize("content", [b"this is not a database" * 100, b"SQLite format 3\0" + b"\xff" * 4_080])
def test_a_damaged_file_is_set_aside(path, content, capsys):
    path.write_bytes(content)
    store = FeatureStore(path)
    store.write("feature", [("key", b"value")])
    assert store.read("feature", ["key"]) == {"key": b"value"}
    store.close()
    assert path.with_suffix(".damaged").read_bytes() == content
    assert "is damaged" in capsys.readouterr().err


def test_the_journal_of_a_damaged_file_is_not_taken_for_the_new_ones(path, capsys):
    values = written(path, count=200)
    code = (
        "import os, sqlite3, sys; connection = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "connection.execute('UPDATE entry SET used = used + 1 WHERE rowid = 100'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert Path(f"{path}-wal").stat().st_size > 0
    path.write_bytes(b"no database" * 1_000)
    store = FeatureStore(path)
    store.write("feature", values.items())
    assert store.read("feature", list(values)) == values
    assert store._connection.execute("PRAGMA integrity_check").fetchone() == (b"ok",)
    store.close()
    capsys.readouterr()


def test_a_store_in_use_is_not_taken_for_a_damaged_one(path, monkeypatch):
    written(path)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, **options | {"timeout": 0}))
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        FeatureStore(path)
    holder.close()
    assert not path.with_suffix(".damaged").exists()


def test_an_emptied_file_is_begun_anew(path):
    written(path)
    path.write_bytes(b"")
    assert reread(path, ["key 1"]) == {}


def test_the_bound_is_kept_and_the_longest_unused_go_first(tmp_path, monkeypatch):
    day = 86_400
    now = 1_000 * day
    monkeypatch.setattr("paragauge.compute.store.time.time", lambda: now)
    limit = 400_000
    store = FeatureStore(tmp_path / "store.sqlite", limit)
    for _ in range(10):
        store.write(f"day {now // day}", [(str(number), os.urandom(1_000)) for number in range(60)])
        now += day
        assert store.read("day 1000", ["0"]), "what is read every day stays"
        assert store.size() <= limit
    present = [len(store.read(f"day {1_000 + age}", [str(number) for number in range(60)])) for age in range(10)]
    assert present[-1] == 60
    assert 1 <= present[0] < 60
    assert present[1:] == sorted(present[1:]), "an older entry outlived a younger one"
    assert sum(present) * 1_000 > 0.5 * limit, "far more went than had to"
    store.close()
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 1.2 * limit


def test_one_batch_larger_than_the_bound(path):
    store = FeatureStore(path, limit=100_000)
    store.write("feature", [(str(number), os.urandom(1_000)) for number in range(1_000)])
    assert store.size() <= 100_000
    store.write("feature", [("key", b"value")])
    assert store.read("feature", ["key"]) == {"key": b"value"}
    store.close()


WRITER = textwrap.dedent("""
    import sys
    from pathlib import Path
    from paragauge.compute.store import FeatureStore

    store = FeatureStore(Path(sys.argv[1]))
    for batch in range(20):
        store.write("feature", [(f"{sys.argv[2]} {batch} {n}", f"{sys.argv[2]}{batch}{n}".encode()) for n in range(50)])
        assert len(store.read("feature", [f"{sys.argv[2]} {batch} {n}" for n in range(50)])) == 50
    store.close()
""")


def test_processes_that_write_at_once_lose_nothing(path):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), name], stderr=subprocess.PIPE, text=True)
        for name in ("one", "two", "three")
    ]
    for writer in writers:
        _, errors = writer.communicate(timeout=120)
        assert (writer.returncode, errors) == (0, "")
    keys = [f"{name} {batch} {n}" for name in ("one", "two", "three") for batch in range(20) for n in range(50)]
    assert reread(path, keys) == {key: key.replace(" ", "").encode() for key in keys}


def test_a_process_that_is_killed_leaves_a_sound_store(path):
    code = WRITER.replace("store.close()", "import os; os.kill(os.getpid(), 9)")
    ended = subprocess.run([sys.executable, "-c", code, str(path), "one"], capture_output=True, check=False)
    assert ended.returncode == -9
    keys = [f"one {batch} {n}" for batch in range(20) for n in range(50)]
    assert len(reread(path, keys)) == 1_000


def test_a_full_disk_only_means_that_nothing_is_remembered(path, capsys):
    store = FeatureStore(path)
    store.write("feature", [("before", b"value")])
    store._connection.execute(f"PRAGMA max_page_count = {store._connection.execute('PRAGMA page_count').fetchone()[0]}")
    store.write("feature", [(str(number), os.urandom(5_000)) for number in range(100)])
    assert "could not be written" in capsys.readouterr().err
    assert store.read("feature", ["before", "1"]) == {"before": b"value"}
    store.close()


@pytest.mark.parametrize("blocked", ["store.sqlite", "store.sqlite/inside"])
def test_a_file_or_a_folder_in_the_way(path, tmp_path, blocked):
    """No user, not even root, can write there."""
    if blocked == "store.sqlite":
        path.mkdir()
    else:
        path.write_text("")
    with pytest.raises((OSError, sqlite3.OperationalError), match=r"store\.sqlite|unable to open"):
        FeatureStore(tmp_path / blocked)


def test_where_there_can_be_no_cache_there_is_a_temporary_one(tmp_path, monkeypatch, capsys):
    (tmp_path / "blocked").write_text("")
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "blocked"))
    store = FeatureStore.default()
    store.write("feature", [("key", b"value")])
    assert store.read("feature", ["key"]) == {"key": b"value"}
    assert tmp_path not in store.path.parents
    store.close()
    assert "cannot be used" in capsys.readouterr().err


def test_a_limit_that_is_no_number(monkeypatch):
    monkeypatch.setenv("PARAGAUGE_CACHE_LIMIT", "4GB")
    with pytest.raises(InputError, match="'4GB'; expected a number of bytes"):
        FeatureStore.default()


def test_a_temporary_store_goes_when_it_is_closed():
    store = FeatureStore.temporary()
    store.write("feature", [("key", b"value")])
    folder = store.path.parent
    assert folder.is_dir()
    store.close()
    assert not folder.exists()


def test_the_default_one_is_in_the_cache_and_has_the_limit_that_is_set(monkeypatch, tmp_path):
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "own"))
    monkeypatch.setenv("PARAGAUGE_CACHE_LIMIT", "12345")
    store = FeatureStore.default()
    assert (store.path, store.limit) == (tmp_path / "own" / "features.sqlite", 12_345)
    store.close()


def on_disk(path: Path) -> int:
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*") if not file.name.endswith("-shm"))


def test_a_lower_limit_frees_the_disk(path):
    values = written(path, count=400, size=20_000)
    assert on_disk(path) > 8_000_000
    store = FeatureStore(path, limit=1_000_000)
    assert on_disk(path) <= 1_000_000, "when it is opened"
    kept = store.read("feature", list(values))
    assert 20 < len(kept) < 50
    assert all(values[key] == value for key, value in kept.items())
    store.close()
    assert on_disk(path) <= 1_000_000


def test_the_journal_counts_and_is_cut_off(path):
    store = FeatureStore(path, limit=20_000_000)
    other = FeatureStore(path, limit=20_000_000)  # a second connection, so that closing the first writes nothing back
    for part in range(8):
        store.write("feature", [(f"{part} {number}", bytes(50_000)) for number in range(100)])
        assert on_disk(path) == store.size() <= 20_000_000
        assert Path(f"{path}-wal").stat().st_size <= 4 << 20
    assert len(store) > 200
    store.close()
    other.close()


def test_a_cleared_store_takes_no_room_and_goes_on(path):
    written(path, count=200, size=20_000)
    store, other = FeatureStore(path), FeatureStore(path)
    store.clear()
    assert (len(store), len(other)) == (0, 0)
    assert on_disk(path) < 50_000
    other.write("feature", [("key", b"new")])
    assert store.read("feature", ["key"]) == {"key": b"new"}
    store.close()
    other.close()


def test_a_locked_store_is_given_up_after_two_seconds_and_said_so_once(path, capsys):
    written(path)
    store = FeatureStore(path)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    for number in range(30):
        store.write("feature", [(str(number), b"value")])
        store.read("feature", [str(number)])
    assert 1.9 < time.monotonic() - began < 10
    assert capsys.readouterr().err == (
        f"paragauge: the cache {path} is locked by another program; continuing without writing to it\n"
    )
    began = time.monotonic()
    FeatureStore.at(path, 1 << 30).close()
    assert time.monotonic() - began < 10
    assert "cannot be used (database is locked); continuing without it" in capsys.readouterr().err
    holder.close()
    store.close()
