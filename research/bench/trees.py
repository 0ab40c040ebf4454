"""Speed of ds-tree's kernel: the 500 sets of five human paraphrases, and how the cost grows with the trees.

    python bench/trees.py

The parses are looked for in PARAGAUGE_DATA.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from paragauge.benchmarks import home
from paragauge_research.trees.kernels import WORDS, similarities, tree_diversity
from paragauge_research.trees.trees import Tree, bottom_up, read_lines

DATA = home() / "wmt19"


def best(work: Callable[[], object], rounds: int = 3) -> float:
    """Seconds of the fastest round: machines are noisy."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    files = [DATA / "human-paraphrases" / f"deen-{number}.en.parse" for number in range(1, 6)]
    lines = [file.read_text(encoding="utf-8").splitlines() for file in files]
    print(f"reading 2,500 parses: {best(lambda: [*map(read_lines, lines)]):.2f} s")
    sets = list(zip(*map(read_lines, lines), strict=True))
    for words in WORDS:
        seconds = best(lambda words=words: tree_diversity(sets, words=words))
        mean = np.nanmean(tree_diversity(sets, words=words))
        print(f"500 sets of 5, all pairs, words {words}: {seconds:.2f} s, mean {mean:.4f}")
    print("\nnodes per tree  milliseconds per pair (two self-kernels included)")
    references = (DATA / "parses" / "newstest2019-deen-ref.en.parse").read_text(encoding="utf-8").splitlines()
    whole = [tree for tree in read_lines(references) if tree is not None]
    for joined in (1, 2, 4, 8, 16, 32, 64):
        trees = [Tree("TEXT", tuple(whole[start : start + joined])) for start in range(0, 20 * joined, joined)]
        nodes = sum(1 for tree in trees for _ in bottom_up(tree)) / len(trees)
        pairs = list(zip(trees[::2], trees[1::2], strict=True))
        seconds = best(lambda pairs=pairs: [similarities(pair) for pair in pairs])
        print(f"{nodes:14,.0f}  {seconds / len(pairs) * 1000:8.2f}")


if __name__ == "__main__":
    main()
