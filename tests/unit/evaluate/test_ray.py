"""The engine of a Ray cluster, on a real one of two nodes: the tables of the local engine, whatever dies."""

import importlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import polars
import pytest

from paragauge.errors import ParagaugeError
from paragauge.evaluate.engines.ray import Ray
from paragauge.evaluate.score_file import score_file
from paragauge.meta.leaderboard import leaderboard
from paragauge.meta.scored import RatedScores
from paragauge.select.paraphrase import paraphrase_file
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples

pytest.importorskip("ray", reason="needs the extra ray")
pytestmark = [pytest.mark.thorough, pytest.mark.filterwarnings("ignore")]  # Ray itself warns of this and that

WORK = '''
"""What actors are asked to do; a module, so that they can import it."""
import os, signal, time
from pathlib import Path

def square(number):
    return number * number

class Slow:
    """Takes its time, and notes by whom each part was begun."""
    def __init__(self, folder):
        self.folder = Path(folder)
    def __call__(self, number):
        (self.folder / f"{number}-{os.getpid()}-{time.monotonic_ns()}").touch()
        time.sleep(0.5)
        return number

class Kills(Slow):
    """Dies at some parts: so many times each, or always where that is None."""
    def __init__(self, folder, parts):
        super().__init__(folder)
        self.parts = parts
    def __call__(self, number):
        if number in self.parts:
            before = len(list(self.folder.glob(f"{number}-*")))
            (self.folder / f"{number}-{before}").touch()
            if self.parts[number] is None or before < self.parts[number]:
                os.kill(os.getpid(), signal.SIGKILL)
        return number

class Unloadable:
    """Cannot be loaded in another process."""
    def __reduce__(self):
        return (int, ("no number",))
    def __call__(self, number):
        return number
'''


class Nodes(NamedTuple):
    """A cluster with a node that can be removed."""

    cluster: Any
    second: Any
    work: ModuleType


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    import ray
    from ray.cluster_utils import Cluster

    folder = tmp_path_factory.mktemp("modules")
    (folder / "rayworked.py").write_text(WORK)
    before = os.environ.get("PYTHONPATH")
    path = [str(folder), str(Path(__file__).parents[3] / "src"), *filter(None, [before])]
    os.environ["PYTHONPATH"] = os.pathsep.join(path)  # nodes inherit it, and actors theirs
    sys.path.insert(0, str(folder))
    store = {"object_store_memory": 80 << 20}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False, **store})
    second = cluster.add_node(num_cpus=1, **store)
    try:
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        yield Nodes(cluster, second, importlib.import_module("rayworked"))
    finally:
        ray.shutdown()
        cluster.shutdown()
        sys.path.remove(str(folder))
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def test_every_part_has_one_outcome_with_more_actors_than_cores_too(nodes: Nodes) -> None:
    for workers in (2, 5):  # of five actors, three find no place, and none of the parts may wait for them
        found = list(Ray(workers).map(nodes.work.square, range(23)))
        assert sorted(outcome.number for outcome in found) == list(range(23))
        assert all(outcome.result == outcome.number**2 for outcome in found)


def test_an_actor_that_dies_costs_no_part_and_a_part_that_kills_is_reported(nodes: Nodes, tmp_path: Path) -> None:
    found = {out.number: out for out in Ray(2).map(nodes.work.Kills(tmp_path, {3: 1, 6: None}), range(10))}
    assert sorted(found) == list(range(10))
    assert [found[number].result for number in range(10) if number != 6] == [0, 1, 2, 3, 4, 5, 7, 8, 9]
    assert (found[6].result, found[6].tries) == (None, 3)
    assert "its worker died" in (found[6].error or "")
    assert len(list(tmp_path.glob("6-*"))) == 3


def test_actors_that_cannot_start_are_an_error(nodes: Nodes) -> None:
    with pytest.raises(ParagaugeError, match=r"no Ray worker could be started: .*no number"):
        list(Ray(1).map(nodes.work.Unloadable(), range(3)))


