"""A table, and what an undisturbed run makes of it."""

from pathlib import Path
from typing import NamedTuple

import pytest

from .program import content, finish, write_table


class Undisturbed(NamedTuple):
    """A run that nothing happened to."""

    table: Path
    run: Path
    printed: str
    kept: dict[str, bytes]


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    folder = tmp_path_factory.mktemp("undisturbed")
    table = write_table(folder / "table.csv")
    code, printed, errors = finish(table, "--run", folder / "run", "-q")
    assert code == 0, errors
    return Undisturbed(table, folder / "run", printed, content(folder / "run"))
