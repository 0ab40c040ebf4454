"""A folder of WMT data: system outputs, references and human judgments, by language pair."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ..benchmarks import VARIABLE, folders
from ..errors import Hint, InputError, nearest
from .human import Rankings, read_rankings, read_rankings_with_text
from .task import EvaluationSet, read_task

_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")


def find_folder(name: str, data: Path | None = None) -> Path:
    """The folder of this name, or the one of this name where data sets are looked for."""
    places = [Path(name).expanduser(), *(place / name for place in folders(data))]
    for place in places:
        if (place / "system-outputs").is_dir():
            return place
    raise InputError(
        f"no WMT data in {' or '.join(map(str, places))}; expected a folder with system-outputs/de-en/ …, references/ "
        "and DA-syslevel.csv",
        Hint("name it, or put it into the folder that {data} or {0} names", VARIABLE, data=None),
    )


def pairs(folder: Path) -> list[str]:
    """The language pairs that have outputs."""
    return sorted(path.name for path in (folder / "system-outputs").iterdir() if _PAIR.fullmatch(path.name))


def reference_file(folder: Path, pair: str) -> Path:
    """The one reference file of a language pair."""
    if pair not in pairs(folder):
        raise InputError(f"{folder} has no outputs for '{pair}'{nearest(pair, pairs(folder))}")
    found = [path for path in sorted((folder / "references").glob("*")) if _is_of(path, pair)]
    if len(found) != 1:
        raise InputError(
            f"{folder / 'references'} has {len(found)} files for {pair}; expected one with {pair} or "
            f"{pair.replace('-', '')} in its name"
        )
    return found[0]


def read_pair(folder: Path, pair: str, extras: Sequence[Path] = (), first: int | None = None) -> EvaluationSet:
    """Outputs and reference of a language pair, with additional references."""
    reference = reference_file(folder, pair)
    return read_task(folder / "system-outputs" / pair, reference, extras, first, name=pair)


def rankings_of(folder: Path, task: EvaluationSet) -> Rankings | None:
    """The human rankings of a task's segments, from darr/PAIR.tsv, darr/PAIR.first500.tsv or BARTScore's pickle."""
    for path in (folder / "darr" / f"{task.name}.tsv", *sorted((folder / "darr").glob(f"{task.name}.first*.tsv"))):
        if path.is_file():
            return read_rankings(path, task)
    pickled = folder / "darr" / "bartscore" / task.name / "data.pkl"
    return read_rankings_with_text(pickled, task) if pickled.is_file() else None


def extra_files(folder: Path, pair: str) -> list[Path]:
    """The files of a folder that are of a language pair (`deen-1.en`, `de-en.2.txt`, `deen.jsonl`), in their order."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; expected one with files of additional references")
    found = [path for path in folder.iterdir() if path.is_file() and _is_of(path, pair) and path.suffix != ".parse"]
    return sorted(found, key=_natural)


def _is_of(path: Path, pair: str) -> bool:
    name = path.name.lower()
    return pair in name or re.search(rf"(?<![a-z]){pair.replace('-', '')}(?![a-z])", name) is not None


def _natural(path: Path) -> list[tuple[int, str]]:
    """So that version 10 comes after version 9."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", path.name)]
