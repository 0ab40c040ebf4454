"""Speed against the peers, as ratios in one run: the same input, the same model, equal scores.

    python bench/run.py                 everything (about 15 minutes on two cores)
    python bench/run.py neural lexical  some sections: neural, lexical, startup, growth

Contenders take turns, and the best time of each counts, because machines are noisy. Twitter-Para is looked for in
PARAGAUGE_DATA, else where `paragauge data import` puts it.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import paragauge as pg
from paragauge.benchmarks import home
from paragauge.compute.store import FeatureStore
from paragauge.compute.workspace import Workspace
from paragauge.evaluate.part import score_part
from paragauge.evaluate.plan import choose

ROOT = Path(__file__).parents[2]
DATA = home()


class PlainUnpickler(pickle.Unpickler):
    """Builtin containers only: a pickle from elsewhere can otherwise run any code."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"refused: {module}.{name}")


def twitter_para() -> tuple[list[str], list[str], list[str], np.ndarray]:
    """Sources, candidates, references, human scores: 7,159 rows in the published order."""
    folder = DATA / "parascore" / "twitter"
    with (
        (folder / "source-candidate.pickle").open("rb") as first,
        (folder / "source-reference.pickle").open("rb") as second,
    ):
        candidates, references = PlainUnpickler(first).load(), PlainUnpickler(second).load()
    rows = [
        (source, text, references[source][0], human) for source, group in candidates.items() for text, human in group
    ]
    sources, texts, others, humans = map(list, zip(*rows, strict=True))
    return sources, texts, others, np.array(humans)


def race(contenders: dict[str, Callable[[], Any]], rounds: int) -> dict[str, tuple[float, Any]]:
    """Best time and result of each; they take turns."""
    best: dict[str, tuple[float, Any]] = {}
    for _ in range(rounds):
        for name, contender in contenders.items():
            started = time.perf_counter()
            result = contender()
            seconds = time.perf_counter() - started
            if name not in best or seconds < best[name][0]:
                best[name] = seconds, result
    return best


def show(title: str, best: dict[str, tuple[float, Any]], peer: str) -> None:
    print(f"\n{title}")
    for name, (seconds, _) in best.items():
        print(f"  {name:<42}{seconds:9.3f} s{best[peer][0] / seconds:9.1f}x")


def neural() -> None:
    """ParaScore on all of Twitter-Para with all-MiniLM-L6-v2, layer 6."""
    from parascore import ParaScorer
    from transformers import logging as transformers_logging

    from paragauge.models.hub.locate import open_model

    transformers_logging.set_verbosity_error()
    sources, candidates, references, human = twitter_para()
    samples = pg.Samples.of(sources, candidates, [[text] for text in references])
    scorer = ParaScorer(model_type=str(open_model("default").folder), num_layers=6, use_fast_tokenizer=True)

    def ours(store: FeatureStore | None = None, **settings: Any) -> np.ndarray:
        chosen = choose(["parascore"], True, **settings)
        work = Workspace(store)
        scores = score_part(samples, chosen, {}, work)[chosen[0].spec]
        if store is not None:
            work.flush()
        return scores

    with tempfile.TemporaryDirectory() as folder:
        ours(FeatureStore(Path(folder) / "warm.sqlite"))
        best = race(
            {
                "parascore 1.0.5 base_score": lambda: np.array(scorer.base_score(candidates, sources, references)),
                "paragauge float32": ours,
                "paragauge int8": lambda: ours(precision="int8"),
                "paragauge float32, warm cache": lambda: ours(FeatureStore(Path(folder) / "warm.sqlite")),
            },
            rounds=2,
        )
    show("ParaScore, 7,159 rows of Twitter-Para", best, "parascore 1.0.5 base_score")
    theirs, full, small = (best[name][1] for name in list(best)[:3])
    apart = np.abs(full - theirs)
    print(
        f"  largest difference to parascore: {np.sort(apart)[-4]:.1e}, but for {(apart > 1e-5).sum()} rows in which it"
    )
    print(f"  takes the zeros of its padding for a match (docs/differences.md): {apart.max():.1e}")
    pearson = {name: np.corrcoef(scores, human)[0, 1] for name, scores in (("float32", full), ("int8", small))}
    print(f"  Pearson with the human scores: float32 {pearson['float32']:.4f}, int8 {pearson['int8']:.4f}", end="")
    print(f", change {pearson['int8'] - pearson['float32']:+.4f}")


