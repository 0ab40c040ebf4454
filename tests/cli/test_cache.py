"""`paragauge cache`, the real program in a subprocess."""

import json
import subprocess
from pathlib import Path

from paragauge.compute.store import FeatureStore

from . import program


def call(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return program.call("cache", *arguments, environment=environment)


def test_the_cache_is_shown_and_cleared(tmp_path: Path):
    file = tmp_path / "features.sqlite"
    here = {"PARAGAUGE_CACHE": str(tmp_path), "PARAGAUGE_CACHE_LIMIT": "30000000"}
    nothing = {"path": str(file), "size": 0, "entries": 0, "limit": 30_000_000}
    assert json.loads(call("show", "-f", "json", **here).stdout) == [nothing]
    assert not file.exists(), "to look makes nothing"
    assert call("clear", **here).stdout == f"no cache found at {file}\n"

    store = FeatureStore(file)
    store.write("feature", [(str(number), bytes(10_000)) for number in range(300)])
    store.close()
    (row,) = json.loads(call("show", "-f", "json", **here).stdout)
    assert row["entries"] == 300
    assert 3_000_000 < row["size"] < 3_300_000
    lines = call(**here).stdout.splitlines()
    assert lines[0].split() == ["path", "size", "entries", "limit"]
    assert lines[2].split() == [str(file), "3.1", "MB", "300", "30.0", "MB"]

    assert call("clear", **here).stdout == f"300 entries deleted from {file}\n"
    assert file.stat().st_size < 50_000
    assert json.loads(call("show", "-f", "json", **here).stdout)[0]["entries"] == 0


def test_a_limit_that_is_no_number_is_refused(tmp_path: Path):
    result = call(PARAGAUGE_CACHE=str(tmp_path), PARAGAUGE_CACHE_LIMIT="4G")
    assert result.returncode == 2
    assert result.stderr == "paragauge: PARAGAUGE_CACHE_LIMIT is '4G'; expected a number of bytes\n"
