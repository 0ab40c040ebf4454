"""Where paragauge keeps what it can make again."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path


def cache_folder() -> Path:
    """`PARAGAUGE_CACHE`, else `paragauge` in the user's cache folder, as the platform has it."""
    if chosen := os.environ.get("PARAGAUGE_CACHE"):
        return Path(chosen)
    return user_cache_path("paragauge", appauthor=False)
