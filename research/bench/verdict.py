"""What the verdict rests on: the measure of changed wording, the two thresholds, and the cost of both.

    python bench/verdict.py changed       # which combination tells rewrites from edits; what raters say given meaning
    python bench/verdict.py thresholds    # least `changed` and least `meaning`: precision and recall on labelled pairs
    python bench/verdict.py strict        # what a rule that decides alone gains in precision and costs in recall
    python bench/verdict.py extended      # ParaScore with `similarity=meaning` where copies are among the candidates
    python bench/verdict.py speed         # what `changed` and the rules cost beside the encoder

Development parts only: the first tenth of Twitter-Para, half of the sources of DEMETR and of the rewrites, and the
validation parts of MRPC, PARADE and the STS benchmark (PARAGAUGE_DATA).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from itertools import starmap
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu, rankdata

import paragauge as pg
from paragauge.benchmarks import benchmark
from paragauge.compute.workspace import Workspace
from paragauge.metric import Metric
from paragauge.metrics import parse
from paragauge.text.normalize import words_only
from paragauge.verdict.judgment import counts
from paragauge.verdict.rules import findings
from paragauge_research.training.meaning import CONFIGURATION
from paragauge_research.training.meaning.configuration import read_configuration
from paragauge_research.training.meaning.report import labelled_sets
from rules import DATA, Pair, demetr, labelled, of_half, rows

Floats = NDArray[np.float64]
SURFACE = (
    "pos_shift", "word_swap", "misspelled", "char_removed", "final_punc_removed", "punc_addition", "tokenized",
    "full_lower", "function_word", "case", "first_lower", "conj_removed",
)  # fmt: skip


class Parts(NamedTuple):
    """Edit distance, lexical deviation and word position deviation."""

    ned: Floats
    ld: Floats
    wpd: Floats


COMBINATIONS: dict[str, Callable[[Parts], Floats]] = {
    "NED": lambda of: of.ned,
    "LD": lambda of: of.ld,
    "WPD": lambda of: of.wpd,
    "(NED + LD)/2": lambda of: (of.ned + of.ld) / 2,
    "(NED + LD + WPD)/3": lambda of: (of.ned + of.ld + of.wpd) / 3,
    "LD + (1 − LD)·WPD/2": lambda of: of.ld + (1 - of.ld) * of.wpd / 2,
    "max(NED, LD)": lambda of: np.maximum(of.ned, of.ld),
}


def rewrites() -> dict[str, list[Pair]]:
    """Pairs of which people wrote one to say the other in new words."""
    wmt = DATA.parent / "wmt19"
    sources = (wmt / "references" / "newstest2019-deen-ref.en").read_text(encoding="utf-8").splitlines()
    human = [
        (source, text)
        for file in sorted((wmt / "human-paraphrases").glob("*.en.500"))
        for source, text in zip(sources, file.read_text(encoding="utf-8").splitlines(), strict=False)
        if text.strip()
    ]
    return {
        "WMT19 human": human,
        "APT": labelled("apt", lambda row: row["group"] == "app__train.tsv" and row["label"] == 1),
        "ParaNLU": labelled("paranlu", lambda row: row["label"] == 1),
    }


def development() -> tuple[list[Pair], list[Pair], dict[str, list[Pair]]]:
    """Texts with edits that say nothing new, texts with their words shuffled, and rewrites."""
    edits, shuffled = (of_half(demetr(*kinds)[0], "tune") for kinds in (SURFACE, ("shuffled",)))
    return edits, shuffled, {name: of_half(pairs, "tune") for name, pairs in rewrites().items()}


def combined(pairs: list[Pair]) -> dict[str, Floats]:
    """What each combination gives, of the words of normalized texts."""
    samples = pg.Samples.of([words_only(one) for one, _ in pairs], [words_only(other) for _, other in pairs])
    parts = [parse(spec).score(samples) for spec in ("ned.free", "lexical-deviation", "word-position-deviation")]
    known = Parts(*(np.nan_to_num(part, nan=0.0) for part in parts))
    return {name: combine(known) for name, combine in COMBINATIONS.items()}


def partial(x: Floats, y: Floats, given: Floats) -> float:
    """Spearman's partial correlation."""
    (_, xy, xz), (_, _, yz), _ = np.corrcoef([rankdata(one) for one in (x, y, given)])
    return float((xy - xz * yz) / np.sqrt((1 - xz**2) * (1 - yz**2)))