def lexical() -> None:
    """Every lexical metric, one to three references, against sacrebleu and rouge-score called row by row."""
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu.metrics import BLEU, CHRF, TER

    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    sources, candidates, references, _ = twitter_para()
    generator = random.Random(0)
    groups = [[text, *generator.sample(references, generator.randint(0, 2))] for text in references]
    samples = pg.Samples.of(sources, candidates, groups)
    names = ["bleu", "chrf", "chrf++", "ter", "rouge1", "rouge2", "rougeL"]
    bleu, chrf, chrfpp, ter = BLEU(effective_order=True), CHRF(), CHRF(word_order=2), TER()
    rouge = RougeScorer(["rouge1", "rouge2", "rougeL"])
    rows = list(zip(candidates, groups, strict=True))
    tests: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {}

    def peer_rouge() -> list[list[float]]:
        found = [rouge.score_multi(group, text) for text, group in rows]
        return [[score[name].fmeasure for score in found] for name in names[4:]]

    peers: dict[str, Callable[[], Any]] = {
        name: lambda metric=metric: [[metric.sentence_score(text, group).score for text, group in rows]]
        for name, metric in zip(names[:4], (bleu, chrf, chrfpp, ter), strict=True)
    }
    peers["rouge1, rouge2, rougeL"] = peer_rouge
    for name, peer in peers.items():
        wanted = name.split(", ")
        tests[name] = peer, lambda wanted=wanted: _rows(samples, wanted)
    tests["all together"] = lambda: [row for peer in peers.values() for row in peer()], lambda: _rows(samples, names)
    for name, (peer, own) in tests.items():
        best = race({"sacrebleu, rouge-score": peer, "paragauge": own}, rounds=3)
        show(f"{name}, 7,159 rows, one to three references", best, "sacrebleu, rouge-score")
        difference = np.abs(np.array(best["paragauge"][1]) - np.array(best["sacrebleu, rouge-score"][1])).max()
        print(f"  largest difference: {difference:.1e}")


def _rows(samples: pg.Samples, names: list[str]) -> list[np.ndarray]:
    found = score_part(samples, choose(names, True), {}, Workspace())
    return [found[name] for name in names]


def startup() -> None:
    """`paragauge metrics`, from the shell."""
    program = [sys.executable, "-m", "paragauge", "metrics"]
    # as pip leaves it, compiled to bytecode
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    best = race(
        {
            "python -c pass": lambda: subprocess.run([sys.executable, "-c", "pass"], check=True),
            "paragauge metrics": lambda: subprocess.run(program, check=True, stdout=subprocess.DEVNULL, env=compiled),
        },
        rounds=10,
    )
    show("Start-up", best, "python -c pass")


def growth() -> None:
    """Time and peak memory of `paragauge score` with lexical metrics, from a thousand to a million pairs."""
    print("\nGrowth: bleu, chrf, rougeL, ned.free and their summary, synthetic pairs")
    print("      pairs   seconds   µs/pair   peak MiB")
    words = [f"w{number}" for number in range(5000)]
    generator = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        for rows in (1_000, 10_000, 100_000, 1_000_000):
            file = Path(folder) / f"{rows}.csv"
            with file.open("w") as stream:
                stream.write("source,candidate,reference\n")
                for _ in range(rows):
                    source = generator.choices(words, k=12)
                    changed = [word if generator.random() < 0.7 else generator.choice(words) for word in source]
                    stream.write(f"{' '.join(source)},{' '.join(changed)},{' '.join(reversed(changed))}\n")
            metrics = [part for name in ("bleu", "chrf", "rougeL", "ned.free") for part in ("-m", name)]
            started = time.perf_counter()
            # in a small process of its own: a child starts out with the peak of the process that makes it
            script = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=-3); "
            script += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
            command = [sys.executable, "-m", "paragauge", "score", str(file), "-q", *metrics]
            found = subprocess.run([sys.executable, "-c", script, *command], check=True, capture_output=True, text=True)
            seconds = time.perf_counter() - started
            peak = int(found.stdout) / 1024
            print(f"{rows:11,}{seconds:10.2f}{1e6 * seconds / rows:10.1f}{peak:11.0f}", flush=True)
            file.unlink()


SECTIONS = {"neural": neural, "lexical": lexical, "startup": startup, "growth": growth}

if __name__ == "__main__":
    chosen = sys.argv[1:] or list(SECTIONS)
    print(
        json.dumps(
            {"cores": len(os.sched_getaffinity(0)), "python": sys.version.split()[0], "paragauge": pg.__version__}
        )
    )
    for section in chosen:
        SECTIONS[section]()
    print(f"\npeak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
