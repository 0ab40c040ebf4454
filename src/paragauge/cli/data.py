"""`paragauge data`: the human-rated data sets, where they are looked for and whether they are what they should be."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import InputError
from .declare import argument, command
from .groups import CommandGroup
from .options import DATA, FORMAT, OVERWRITE
from .terminal import printing


@click.group("data", cls=CommandGroup, default="list")
def data() -> None:
    """List, import and verify the human-rated data sets; without a command, list them.

    Example: paragauge data
    """


@command("list", data)
def list_data(data: Path | None = DATA, format: str = FORMAT) -> None:
    """List the registered data sets, and where each was found.

    Example: paragauge data -f json
    """
    from ..benchmarks import BENCHMARKS, folders

    plain = format in ("json", "csv")
    header = ["name", "here", "languages", "licence", "about"]
    header += ["homepage", "citation", "files"] * plain
    rows: list[list[printing.Cell]] = []
    for found in BENCHMARKS.every():
        row: list[printing.Cell] = [
            found.name,
            str(found.here(data) or "no"),
            found.languages,
            found.licence,
            found.about,
        ]
        if plain:
            files = " ".join(f"{file}:{digest}" for file, digest in found.files.items())
            row += [found.homepage, found.citation, files]
        rows.append(row)
    printing.table(header, rows, format, None)
    if format == "table":
        printing.lines(
            "",
            f"Looked for in {', then '.join(map(str, folders(data)))}",
            "`paragauge data show NAME` says where to download one; `paragauge data import NAME FOLDER` imports it.",
        )


@command("show", data)
def show(name: str = argument(), data: Path | None = DATA) -> None:
    """Show where to download a data set, its licence, what to cite, and the sha256 of its files.

    Example: paragauge data show twitter-para
    """
    from ..benchmarks import benchmark

    found = benchmark(name)
    printing.lines(f"{found.title}: {found.about}", "")
    for label, text in {
        "languages": found.languages,
        "licence": found.licence,
        "cite": found.citation,
        "from": found.homepage,
        "here": str(found.here(data) or "not here"),
    }.items():
        printing.lines(f"{label:10}{text}")
    printing.lines("files")
    for file, digest in found.files.items():
        printing.lines(f"  {file}", f"    sha256 {digest}")


@command("import", data)
def import_data(
    name: str = argument(),
    origin: Path = argument(Path),
    data: Path | None = DATA,
    overwrite: bool = OVERWRITE,
) -> None:
    """Import a data set from the folder with the published files, which are recognized by content, not by file name.

    Example: paragauge data import twitter-para Downloads/ParaScore-main
    """
    from ..benchmarks import benchmark

    found = benchmark(name)
    folder = found.import_from(origin, data, overwrite=overwrite)
    printing.lines(f"{found.title} is now in {folder}")


@command("verify", data)
def verify(name: str | None = argument(required=False), data: Path | None = DATA) -> None:
    """Check the files of one data set, or of all that were found, against their sha256.

    Example: paragauge data verify
    """
    from ..benchmarks import verify as verified

    broken = []
    for one, changed in verified(name, data):
        state = "not here" if changed is None else f"changed: {', '.join(changed)}" if changed else "as published"
        printing.lines(f"{one}: {state}")
        broken += changed or []
    if broken:
        raise InputError(
            f"not as published: {', '.join(dict.fromkeys(broken))}; `paragauge data show NAME` says where to "
            "download them, `paragauge data import NAME FOLDER` imports them"
        )