def show_changed() -> None:
    edits, shuffled, rewritten = development()
    of_edits, of_shuffled = combined(edits), combined(shuffled)
    of_rewrites = {name: combined(pairs) for name, pairs in rewritten.items()}
    rated = {}
    for name in ("twitter-para", "twitter-para-extended"):
        ratings = benchmark(name).load()
        samples = ratings.samples.rows(range(ratings.dev))
        pairs = list(zip(samples.sources, samples.candidates, strict=True))
        meaning = parse("bertscore.free").score(samples)
        rated[name] = combined(pairs), ratings.human[: ratings.dev], meaning
    print(f"{len(edits):,} edits, {len(shuffled):,} shuffled, rewrites: "
          + ", ".join(f"{name} {len(pairs):,}" for name, pairs in rewritten.items()))  # fmt: skip
    heads = [f"AUC {name}" for name in of_rewrites] + ["edits, 95%", "shuffled, median"]
    heads += [f"rating given meaning, {name}" for name in rated]
    print("| combination |", " | ".join(heads), "|")
    print("|---|" + "---:|" * len(heads))
    for name in COMBINATIONS:
        cells = [_auc(own[name], of_edits[name]) for own in of_rewrites.values()]
        cells += [float(np.quantile(of_edits[name], 0.95)), float(np.median(of_shuffled[name]))]
        cells += [partial(table[name], human, meaning) for table, human, meaning in rated.values()]
        print(f"| {name} |", " | ".join(f"{cell:.3f}" for cell in cells), "|")


def _auc(high: Floats, low: Floats) -> float:
    return float(mannwhitneyu(high, low).statistic / len(high) / len(low))


def judged() -> Iterator[tuple[str, list[Pair], NDArray[np.bool_]]]:
    """Pairs of validation parts, and whether people call them the same."""
    for name, part, same in (("mrpc", "val", 1), ("parade", "validation", 2)):
        found = [row for row in rows(name) if row["group"] == part]
        yield name, [(row["a"], row["b"]) for row in found], np.array([row["label"] >= same for row in found])
    for name, least in (("stsb", 4.0), ("twitter-para", 0.6)):
        ratings = benchmark(name).load()
        samples = ratings.samples.rows(range(ratings.dev))
        pairs = list(zip(samples.sources, samples.candidates, strict=True))
        yield name, pairs, ratings.human[: ratings.dev] >= least


def show_thresholds() -> None:
    edits, _, rewritten = development()
    changed = parse("changed")
    of_edits = _scored(changed, edits)
    of_rewrites = {name: _scored(changed, pairs) for name, pairs in rewritten.items()}
    print("| least changed | edits below |", " | ".join(f"{name} above" for name in of_rewrites), "|")
    print("|---:|---:|" + "---:|" * len(of_rewrites))
    for least in np.arange(1, 9) / 20:
        above = [np.mean(own >= least) for own in of_rewrites.values()]
        print(f"| {least:.2f} | {np.mean(of_edits < least):.1%} |", " | ".join(f"{cell:.1%}" for cell in above), "|")
    meaning = parse("meaning")
    tables = {name: (_scored(meaning, pairs), same) for name, pairs, same in judged()}
    print("\n| least meaning |", " | ".join(f"{name}: precision, recall" for name in tables), "| mean F0.5 | mean F1 |")
    print("|---:|" + "---|" * len(tables) + "---:|---:|")
    for least in np.arange(2, 20) / 20:
        found = [_precision_recall(scores >= least, same) for scores, same in tables.values()]
        means = [np.mean([_f(p, r, beta) for p, r in found]) for beta in (0.5, 1.0)]
        cells = [f"{p:.1%}, {r:.1%}" for p, r in found] + [f"{mean:.3f}" for mean in means]
        print(f"| {least:.2f} |", " | ".join(cells), "|")


