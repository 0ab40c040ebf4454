"""`paragauge models`: what is known by name, what is here, and whether it is what it should be."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import InputError, ModelError
from .groups import Group
from .options import overwrite_option, seed_option
from .terminal import printing
from .terminal.progress import Bar

name_argument = click.argument("name")


@click.group("models", cls=Group, invoke_without_command=True)
@click.pass_context
def models(context: click.Context) -> None:
    """List, download and verify models; without a command, list them.

    Example: paragauge models
    """
    if context.invoked_subcommand is None:
        context.invoke(list_models)


@models.command("list")
@printing.format_option
def list_models(format: str = "table") -> None:
    """List the registered models.

    Example: paragauge models list -f json
    """
    from ..models.hub.registry import ENTRIES
    from ..models.hub.verify import present_folder

    printing.check_format(format)
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


@models.command()
@name_argument
def get(name: str) -> None:
    """Download a model unless an intact copy is already there, and print its folder.

    Example: paragauge models get all-mpnet-base-v2
    """
    from ..models.hub.fetch import ensure
    from ..models.hub.registry import entry_named

    printing.lines(str(ensure(entry_named(name))))


@models.command()
@name_argument
def path(name: str) -> None:
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


@models.command()
@click.argument("name", required=False)
@printing.format_option
def verify(name: str | None, format: str) -> None:
    """Check every model file against the sha256 in the registry.

    Example: paragauge models verify all-MiniLM-L6-v2
    """
    from ..models.hub.verify import verify as verified

    printing.check_format(format)
    files, damaged = verified(name)
    printing.table(["model", "file", "state"], [list(file) for file in files], format, title=None)
    if damaged:
        raise ModelError(
            f"not the registered sha256: {', '.join(damaged)}; `paragauge models get {damaged[0]}` downloads it again"
        )


@models.command()
@click.argument("texts", type=click.Path(path_type=Path))
@click.option("--encoder", default="default", show_default=True, help="encoder name, model folder or hub id")
@click.option("--layer", default="all", show_default=True, help="layer number, or all")
@click.option("--pairs", type=click.IntRange(1), default=10_000, show_default=True, help="number of random pairs")
@seed_option("the pairing")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="output file  [default: standard output]")
@overwrite_option
def baseline(
    texts: Path, encoder: str, layer: str, pairs: int, seed: int, output: Path | None, overwrite: bool
) -> None:
    """Compute the BERTScore baseline for rescaling: the mean score of random pairs of lines.

    Example: paragauge models baseline texts.txt -o baseline.csv
    """
    from ..files.write import atomic_write, check_path
    from ..models.encoders.baseline import measure_layers

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
