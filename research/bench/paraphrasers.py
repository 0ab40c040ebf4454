"""How good paraphrasers are on held-out test pairs: meaning kept, words changed, copies, details lost, speed.

    PARAGAUGE_DATA=data python bench/paraphrasers.py --model trained/int8
    PARAGAUGE_DATA=data python bench/paraphrasers.py --model trained/int8 --rows 500 --look 50 -o outputs.jsonl
    PARAGAUGE_DATA=data python bench/paraphrasers.py --model trained/int8 --dev trained/data/dev.jsonl
    PARAGAUGE_DATA=data python bench/paraphrasers.py --method beam:protect=no --method beam

For each test part and method: `cosine` and `changed` (the normalised edit distance of characters) of the source and
the first of five candidates that is no copy, `copies` (sources whose best candidate is one), `kept` (first candidates
with all numbers and names of their source), `none` (sources without a candidate that is no copy) and seconds per 1,000
sources. The row `human` is the pair's other text. `reranked` takes the best of its beam by the same cosine: its column
says how far that goes, not how good the model is. `--look 50` writes the candidates of so many sources of each part, to
be read. `--race MODEL` has CTranslate2 and torch decode the same sources in turn, with the weights of a folder that
both can read (extra `torch`).
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from rapidfuzz.distance import Levenshtein

from paragauge.models.encoders.encoder import load_encoder
from paragauge.paraphrasers import parse
from paragauge.text.normalize import alphanumeric
from paragauge_research.training.paraphraser import CONFIGURATIONS
from paragauge_research.training.paraphraser.configuration import read_configuration
from paragauge_research.training.paraphraser.pairs import read_reserved, read_selected
from paragauge_research.training.paraphraser.written import has_names, same_numbers

N = 5


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--model", help="a model folder: beam and reranked with it")
    arguments.add_argument("--method", action="append", default=[], help="a method, e.g. wordswap-1")
    arguments.add_argument("--set", action="append", default=[], help="test parts  [default: all]")
    arguments.add_argument("--rows", type=int, default=500, help="different sources of each part")
    arguments.add_argument("--look", type=int, default=0, help="sources of each part whose candidates are written")
    arguments.add_argument("--dev", type=Path, help="data/dev.jsonl of a training, instead of the test parts")
    arguments.add_argument("--race", metavar="MODEL", help="CTranslate2 against torch, nothing else")
    arguments.add_argument("-o", "--output", type=Path, default=Path("outputs.jsonl"))
    chosen = arguments.parse_args()
    if chosen.race:
        race(chosen.race, chosen.rows)
        return
    methods = [*chosen.method]
    if chosen.model:
        methods += [f"beam:model={chosen.model}", f"reranked:model={chosen.model}"]
    configuration = read_configuration(CONFIGURATIONS / "default.toml")
    print(f"data: {os.environ.get('PARAGAUGE_DATA', configuration.data_folder)}")
    print(f"{'set':<12} {'method':<34} cosine changed copies   kept   none  s/1,000")
    written = []
    parts = {
        name: lambda one=one: read_reserved(one, configuration.data_folder)
        for name, one in configuration.sets.items()
        if one.reserved and (not chosen.set or name in chosen.set)
    }
    if chosen.dev:  # to choose between models; the test parts are for the one that was chosen
        parts = {"dev": lambda: (pair[:2] for pair in read_selected(chosen.dev))}
    for name, read in parts.items():
        pairs: dict[str, str] = {}
        for source, target in read():
            pairs.setdefault(source, target)
        pairs = dict(islice(pairs.items(), chosen.rows))
        sources = list(pairs)
        show(name, "human", sources, [[pairs[source]] for source in sources], 0.0)
        for spec in methods:
            method = parse(spec)
            next(iter(method.generate(sources[:1], N)))  # loads the model
            started = time.perf_counter()
            found = [[candidate.text for candidate in own] for own in method.generate(sources, N)]
            show(name, spec, sources, found, time.perf_counter() - started)
            for source, own in islice(zip(sources, found, strict=True), chosen.look):
                written.append({"set": name, "method": spec, "source": source, "candidates": own})
    if chosen.look:
        chosen.output.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in written), "utf-8")


def race(model: str, rows: int) -> None:
    """Beams of five on sources of Quora, three rounds in turn; the best round of each counts."""
    sources = quora(rows)
    contenders = {
        "torch": "backend=torch",
        "ctranslate2 float32": "backend=ctranslate2",
        "ctranslate2 int8": "backend=ctranslate2,precision=int8",
    }
    methods = {name: parse(f"beam:model={model},{written}") for name, written in contenders.items()}
    seconds: dict[str, float] = dict.fromkeys(methods, float("inf"))
    texts = {}
    for method in methods.values():
        list(method.generate(sources[:1], N))
    for _ in range(3):
        for name, method in methods.items():
            started = time.perf_counter()
            texts[name] = [[candidate.text for candidate in own] for own in method.generate(sources, N)]
            seconds[name] = min(seconds[name], time.perf_counter() - started)
    for name in methods:
        same = np.mean([one == other for one, other in zip(texts[name], texts["torch"], strict=True)])
        print(
            f"{name:<22} {len(sources) / seconds[name]:8.1f} sources/s  {seconds['torch'] / seconds[name]:5.2f} x torch"
            f"  the same five best: {same:.1%}"
        )


def quora(rows: int) -> list[str]:
    """The first different sources of its test part."""
    configuration = read_configuration(CONFIGURATIONS / "default.toml")
    found = read_reserved(configuration.sets["quora"], configuration.data_folder)
    return list(islice(dict.fromkeys(source for source, _ in found), rows))


def show(name: str, method: str, sources: Sequence[str], found: Sequence[Sequence[str]], seconds: float) -> None:
    """One row of the table."""
    first = {
        source: next((text for text in own if alphanumeric(text) != alphanumeric(source)), None)
        for source, own in zip(sources, found, strict=True)
    }
    pairs = [(source, text) for source, text in first.items() if text is not None]
    encoder = load_encoder()
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    vectors = dict(zip(texts, (one.sentence for one in encoder.encode(texts)), strict=True))
    cosines = [float(vectors[source] @ vectors[text]) for source, text in pairs]
    changed = [Levenshtein.normalized_distance(source, text) for source, text in pairs]
    kept = [same_numbers(source, text) and has_names(source, text) for source, text in pairs]
    copies = [
        bool(own) and alphanumeric(own[0]) == alphanumeric(source) for source, own in zip(sources, found, strict=True)
    ]
    print(
        f"{name:<12} {method:<34} {np.mean(cosines):6.3f} {np.mean(changed):7.3f} {np.mean(copies):6.1%} "
        f"{np.mean(kept):6.1%} {1 - len(pairs) / len(sources):6.1%} {1000 * seconds / len(sources):8.1f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