def show_strict() -> None:
    """Pairs that `meaning` accepts although a rule sees a loss: how many people call the same, and what they cost."""
    configuration = read_configuration(CONFIGURATION)
    others = [(rows.name, [row[0] for row in rows.pairs], np.array(rows.scores) >= 0.5)
              for rows in labelled_sets(configuration, "dev") if rows.name != "mrpc"]  # fmt: skip
    accept = parse("usable").accept  # type: ignore[attr-defined]
    print("| set | accepted | with a loss | of these called the same | precision, recall | with rules |")
    print("|---|---:|---:|---:|---|---|")
    for name, pairs, same in [*judged(), *others]:
        said = _scored(parse("meaning"), pairs) >= accept
        lost = np.array([counts(own) for own in starmap(findings, pairs)])
        both = " | ".join("{:.1%}, {:.1%}".format(*_precision_recall(kept, same)) for kept in (said, said & ~lost))
        print(f"| {name} | {said.sum()} | {(said & lost).sum()} | {(said & lost & same).sum()} | {both} |")


def _f(precision: float, recall: float, beta: float) -> float:
    weighted = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / weighted if weighted else 0.0


def _scored(metric: Metric, pairs: list[Pair]) -> Floats:
    scores = metric.score(sources=[one for one, _ in pairs], candidates=[other for _, other in pairs])
    return scores[~np.isnan(scores)] if metric.name == "changed" else np.nan_to_num(scores, nan=0.0)


def _precision_recall(said: NDArray[np.bool_], same: NDArray[np.bool_]) -> tuple[float, float]:
    right = float((said & same).sum())
    return right / max(said.sum(), 1), right / max(same.sum(), 1)


def show_extended() -> None:
    specs = [
        "parascore",
        "parascore:similarity=meaning",
        "parascore:similarity=meaning,omega=0.35",
        "meaning",
        "usable",
    ]
    for name in ("twitter-para", "twitter-para-extended"):
        ratings = benchmark(name).load()
        samples = ratings.samples.rows(range(ratings.dev))
        human = ratings.human[: ratings.dev]
        copies = np.array([one == other for one, other in zip(samples.sources, samples.candidates, strict=True)])
        print(f"{name}: {len(samples):,} rows of the development part, {copies.sum()} copies")
        for spec in specs:
            scores = parse(spec).score(samples)
            above = np.mean(scores[copies].mean() >= scores[~copies]) if copies.any() else np.nan
            correlation = np.corrcoef(np.nan_to_num(scores), human)[0, 1]
            print(f"  {spec:42} pearson {correlation:.3f}  a copy is at least as good as {above:.0%} of the candidates")


def show_speed() -> None:
    ratings = benchmark("twitter-para").load()
    samples = ratings.samples.rows(range(512))
    pairs = list(zip(samples.sources, samples.candidates, strict=True))
    parse("parascore-free").score(samples.rows([0]))  # loads the encoder
    work: dict[str, Callable[[], object]] = {
        "parascore-free, cold": lambda: parse("parascore-free").score(samples, Workspace()),
        "meaning, cold": lambda: parse("meaning").score(samples, Workspace()),
        "changed": lambda: parse("changed").score(samples, Workspace()),
        "rules": lambda: list(starmap(findings, pairs)),
    }
    for name, run in work.items():
        times = []
        for _ in range(3):
            started = time.process_time()
            run()
            times.append(time.process_time() - started)
        print(f"{name:22} {1e6 * min(times) / len(samples):9,.0f} µs per row (processor time)")


if __name__ == "__main__":
    shown = {
        "changed": show_changed, "thresholds": show_thresholds, "strict": show_strict, "extended": show_extended,
        "speed": show_speed,
    }  # fmt: skip
    if len(sys.argv) != 2 or sys.argv[1] not in shown:
        sys.exit(f"usage: python {Path(__file__).name} {'|'.join(shown)}")
    shown[sys.argv[1]]()
