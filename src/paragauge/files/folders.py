"""Where paragauge keeps what it can make again."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """`PARAGAUGE_CACHE`, else `paragauge` in the user's cache folder, as the platform has it."""
    if chosen := os.environ.get("PARAGAUGE_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_path  # not needed to list metrics

    return user_cache_path("paragauge", appauthor=False)
