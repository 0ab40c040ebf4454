"""What references near the outputs of good systems gain, on these systems and on others (Bawden et al. 2020, 3.2).

    PARAGAUGE_DATA=data python bench/output_specific.py de-en --first 500
    PARAGAUGE_DATA=data python bench/output_specific.py lt-en --rows lt-en.json

`same`: constraints are n-grams of the better half of all systems by direct assessment, and all systems are scored. The
references were made from outputs that they score, so that this gain is biased. `other`: as in the paper, the systems
are split at random into halves, ten times; constraints come from the better half of one half, and the systems of the
other half are scored, with and without the references. The gains are means over the splits, with the least and the
most; splits share systems, so that no p is given. At most five references for each segment; a search for the same
n-gram in a paraphrase of the same reference is done once for all splits.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.paraphrasers.decoding.beam import BeamSettings
from paragauge.paraphrasers.decoding.step import Hypothesis
from paragauge.references import read_assessments, read_pair, score_task, segment_gain, system_gain
from paragauge.references.coverage import better_half, split_systems
from paragauge.references.human import Rankings
from paragauge.references.task import EvaluationSet
from paragauge.references.wmt import rankings_of
from paragauge_research.paraphrasers.output_specific import OutputSpecific

SPLITS = 10
N = 5
_found: dict[Any, list[Hypothesis]] = {}


@dataclass(frozen=True, kw_only=True)
class Remembering(OutputSpecific):
    """The same, but no search is done twice."""

    def search(
        self, ids: Sequence[Sequence[int]], settings: BeamSettings, **constraints: Any
    ) -> list[list[Hypothesis]]:
        required = constraints["required"]
        keys = [(tuple(one), phrases) for one, phrases in zip(ids, required, strict=True)]
        new = list(dict.fromkeys(key for key in keys if key not in _found))
        searched = super().search([list(key[0]) for key in new], settings, required=[key[1] for key in new])
        _found.update(zip(new, searched, strict=True))
        return [_found[key] for key in keys]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("pair", help="a language pair, e.g. de-en")
    arguments.add_argument("--first", type=int, help="first N segments  [default: all]")
    arguments.add_argument("--rows", type=Path, help="a file for the gains of each split")
    chosen = arguments.parse_args()
    folder = Path(os.environ["PARAGAUGE_DATA"]) / "wmt19"
    task = read_pair(folder, chosen.pair, first=chosen.first)
    human = read_assessments(folder / "DA-syslevel.csv")[chosen.pair]
    task = task.of([system for system in task.systems if system in human])
    rankings = rankings_of(folder, task)
    splits = [(task.systems, better_half(human, task.systems))]
    for seed in range(SPLITS):
        scored, others = split_systems(task.systems, 2, seed)[0]
        splits.append((scored, better_half(human, others)))
    rows = []
    for number, (scored, shaping) in enumerate(splits):
        rows.append({"references": "other" if number else "same", **gains(task, scored, shaping, human, rankings)})
        print(json.dumps(rows[-1]), flush=True)
    for key in ("gain of r", "gain of τ"):
        values = [row[key] for row in rows[1:] if key in row]
        if values:
            print(f"other, {key}: mean {np.mean(values):.3f}, {min(values):.3f} to {max(values):.3f}")
    if chosen.rows:
        chosen.rows.write_text(json.dumps(rows, indent=1), "utf-8")


def gains(
    task: EvaluationSet,
    scored: Sequence[str],
    shaping: Sequence[str],
    human: Mapping[str, float],
    rankings: Rankings | None,
) -> dict[str, Any]:
    """Of references with n-grams of the systems that are `shaping` them, over the systems that are scored."""
    extras = references(task, shaping)
    shown = task.of(scored).with_extras(extras)
    single, augmented = score_task(shown, sizes=(0, len(extras)))
    found = system_gain(single, augmented, human)
    filled = [sum(bool(text) for text in own) for own in zip(*extras, strict=True)]
    row: dict[str, Any] = {
        "systems": len(scored), "references per segment": float(np.mean(filled)), "r": found.single,
        "gain of r": found.gain, "low": found.low, "high": found.high, "p": found.p,
    }  # fmt: skip
    if rankings is not None:
        agreed = segment_gain(single, augmented, among(rankings, task.systems, scored))
        row |= {"τ": agreed.single, "gain of τ": agreed.gain}
        row |= {f"{key} of τ": getattr(agreed, key) for key in ("low", "high", "p", "rankings")}
    return row


def references(task: EvaluationSet, shaping: Sequence[str]) -> list[list[str]]:
    """Columns of references, empty where a segment has fewer."""
    table = [
        {"source": source, "candidate": task.outputs[system][place], "system": system}
        for place, source in enumerate(task.references[0])
        for system in shaping
    ]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in table)
        file.flush()
        found = list(Remembering(outputs=file.name).generate(task.references[0], N))
    return [[own[rank].text if rank < len(own) else "" for own in found] for rank in range(N)]


def among(rankings: Rankings, systems: Sequence[str], scored: Sequence[str]) -> Rankings:
    """The rankings of two systems that are both scored, with their places among these."""
    places = np.array([scored.index(system) if system in scored else -1 for system in systems])
    better, worse = places[rankings.better], places[rankings.worse]
    both = (better >= 0) & (worse >= 0)
    return Rankings(rankings.segment[both], better[both], worse[both])


if __name__ == "__main__":
    main()
