"""A study with raters who are simulated."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from paragauge.tables.samples import Samples
from paragauge.web.annotate.design import Design, make_items
from paragauge.web.annotate.guide import make_guide
from paragauge.web.annotate.store import Screen, StudyStore

WORDS = [a + b for a in ("re", "blu", "gre", "tal") for b in ("ka", "mo", "sin", "tep")]


def made_samples(sources: int = 15, systems: str = "ABC") -> Samples:
    """Sentences of eight words, and a candidate of each system; A's are copies."""
    chance = random.Random(4)
    texts, candidates, names, ids = [], [], [], []
    for number in range(sources):
        text = " ".join(chance.sample(WORDS, 8)) + f" {number}"
        for system in systems:
            texts.append(text)
            candidates.append(text if system == "A" else f"{' '.join(chance.sample(WORDS, 8))} {system}{number}")
            names.append(system)
            ids.append(str(number))
    return Samples.of(texts, candidates, None, names, ids)


def made_study(path: Path, samples: Samples | None = None, **design: Any) -> StudyStore:
    samples = samples or made_samples()
    chosen = Design(**design)
    return StudyStore.create(path, samples, chosen, make_items(samples, chosen), "A study", make_guide(chosen))


def answer_by(store: StudyStore, worth: Callable[[int, bool], float]) -> Callable[[Screen], dict[str, Any]]:
    """Answers by what each candidate is worth: a function of its cell and whether the text is broken."""

    def answer(task: Screen) -> dict[str, Any]:
        values = [worth(cell, made is not None) for cell, made in task.shown]
        if store.design.task == "direct":
            return {name: min(100, max(0, round(values[0]))) for name in store.design.questions}
        if store.design.task == "pairwise":
            return {"better": int(values[1] > values[0])}
        return {"best": values.index(max(values)), "worst": values.index(min(values))}

    return answer


def judge(
    store: StudyStore, rater: str, answer: Callable[[Screen], dict[str, Any]], most: int = 10_000
) -> list[Screen]:
    """Let a rater judge until nothing is left, or `most` tasks are done; gives the tasks they were given."""
    store.join(rater)
    done = 0
    while waiting := [task for task in store.give(rater) if task.answer is None]:
        for task in waiting:
            if done == most:
                return store.tasks(rater)
            store.save(rater, task.task, answer(task), 2.0, f"key of {task.task}")
            done += 1
    return store.tasks(rater)
