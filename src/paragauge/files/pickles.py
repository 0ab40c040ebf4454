"""Pickles opened without running anything in them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from ..errors import InputError


class _Plain(pickle.Unpickler):
    """Builds dicts, lists, tuples, texts and numbers; a pickle that names a class or a function is refused."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"it asks for {module}.{name}")


def read_plain(path: Path) -> Any:
    """The plain values in a pickle; nothing named in it is ever imported."""
    try:
        with path.open("rb") as stream:
            return _Plain(stream).load()
    except OSError as error:
        raise InputError(f"could not read {path}: {error.strerror or error}") from error
    except (pickle.UnpicklingError, EOFError, ValueError, IndexError, KeyError, AttributeError) as error:
        raise InputError(f"{path} is not a pickle of plain values: {error}") from error
