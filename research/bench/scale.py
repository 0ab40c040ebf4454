"""How scoring grows with cores, rows and engines, as ratios in one run.

    python bench/scale.py                     everything but the largest sizes
    python bench/scale.py workers reading     some sections: workers, ray, startup, memory, reading, single, …
    python bench/scale.py workers --rows 1000 20000
    python bench/scale.py single --against ../before/src        another version, in the same run

Contenders take turns; the best wall time of each counts. A busy machine slows two processes more than one, so the
processor time is given too: that of the driver is what no further worker takes away (`serial`), and by Amdahl's law
it bounds the gain: (driver + workers) / (driver + workers / 2) with two of them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOUR = ("bleu", "chrf", "rougeL", "ned.free")
TWELVE = (*FOUR, "ter", "rouge1", "rouge2", "chrf++", "pinc", "novelty", "lexical-deviation", "word-position-deviation")
# each a token to the default encoder, as most words of real texts are
PLAIN = [
    "the", "a", "man", "woman", "child", "dog", "is", "was", "runs", "sits", "plays", "in", "on", "near", "under",
    "with", "red", "blue", "small", "old", "young", "water", "street", "park", "house", "ball", "car", "tree", "snow",
    "grass", "over", "and", "two", "three", "people", "group", "looks", "holds", "white", "black", "green", "brown",
    "large", "happy",
]  # fmt: skip
# processor seconds of the driver itself and of its children, and the largest of the children in memory
PROBE = """
import resource, sys, time
from paragauge.cli import main
sys.argv = ["paragauge", *sys.argv[1:]]
started = time.perf_counter()
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
wall = time.perf_counter() - started
own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print("|", wall, own.ru_utime + own.ru_stime, children.ru_utime + children.ru_stime, own.ru_maxrss, children.ru_maxrss)
"""


def table(rows: int, folder: Path, words: Sequence[str] = tuple(f"w{number}" for number in range(5000))) -> Path:
    """Synthetic pairs of twelve words with one reference."""
    file = folder / f"{rows}-{len(words)}.csv"
    if not file.exists():
        draw = random.Random(0)
        with file.open("w") as stream:
            stream.write("source,candidate,reference\n")
            for _ in range(rows):
                source = draw.choices(words, k=12)
                changed = [word if draw.random() < 0.7 else draw.choice(words) for word in source]
                stream.write(f"{' '.join(source)},{' '.join(changed)},{' '.join(reversed(changed))}\n")
    return file


def scored(file: Path, *options: str, metrics: Sequence[str] = FOUR, **environment: str) -> list[float]:
    """Wall, driver's and workers' processor seconds, peak MiB of driver and of the largest worker."""
    chosen = [part for name in metrics for part in ("-m", name)]
    command = [sys.executable, "-c", PROBE, "score", str(file), "-q", "-f", "json", *chosen, *options]
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | environment)
    wall, own, children, peak, largest = map(float, found.stdout.rpartition("|")[2].split())
    return [wall, own, children, peak / 1024, largest / 1024]


def race(
    contenders: dict[str, tuple[str, ...]], file: Path, rounds: int, metrics: Sequence[str] = FOUR
) -> dict[str, list[float]]:
    best: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, options in contenders.items():
            found = scored(file, *options, metrics=metrics)
            best[name] = min(best.get(name, found), found)
    return best


def show(rows: int, best: dict[str, list[float]], first: str) -> None:
    for name, (wall, own, children, peak, largest) in best.items():
        bound = (own + children) / (own + children / 2)
        ratio = best[first][0] / wall
        print(
            f"{rows:11,}  {name:<22}{wall:8.2f} s{ratio:7.2f}x  driver {own:6.2f} s  workers {children:6.2f} s"
            f"  bound {bound:4.2f}x  peak {peak:4.0f} / {largest:4.0f} MiB",
            flush=True,
        )


def workers(sizes: Sequence[int], folder: Path) -> None:
    """One process against two: four metrics, and twelve."""
    contenders = {name: ("--workers", name) for name in ("1", "2")} | {"as chosen": ()}
    for metrics in (FOUR, TWELVE):
        print(f"{len(metrics)} metrics")
        for rows in sizes:
            file = table(rows, folder)
            best = race(contenders, file, 3 if rows < 50_000 else 2, metrics)
            show(rows, best, "1")
            if rows >= 50_000:
                ceiling = 2 * best["1"][0] / at_once(file, metrics)
                print(f"{rows:11,}  two runs at once, which share nothing: {ceiling:.2f}x")


def at_once(file: Path, metrics: Sequence[str]) -> float:
    """Seconds for two runs of one process each: what this machine has to give, as it is."""
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(scored, file, "--workers", "1", metrics=metrics, OPENBLAS_NUM_THREADS="1") for _ in "12"]
        return max(run.result()[0] for run in runs)


def ray(sizes: Sequence[int], folder: Path) -> None:
    """Two actors of Ray against two local processes."""
    if importlib.util.find_spec("ray") is None:
        print("Ray is not installed: skipped")
        return
    contenders = {"local, 2 workers": ("--workers", "2"), "ray, 2 actors": ("--workers", "2@ray")}
    for rows in sizes:
        show(rows, race(contenders, table(rows, folder), 2), "local, 2 workers")


def startup(_: Sequence[int], folder: Path) -> None:
    """Each engine on two small parts, as one would start no second process: all that it takes to start."""
    contenders = {"1 process": ("--workers", "1"), "2 processes": ("--workers", "2")}
    if importlib.util.find_spec("ray") is not None:
        contenders["ray, 2 actors"] = ("--workers", "2@ray")
    show(8_200, race(contenders, table(8_200, folder), 3), "1 process")


def memory(sizes: Sequence[int], folder: Path) -> None:
    """Peak of the driver and of the largest worker, as the input grows."""
    for rows in sizes:
        show(rows, {"2": scored(table(rows, folder), "--workers", "2")}, "2")


def reading(sizes: Sequence[int], folder: Path) -> None:
    """Rows per second that a driver reads, and that it reads and makes ready to send."""
    import pickle

    import polars

    from paragauge.files.table import open_table

    rows = max(sizes)
    plain = table(rows, folder)
    columns = plain.with_suffix(".parquet")
    polars.read_csv(plain).write_parquet(columns)
    for file in (plain, columns):
        started = time.process_time()
        parts = sum(1 for _ in open_table(file))
        read = time.process_time() - started
        started = time.process_time()
        size = sum(len(pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL)) for chunk in open_table(file))
        sent = time.process_time() - started
        print(
            f"{rows:11,}  {file.suffix:<9} read {rows / read:9,.0f} rows/s  read and packed {rows / sent:9,.0f} rows/s"
            f"  {parts} parts of {size / parts / 1e6:.2f} MB"
        )


def single(sizes: Sequence[int], folder: Path, against: str | None = None) -> None:
    """One process: four metrics and twelve, this version and, with --against, another in turn with it."""
    sources: dict[str, dict[str, str]] = {"this version": {}}
    if against:
        sources["the other"] = {"PYTHONPATH": against}
    for rows in sizes:
        for metrics in (FOUR, TWELVE):
            best: dict[str, list[float]] = {}
            for _ in range(3):
                for name, source in sources.items():
                    found = scored(table(rows, folder), "--workers", "1", metrics=metrics, **source)
                    best[name] = min(best.get(name, found), found)
            print(f"{len(metrics)} metrics")
            show(rows, best, "this version")


def growth(sizes: Sequence[int], folder: Path) -> None:
    """As many processes as are chosen, as the input grows."""
    for rows in sizes:
        file = table(rows, folder)
        show(rows, {"as chosen": scored(file)}, "as chosen")
        file.unlink()


def neural(sizes: Sequence[int], folder: Path) -> None:
    """ParaScore with the default encoder, which must be there, and without the disk cache: float32 and int8 in turn."""
    for rows in sizes:
        file = table(rows, folder, PLAIN)
        contenders = {name: ("--no-cache", "--set", f"precision={name}") for name in ("float32", "int8")}
        best = {name: scored(file, *options, metrics=["parascore"]) for name, options in contenders.items()}
        show(rows, best, "float32")


SECTIONS = {
    "workers": workers,
    "ray": ray,
    "startup": startup,
    "memory": memory,
    "reading": reading,
    "single": single,
    "growth": growth,
    "neural": neural,
}
SIZES = {
    "workers": [1_000, 10_000, 100_000],
    "ray": [100_000],
    "memory": [100_000, 1_000_000],
    "reading": [100_000],
    "single": [100_000],
    "growth": [1_000, 10_000, 100_000, 1_000_000],
    "neural": [1_000, 10_000],
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--rows", nargs="+", type=int)
    parser.add_argument("--against", help="for the section single: the folder `src` of another checkout")
    given = parser.parse_args()
    print(json.dumps({"cores": os.cpu_count(), "load": os.getloadavg()[0], "python": sys.version.split()[0]}))
    with tempfile.TemporaryDirectory() as place:
        for section in given.sections or SECTIONS:
            print(f"\n{section}: {SECTIONS[section].__doc__}")
            more = {"against": given.against} if section == "single" else {}
            SECTIONS[section](given.rows or SIZES.get(section, []), Path(place), **more)
