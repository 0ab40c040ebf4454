"""A Ray cluster of two nodes that is disturbed: the bytes of an undisturbed run of the local engine."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from .program import PARTS, calls, content, finish, finished_parts, install_plugin, start, tell, until, write_table

pytest.importorskip("ray", reason="needs the extra ray")
pytestmark = [pytest.mark.thorough, pytest.mark.filterwarnings("ignore")]  # Ray itself warns of this and that
METRIC = ("-m", "poisoned", "-q")


class Nodes(NamedTuple):
    """A cluster with a node that can be removed, a table, and what the local engine makes of it."""

    cluster: Any
    second: Any
    modules: Path
    table: Path
    printed: str
    kept: dict[str, bytes]

    def options(self, run: Path) -> tuple[object, ...]:
        return (*METRIC, "--workers", f"ray:{self.cluster.address}", "--run", run)


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    from ray.cluster_utils import Cluster

    folder = tmp_path_factory.mktemp("ray")
    modules = install_plugin(folder / "modules", "wait")
    table = write_table(folder / "table.csv", mark=" poison", at=20_000)  # in the third part
    before = os.environ.get("PYTHONPATH")
    path = [str(modules), str(Path(__file__).parents[2] / "src"), *filter(None, [before])]
    os.environ["PYTHONPATH"] = os.pathsep.join(path)  # nodes inherit it, and actors theirs
    store = {"object_store_memory": 80 << 20}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False, **store})
    try:
        second = cluster.add_node(num_cpus=1, **store)
        code, printed, errors = finish(table, *METRIC, "--run", folder / "whole")
        assert (code, errors) == (0, "")
        yield Nodes(cluster, second, modules, table, printed, content(folder / "whole"))
    finally:
        cluster.shutdown()
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


@pytest.mark.parametrize(
    ("harm", "told"), [("kill", "its worker died"), ("raise", "RuntimeError: this text cannot be judged")]
)
def test_one_poisoned_part_among_good_ones(nodes: Nodes, tmp_path: Path, harm: str, told: str) -> None:
    run = tmp_path / "run"
    tell(nodes.modules, harm)
    try:
        code, output, errors = finish(nodes.table, *nodes.options(run))
    finally:
        tell(nodes.modules, "wait")
    assert (code, output) == (2, "")
    assert f"rows 16,385 to 24,576 failed (tried 3 times): {told}" in errors
    assert f"{PARTS - 1} other parts are finished; rerun to try these again" in errors
    assert finished_parts(run) == PARTS - 1
    assert finish(nodes.table, *nodes.options(run)) == (0, nodes.printed, "")
    assert content(run) == nodes.kept


def test_the_driver_killed_and_started_again(nodes: Nodes, tmp_path: Path) -> None:
    run = tmp_path / "run"
    with start(nodes.table, *nodes.options(run)) as process:
        until(lambda: finished_parts(run), process)
        process.kill()
    kept, before = finished_parts(run), calls(nodes.modules)
    assert 0 < kept < PARTS
    assert finish(nodes.table, *nodes.options(run)) == (0, nodes.printed, "")
    # none that was finished then was computed again; an actor of the killed driver may have finished its own meanwhile
    assert calls(nodes.modules) - before <= PARTS - kept
    assert content(run) == nodes.kept


def test_a_node_removed(nodes: Nodes, tmp_path: Path) -> None:
    """The last test, as the node is gone: its part is scored on the other, where a second actor finds no place."""
    run = tmp_path / "run"
    with start(nodes.table, *nodes.options(run)) as process:
        until(lambda: finished_parts(run), process)
        nodes.cluster.remove_node(nodes.second, allow_graceful=False)
        output, errors = process.communicate(timeout=300)
    assert (process.returncode, output, errors) == (0, nodes.printed, "")
    assert content(run) == nodes.kept
