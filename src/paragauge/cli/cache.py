"""`paragauge cache`: show the size of the disk cache, and clear it."""

from __future__ import annotations

import click

from ..errors import InputError
from .declare import command
from .groups import CommandGroup
from .options import FORMAT
from .terminal import printing


@click.group("cache", cls=CommandGroup, default="show")
def cache() -> None:
    """Show the disk cache of encoded texts, or clear it; without a command, show it.

    \b
    Examples:
      paragauge cache
      paragauge cache clear
    """


@command("show", cache)
def show(format: str = FORMAT) -> None:
    """Print the path of the cache, its size on disk, the number of entries and the limit.

    Example: paragauge cache -f json
    """
    import sqlite3

    from ..compute.store import FeatureStore

    path, limit = FeatureStore.place(), FeatureStore.default_limit()
    size = entries = 0
    if path.is_file():
        try:
            store = FeatureStore(path, limit)
            size, entries = store.size(), len(store)
            store.close()
        except (OSError, sqlite3.DatabaseError) as error:
            raise InputError(f"the cache {path} cannot be read: {error}") from None
    rows: list[list[printing.Cell]] = [[str(path), size, entries, limit]]
    if format == "table":
        rows = [[str(path), f"{size / 1e6:,.1f} MB", f"{entries:,}", f"{limit / 1e6:,.1f} MB"]]
    printing.table(["path", "size", "entries", "limit"], rows, format, title=None)
    if format == "table":
        printing.lines(
            "", "PARAGAUGE_CACHE sets the folder, PARAGAUGE_CACHE_LIMIT the limit in bytes, including the journal."
        )


@command("clear", cache)
def clear() -> None:
    """Delete every entry and free the disk space; models are kept.

    Example: paragauge cache clear
    """
    import sqlite3

    from ..compute.store import FeatureStore

    path = FeatureStore.place()
    if not path.is_file():
        printing.lines(f"no cache found at {path}")
        return
    try:
        store = FeatureStore(path, FeatureStore.default_limit())
        entries = len(store)
        store.clear()
        store.close()
        path.with_suffix(".damaged").unlink(missing_ok=True)
    except (OSError, sqlite3.DatabaseError) as error:
        raise InputError(f"the cache {path} cannot be cleared: {error}") from None
    printing.lines(f"{entries:,} entries deleted from {path}")