def _table(path: Path, rows: int) -> Path:
    """Three candidates of each source, so that a part's border of 8,192 rows goes through a set."""
    words = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "tree"]
    with path.open("w") as stream:
        stream.write("source,candidate,reference\n")
        for row in range(rows):
            text = " ".join(words[(row // 3 * step) % 10] for step in (1, 3, 7))
            other = " ".join(words[(row * step + 1) % 10] for step in (1, 3, 9))
            stream.write(f"{text} {row // 3},{other},{text} {other}\n")
    return path


def test_the_same_table_and_summary_as_the_local_engine(nodes: Nodes, tmp_path: Path) -> None:  # noqa: ARG001
    table = _table(tmp_path / "table.csv", 20_000)
    metrics = ["bleu", "ned.free", "rouge1", "distinct", "selfbleu"]
    found = {}
    for engine in ("local", "ray"):
        output = tmp_path / f"{engine}.parquet"
        scored = score_file(table, metrics=metrics, engine=engine, workers=2, output=output, run=tmp_path / engine)
        found[engine] = (repr(scored.summary.rows()), scored.signatures, output.read_bytes())
        assert scored.summary.chunks > 2
    assert found["ray"] == found["local"]
    for name in ("samples.parquet", "scores.parquet", "run.json"):
        assert (tmp_path / "ray" / name).read_bytes() == (tmp_path / "local" / name).read_bytes()


def test_neural_scores_are_those_of_one_process(nodes: Nodes, small_models: ModuleType, tmp_path: Path) -> None:  # noqa: ARG001
    """To 1e-6: float32 sums by another number of threads."""
    table, encoder = _table(tmp_path / "table.csv", 10_000), small_models.make_encoder(tmp_path / "encoder")
    found = []
    for engine, workers in (("local", 1), ("ray", 2)):
        output = tmp_path / f"{engine}.parquet"
        metrics = [f"parascore:encoder={encoder}"]
        score_file(table, metrics=metrics, engine=engine, workers=workers, output=output, cache=False)
        found.append(polars.read_parquet(output)["score"].to_numpy())
    assert len(found[0]) == 10_000
    assert np.abs(found[0] - found[1]).max() <= 1e-6


def test_the_same_paraphrases_as_the_local_engine(nodes: Nodes, tmp_path: Path) -> None:  # noqa: ARG001
    sources = tmp_path / "sources.txt"
    sources.write_text("".join(f"The dog ran under tree {row}.\n" for row in range(600)))
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("dog 1 0\ncat 0.9 0.1\nran 0 1\nsat 0.1 0.9\ntree 1 1\nmat 0.9 1\n")
    found = []
    for engine in ("local", "ray"):
        output = tmp_path / f"{engine}.jsonl"
        paraphrase_file(sources, f"wordswap-1:vectors={vectors}", n=1, output=output, engine=engine, workers=2)
        found.append(output.read_bytes())
    assert found[0] == found[1]
    assert found[0].count(b"\n") == 600


def test_the_same_intervals_and_tests_without_an_engine(nodes: Nodes) -> None:  # noqa: ARG001
    random = np.random.default_rng(1)
    people = random.normal(size=120)
    samples = Samples.of([f"source {row // 6}" for row in range(120)], [f"candidate {row}" for row in range(120)])
    scores = {name: people + random.normal(0, noise, 120) for name, noise in (("good", 0.3), ("bad", 3.0))}
    scored = RatedScores(Ratings(samples, people, "made"), scores, {})
    alone, together = (leaderboard(scored, test="permutation", resamples=200, engine=by) for by in (None, Ray(2)))
    assert [gap.p for gap in together.gaps] == [gap.p for gap in alone.gaps]
    for one, other in zip(alone.standings, together.standings, strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)  # sums of another grouping


def test_a_node_removed(nodes: Nodes, tmp_path: Path) -> None:
    """The last test, as the node is gone: its part is scored on the other, where a second actor finds no place."""
    outcomes = Ray(2).map(nodes.work.Slow(tmp_path), range(40))
    found = [next(outcomes)]
    while len({file.name.split("-")[1] for file in tmp_path.iterdir()}) < 2:  # until both nodes are at work
        found.append(next(outcomes))
        time.sleep(0.01)
    nodes.cluster.remove_node(nodes.second, allow_graceful=False)
    found += outcomes
    assert sorted(outcome.number for outcome in found) == list(range(40))
    assert all(outcome.result == outcome.number for outcome in found)
