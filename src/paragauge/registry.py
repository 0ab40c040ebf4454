"""What is known by name: of a file, or an entry point of another package; found without importing any of them."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .errors import InputError, MissingExtraError, nearest
from .parameters import Configured, check_dataclass, read_parameters, split_spec

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Thing = TypeVar("Thing")
Made = TypeVar("Made", bound=Configured)

# names that paragauge-research adds, by entry point group: without it, the error of such a name says what to install
RESEARCH = {
    "paragauge.analyses": ("groups", "cases", "attribution", "ability", "decomposition", "copies", "omega"),
    "paragauge.classifiers": ("mlp", "cnn", "gru", "gru-paper", "lstm", "lstm-paper"),
    "paragauge.commands": ("reproduce", "train-metric", "train-paraphraser", "references.diversity"),
    "paragauge.metrics": ("ds-tree", "meteor15"),
    "paragauge.paraphrasers": ("codes", "semantic", "syntactic", "random", "output-specific"),
}


class Registry(Generic[Thing]):
    """Things of one kind by name: of the files of a package, and of entry points.

    A file's name, with - for _, is that of what it holds, be it a class or an object; a file of `families` holds those
    that are listed for it. `folders` of the package, or files, are looked into in this order.
    """

    def __init__(
        self,
        kind: type[Any],
        noun: str,
        package: str = "",
        *,
        group: str = "",
        folders: Iterable[str] = ("",),
        families: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self.kind, self.noun, self.package, self.group, self.folders = kind, noun, package, group, tuple(folders)
        self.families = families or {}
        self._loaded: dict[str, Thing] = {}

    @cached_property
    def files(self) -> dict[str, str]:
        """Name to module of what is in the package."""
        if not self.package:
            return {}
        here = Path(importlib.import_module(self.package).__path__[0])
        found: dict[str, str] = {}
        for folder in self.folders:
            place = here / folder
            names: dict[str, str] = {}
            for file in place.glob("[!_]*.py") if place.is_dir() else [place.with_suffix(".py")]:
                module = ".".join([self.package, *file.relative_to(here).with_suffix("").parts])
                names |= dict.fromkeys(self.families.get(file.stem, [file.stem]), module)
            found |= {name.replace("_", "-"): names[name] for name in sorted(names)}
        return found

    @cached_property
    def plugins(self) -> dict[str, EntryPoint]:
        """Name to entry point of what other packages add; they cannot replace what is in the package."""
        from importlib.metadata import entry_points  # slow to import, and not needed for a name of the package

        found = sorted(entry_points(group=self.group), key=lambda point: point.name) if self.group else []
        return {point.name: point for point in found if point.name not in self.files}

    def names(self) -> list[str]:
        """Every name, without those of presets: of the package first."""
        return [*self.files, *self.plugins]

    def __contains__(self, name: object) -> bool:
        return name in self.files or name in self.plugins

    def load(self, name: str) -> Thing:
        """What has this name."""
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def every(self) -> Iterator[Thing]:
        """All that can be loaded: a broken plug-in is an error only for who asks for it."""
        for name in self.names():
            try:
                found = self.load(name)
            except InputError:
                if name in self.files:
                    raise
            else:
                yield found

    def is_of_research(self, name: str) -> bool:
        """Is it one of the names that paragauge-research adds?"""
        return name in RESEARCH.get(self.group, ())

    def unknown(self, name: str, known: Iterable[str] | None = None) -> InputError | MissingExtraError:
        """The error of a name that stands for nothing here."""
        if self.is_of_research(name):
            return MissingExtraError(
                f"the {self.noun} '{name.replace('.', ' ')}' is in the package paragauge-research, which is not "
                "installed: pip install paragauge-research, or from a checkout pip install ./research"
            )
        return InputError(f"no {self.noun} named '{name}'{nearest(name, self.names() if known is None else known)}")

    def _load(self, name: str) -> Thing:
        if name in self.files:
            module = importlib.import_module(self.files[name])
            for found in filter(self._fits, vars(module).values()):
                if getattr(found, "name", "") == name:
                    own: Thing = found
                    return own
            raise InputError(f"{module.__file__} has no {self._expected} of the name '{name}'")
        if name not in self.plugins:
            raise self.unknown(name)
        point = self.plugins[name]
        try:
            loaded = point.load()
        except Exception as error:  # whatever another package raises
            raise InputError(f"the plug-in '{name}' ({point.value}) cannot be loaded: {error}") from error
        if not self._fits(loaded):
            raise InputError(f"the plug-in '{name}' ({point.value}) is not a paragauge {self._expected}")
        own_name = getattr(loaded, "name", None)
        named = any("name" in vars(own).get("__annotations__", {}) for own in getattr(self.kind, "__mro__", ()))
        if named and own_name not in (name, name.rpartition(".")[2]):  # what is printed would not be what is typed
            raise InputError(f"the plug-in '{name}' ({point.value}) has the name {own_name!r}; expected '{name}'")
        plugin: Thing = loaded
        return plugin

    @property
    def _expected(self) -> str:
        return self.kind.__name__

    def _fits(self, loaded: Any) -> bool:
        return isinstance(loaded, self.kind)


class Classes(Registry[type[Made]]):
    """Classes by name, of which parameters make what is meant: as typed, `name:key=value,key=value`.

    A file's class is the one of its name; a class's presets are additional names. `example` is for errors.
    """

    def __init__(self, kind: type[Any], noun: str, example: str, package: str, **where: Any) -> None:
        super().__init__(kind, noun, package, **where)
        self.example = example

    def presets(self) -> dict[str, tuple[type[Made], dict[str, Any]]]:
        """Additional names: each a class and values of some of its parameters."""
        return {name: (own, dict(values)) for own in self.every() for name, values in own.presets.items()}

    def find(self, name: str) -> tuple[type[Made], dict[str, Any]]:
        """The class of a name or a preset, and the parameters that the preset sets."""
        if name in self:
            return self.load(name), {}
        presets = self.presets()
        if name not in presets:
            raise self.unknown(name, [*self.names(), *presets])
        return presets[name]

    def parse(self, spec: str) -> Made:
        r"""What is typed as `name:key=value,key=value`; a comma in a value is `\,`."""
        name, written = split_spec(spec, self.example)
        found, values = self.find(name)
        return found(**(values | read_parameters(found, written)))

    def of(self, given: Any) -> Made:
        """That of a name, that of a class with its defaults, or the one given."""
        if isinstance(given, str):
            return self.parse(given)
        if isinstance(given, type) and issubclass(given, self.kind):
            given = given()
        if not isinstance(given, self.kind):
            raise InputError(f"{given!r:.60} does not name a {self.noun}; expected a name such as '{self.example}'")
        made: Made = given
        return made

    def _load(self, name: str) -> type[Made]:
        found = super()._load(name)
        check_dataclass(found)
        return found

    @property
    def _expected(self) -> str:
        return f"{super()._expected} class"

    def _fits(self, loaded: Any) -> bool:
        return isinstance(loaded, type) and issubclass(loaded, self.kind)
