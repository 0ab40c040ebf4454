"""Files made for a test, and the one sentence by which they are refused."""

import csv
import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from paragauge.errors import InputError


def save(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def save_csv(path: Path, rows: Iterable[Iterable[object]], dialect: str = "excel") -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, dialect).writerows(rows)
    return path


def save_jsonl(path: Path, rows: Iterable[object]) -> Path:
    return save(path, "".join(json.dumps(row) + "\n" for row in rows))


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        act()
    assert "\n" not in str(caught.value)
    return str(caught.value)
