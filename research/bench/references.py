"""BLEU of every WMT19 system with five extra references against sacrebleu in a loop: the same texts, equal scores.

    python bench/references.py               all seven language pairs, 91 outputs (about 10 minutes on two cores)
    python bench/references.py kk-en lt-en   some pairs

Both give the corpus score of every system and the score of every segment, with six references. The five extra ones are
outputs of other systems, as there are human paraphrases of 500 segments only. Contenders take turns, and the best time
of each counts, because machines are noisy; sacrebleu's cache of tokens is emptied before each turn, as ours begins
empty. The data are looked for in PARAGAUGE_DATA.
"""

from __future__ import annotations

import logging
import sys

import numpy as np
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

from paragauge.references import wmt
from paragauge.references.scoring import score_task
from paragauge.references.task import EvaluationSet
from run import DATA, race, show

EXTRAS = 5
ROUNDS = 2


def tasks(pairs: list[str]) -> list[EvaluationSet]:
    """The outputs of each pair; the extra references are those of its first five systems."""
    found = []
    for pair in pairs or wmt.pairs(DATA / "wmt19"):
        task = wmt.read_pair(DATA / "wmt19", pair)
        found.append(task.with_extras([task.outputs[name] for name in task.systems[:EXTRAS]]))
    return found


def ours(every: list[EvaluationSet]) -> list[np.ndarray]:
    scored = [score_task(task, sizes=[EXTRAS])[0] for task in every]
    return [np.hstack([one.corpus[:, None], one.segments]) for one in scored]


def theirs(every: list[EvaluationSet]) -> list[np.ndarray]:
    for tokenizer in (Tokenizer13a, TokenizerRegexp):
        tokenizer.__call__.cache_clear()
    corpus, sentence = BLEU(), BLEU(effective_order=True)
    found = []
    for task in every:
        lines = list(zip(*task.references, strict=True))
        found.append(
            np.array(
                [
                    [
                        corpus.corpus_score(list(texts), task.references).score,
                        *(
                            sentence.sentence_score(text, list(others)).score
                            for text, others in zip(texts, lines, strict=True)
                        ),
                    ]
                    for texts in task.outputs.values()
                ]
            )
        )
    return found


def main() -> None:
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # outputs that look tokenised are so on both sides
    every = tasks(sys.argv[1:])
    outputs, segments = (
        sum(values) for values in zip(*((len(t.outputs), len(t.outputs) * t.segments) for t in every), strict=True)
    )
    best = race({"sacrebleu": lambda: theirs(every), "paragauge": lambda: ours(every)}, ROUNDS)
    show(
        f"corpus and segment BLEU, {outputs} outputs, {segments:,} segments, {EXTRAS + 1} references", best, "sacrebleu"
    )
    difference = max(np.abs(a - b).max() for a, b in zip(best["sacrebleu"][1], best["paragauge"][1], strict=True))
    print(f"  largest difference: {difference:.1e}")
    if difference > 1e-9:
        sys.exit("the scores differ")


if __name__ == "__main__":
    main()
