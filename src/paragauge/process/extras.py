"""Optional packages: imported where they are needed, or an error that names what to install."""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import MissingExtraError


def require(module: str, extra: str, reason: str, *others: str) -> Any:
    """The module, which comes with the extra; `reason` says what needs it, `others` are packages besides the extra."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise missing(extra, reason, *others) from None


def missing(extra: str, reason: str, *others: str) -> MissingExtraError:
    """The error of an extra that is not installed."""
    packages = " ".join([f'"paragauge[{extra}]"', *others])
    return MissingExtraError(f"{reason}: pip install {packages}")
