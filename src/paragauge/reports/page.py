"""The whole page: sections, style, scripts and data in one file, and a policy that lets it load nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from string import Template

import numpy as np

from .._version import __version__
from ..files.write import PathLike, atomic_write, check_output
from .document import Section, shown
from .pack import Packed, written

# in this order, as one script
SCRIPTS = (
    "data.js", "words.js", "state.js", "verdict.js", "map.js", "drawing.js", "rows.js", "pair.js", "sheets.js",
    "start.js",
)  # fmt: skip


SUFFIXES = {".html": "html", ".htm": "html"}


def check_report(output: PathLike, *, inputs: Sequence[PathLike] = (), overwrite: bool = False) -> None:
    """Refuse, before any work is done, a file that may not be written or is not an HTML file by its name."""
    check_output(output, formats=SUFFIXES, inputs=inputs, overwrite=overwrite)


def save(output: PathLike, title: str, sections: Sequence[Section], packed: Packed | None = None) -> None:
    """Write a page; it appears only when it is whole."""
    atomic_write(output, as_html(title, sections, packed).encode())


def as_html(title: str, sections: Sequence[Section], packed: Packed | None = None) -> str:
    """The page as text. Without samples it carries its tables alone."""
    packed = packed or Packed({"version": 1, "rows": 0, "metrics": [], "systems": []}, np.empty((0, 0)))
    packed.header["tables"] = {
        table.name: {"caption": table.caption} | table.plain() for section in sections for table in section.tables()
    }
    return filled_page(
        __package__,
        "page.html",
        SCRIPTS,
        title=shown(title),
        links="".join(f'<a href="#{section.name}">{shown(section.title)}</a>' for section in sections),
        sections="\n".join(section.html() for section in sections),
        data=written(packed),
    )


def filled_page(package: str, template: str, scripts: Sequence[str], also: str = "", **content: str) -> str:
    """A page of a package's folder `page/`, its style and scripts inside it; by `also` it may load a little more."""
    style = part("style.css", package)
    script = "(function () {\n'use strict';\n" + "\n".join(part(name, package) for name in scripts) + "\n})();\n"
    policy = (
        f"default-src 'none';{also} style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; "
        "form-action 'none'"
    )
    page = Template(part(template, package))
    return page.substitute(policy=policy, style=style, script=script, version=__version__, **content)


def part(name: str, package: str = __package__) -> str:
    """A file of a package's page."""
    return files(package).joinpath("page", name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
