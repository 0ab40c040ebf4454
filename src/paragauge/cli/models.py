"""`paragauge models`: what is known by name, what is here, and whether it is what it should be."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import InputError, ModelError
from .declare import argument, command, option
from .groups import CommandGroup
from .options import FORMAT, OVERWRITE, seed
from .terminal import printing
from .terminal.progress import Bar


@click.group("models", cls=CommandGroup, default="list")
def models() -> None:
    """List, download and verify models; without a command, list them.

    Example: paragauge models
    """


@command("list", models)
def list_models(format: str = FORMAT) -> None:
    """List the registered models.

    Example: paragauge models -f json
    """
    from ..models.hub.registry import ENTRIES
    from ..models.hub.verify import present_folder

    rows = [
        [
            entry.name,
            entry.kind,
            entry.languages,
            round(entry.size / 1e6),
            "yes" if present_folder(entry) else "no",
            entry.licence,
            entry.use,
        ]
        for entry in ENTRIES.values()
    ]
    printing.table(["name", "kind", "languages", "MB", "here", "licence", "use"], rows, format, title=None)
    if format == "table":
        printing.lines("", "A model folder or a hub id such as org/name is accepted wherever an encoder is.")


@command("get", models)
def get(name: str = argument()) -> None:
    """Download a model unless an intact copy is already there, and print its folder.

    Example: paragauge models get all-mpnet-base-v2
    """
    from ..models.hub.fetch import ensure
    from ..models.hub.registry import entry_named

    printing.lines(str(ensure(entry_named(name))))


@command("path", models)
def path(name: str = argument()) -> None:
    """Print the folder of a downloaded model.

    Example: paragauge models path default
    """
    from ..models.hub.registry import entry_named
    from ..models.hub.verify import present_folder

    entry = entry_named(name)
    folder = present_folder(entry)
    if folder is None:
        raise ModelError(f"{entry.name} is not downloaded; `paragauge models get {entry.name}` downloads it")
    printing.lines(str(folder))


@command("verify", models)
def verify(name: str | None = argument(required=False), format: str = FORMAT) -> None:
    """Check every model file against the sha256 in the registry.

    Example: paragauge models verify all-MiniLM-L6-v2
    """
    from ..models.hub.verify import verify as verified

    files, damaged = verified(name)
    printing.table(["model", "file", "state"], [list(file) for file in files], format, title=None)
    if damaged:
        raise ModelError(
            f"not the registered sha256: {', '.join(damaged)}; `paragauge models get {damaged[0]}` downloads it again"
        )


@command("baseline", models)
def baseline(
    texts: Path = argument(Path),
    encoder: str = option("encoder name, model folder or hub id", "default"),
    layer: str = option("layer number, or all", "all"),
    pairs: int = option("number of random pairs", 10_000, low=1),
    seed: int = seed("the pairing"),
    output: Path | None = option("output file  [default: standard output]", None, "-o", of=Path),
    overwrite: bool = OVERWRITE,
) -> None:
    """Compute the BERTScore baseline for rescaling: the mean score of random pairs of lines.

    Example: paragauge models baseline texts.txt -o baseline.csv
    """
    from ..files.write import atomic_write, check_path
    from ..models.encoders.matching import measure_layers

    lines = _lines(texts)
    if output is not None:
        check_path(output, inputs=[texts, encoder], overwrite=overwrite)
    if layer != "all" and not layer.isdecimal():
        raise InputError(f"--layer {layer} is not valid; expected a layer number or all")
    with Bar() as bar:
        table = measure_layers(encoder, None if layer == "all" else int(layer), lines, pairs, seed, bar.update)
    if output is None:
        printing.lines(*table.splitlines())
    else:
        check_path(output, inputs=[texts, encoder], overwrite=overwrite)
        atomic_write(output, table.encode())


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8 text (byte {error.start})") from None
