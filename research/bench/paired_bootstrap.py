"""How often do paired bootstraps tell two equally good systems apart at p < 0.05? It should be in 5% of all cases.

Two systems replace words of the same references at random, at the same rate, so that neither is better. Their corpus
BLEU is compared by three rules on the same resamples: sacrebleu's `--paired-bs` (how often |d| − mean |d| is beyond the
difference found; sacrebleu 2.6, significance.py), a centred two-sided test (|d − mean d|), and paragauge's. `--live`
has sacrebleu's own code judge that many of the pairs. With several candidates per source, alike in how hard they are,
the rules of sacrebleu resample rows, and paragauge sources.

    python bench/paired_bootstrap.py --live 200
"""

from __future__ import annotations

import argparse

import numpy as np

from paragauge.compute.workspace import Workspace
from paragauge.metrics import parse
from paragauge.stats.interval import Resamples
from paragauge.stats.resample import draw
from paragauge.tables.samples import Samples

WORDS, LENGTH, RESAMPLES = 200, 18, 1000


def pair(random: np.random.Generator, sources: int, candidates: int) -> tuple[list[str], list[list[str]]]:
    """The references, and two systems' outputs: `candidates` each for every source."""
    references: list[str] = []
    outputs: list[list[str]] = [[], []]
    for _ in range(sources):
        text = random.integers(WORDS, size=LENGTH)
        rates = random.beta(2, 4, size=2) if candidates > 1 else [1 / 3, 1 / 3]  # how hard, for each system
        for _ in range(candidates):
            references.append(" ".join(f"w{word}" for word in text))
            for system, rate in zip(outputs, rates, strict=True):
                noise = random.integers(WORDS, size=LENGTH)
                changed = np.where(random.random(LENGTH) < rate, noise, text)
                system.append(" ".join(f"w{word}" for word in changed))
    return references, outputs


def p_values(counts: list[np.ndarray], sources: int, seed: int) -> tuple[float, float, float]:
    """Of the three rules."""
    bleu = parse("bleu")
    rows = len(counts[0])
    found = np.array([bleu.from_counts(one.sum(axis=0, keepdims=True), corpus=True)[0] for one in counts])
    by_row = draw(rows, RESAMPLES, seed)
    one, two = (bleu.from_counts(by_row @ own, corpus=True) for own in counts)
    observed, absolute, centred = abs(found[0] - found[1]), np.abs(one - two), (one - two) - (one - two).mean()
    theirs = ((absolute - absolute.mean() > observed).sum() + 1) / (RESAMPLES + 1)
    two_sided = ((np.abs(centred) > observed).sum() + 1) / (RESAMPLES + 1)
    summed = [own.reshape(sources, rows // sources, -1).sum(axis=1) for own in counts]
    by_source = by_row if sources == rows else draw(sources, RESAMPLES, seed)
    values = np.stack([bleu.from_counts(by_source @ own, corpus=True) for own in summed])
    return theirs, two_sided, Resamples(values, found, sources).difference(0, 1).numbers[3]


def live(references: list[str], outputs: list[list[str]]) -> float:
    """The p-value that sacrebleu itself gives."""
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    systems = [("one", outputs[0]), ("two", outputs[1])]
    test = PairedTest(systems, {"BLEU": BLEU(references=[references])}, None, test_type="bs", n_samples=RESAMPLES)
    return float(test()[1]["BLEU"][1].p_value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--live", type=int, default=0, help="how many pairs sacrebleu's own code judges too")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    bleu = parse("bleu")
    for sources, candidates in ((200, 1), (50, 1), (50, 5)):
        random = np.random.default_rng([given.seed, sources, candidates])
        table, own = [], []
        for run in range(given.runs):
            references, outputs = pair(random, sources, candidates)
            counts = [
                bleu.counts(Samples.of(None, texts, [[one] for one in references]), Workspace()) for texts in outputs
            ]
            table.append(p_values(counts, sources, run))
            if run < given.live:
                own.append(live(references, outputs))
        rates = (np.array(table) < 0.05).mean(axis=0)
        error = (0.05 * 0.95 / given.runs) ** 0.5
        print(f"{sources} sources, {candidates} candidate(s) each; {given.runs} pairs of equal systems, ±{error:.1%}")
        for name, rate in zip(("sacrebleu --paired-bs", "centred, two-sided", "paragauge"), rates, strict=True):
            print(f"  {name:24s} p < 0.05 in {rate:.1%}")
        if own:
            print(f"  {'sacrebleu, its own code':24s} p < 0.05 in {(np.array(own) < 0.05).mean():.1%} of {len(own)}")


if __name__ == "__main__":
    main()
