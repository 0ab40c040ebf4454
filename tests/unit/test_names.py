"""Names: a class has one of its own in the package, and what is private to a package stays in it."""

import ast
from collections import defaultdict
from pathlib import Path

import paragauge

ROOT = Path(paragauge.__file__).parent
TREES = {file.relative_to(ROOT): ast.parse(file.read_text("utf-8")) for file in sorted(ROOT.rglob("*.py"))}


def test_every_class_has_a_name_of_its_own():
    places = defaultdict(set)
    for file, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].add(str(file))
    assert len(places) > 200
    assert {name: sorted(files) for name, files in places.items() if len(files) > 1} == {}


def test_no_private_module_or_name_is_imported_by_another_package():
    imports = [found for file, tree in TREES.items() for found in _imports(file, tree)]
    assert len(imports) > 1000
    assert [f"{file}: {'.'.join(path)}" for file, path in imports if _crosses(file, path)] == []


def _imports(file: Path, tree: ast.Module) -> list[tuple[Path, tuple[str, ...]]]:
    """The path below paragauge of each name that a file imports from paragauge."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            whence = tuple(node.module.split(".")) if node.module else ()
            if node.level:
                whence = (*file.parts[: len(file.parts) - node.level], *whence)
            elif whence[0] == "paragauge":
                whence = whence[1:]
            else:
                continue
            found += [(file, (*whence, name.name)) for name in node.names]
    return found


def _crosses(file: Path, path: tuple[str, ...]) -> bool:
    """Is a part of the path private to a package (or module) that the file is not in?"""
    for place, part in enumerate(path):
        if part.startswith("_") and not part.startswith("__"):
            return file.parts[:place] != path[:place] and file.with_suffix("").parts != path[:place]
    return False
