"""Where paragauge keeps what it can make again."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """`PARAGAUGE_CACHE`, else `paragauge` in the user's cache folder (XDG)."""
    if chosen := os.environ.get("PARAGAUGE_CACHE"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "paragauge"
