"""The pages of a study: html, style, script and data in one file, and a policy that lets it load nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from ..._version import __version__
from ...printable import printable_lines

_RATER = ("elements.js", "server.js", "tasks.js", "annotate.js")
_OWNER = ("elements.js", "progress.js")


def rater_page(title: str, data: dict[str, Any], *, offline: bool = False) -> str:
    """The page on which raters judge; offline, it holds its tasks and asks nobody for anything."""
    return _page(title, data, _RATER, "" if offline else " connect-src 'self';")


def progress_page(title: str) -> str:
    """The page on which the owner of a study sees how it goes."""
    return _page(title, {}, _OWNER, " connect-src 'self';")


def _page(title: str, data: dict[str, Any], scripts: Sequence[str], connect: str) -> str:
    style = _part("style.css")
    script = "(function () {\n'use strict';\n" + "\n".join(map(_part, scripts)) + "\n})();\n"
    policy = (
        f"default-src 'none';{connect} img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    # inside a script element nothing is markup but what begins with <
    packed = json.dumps(data, ensure_ascii=True).replace("<", "\\u003c")
    return Template(_part("annotate.html")).substitute(
        policy=policy,
        title=escape(printable_lines(title)),
        style=style,
        script=script,
        data=packed,
        version=__version__,
    )


def _part(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
