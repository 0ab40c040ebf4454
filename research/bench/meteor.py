"""METEOR against nltk's meteor_score, as a ratio in one run: the same pairs, the same tokens, equal scores.

    python bench/meteor.py

Contenders take turns, and the best time of each counts, because machines are noisy. Both have WordNet loaded before;
both begin from the texts, and cut them with the same tokenizer. Twitter-Para is looked for in
PARAGAUGE_DATA; WordNet is the registry's (`paragauge models get wordnet`).
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import nltk.data
import numpy as np
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.translate.meteor_score import meteor_score

import paragauge as pg
from paragauge.metrics import parse
from paragauge.models.lexical.wordnet import WordNet, load_wordnet
from paragauge.text.stem import stem
from paragauge.text.tokens import tokenizer
from run import race, show, twitter_para

ROWS = 1_500


def nltk_reader(place: Path, folder: Path) -> Any:
    """nltk's reader on the same files; it reads only below its data path, and asks for two files more."""
    copied = folder / "corpora" / "wordnet"
    shutil.copytree(place, copied)
    (copied / "index.sense").write_text("")
    (copied / "lexnames").write_text("".join(f"{number:02d}\tname{number}\t1\n" for number in range(45)))
    nltk.data.path.insert(0, str(folder))
    return WordNetCorpusReader(str(copied), omw_reader=False)


def main() -> None:
    sources, candidates, references, _ = twitter_para()
    sources, candidates, references = sources[:ROWS], candidates[:ROWS], references[:ROWS]
    samples = pg.Samples.of(sources, candidates, [[text] for text in references])
    lexicon, metric, split = load_wordnet(), parse("meteor"), tokenizer("auto")
    with tempfile.TemporaryDirectory() as folder:
        reader = nltk_reader(lexicon.place, Path(folder))
        meteor_score([["dogs"]], ["hound"], wordnet=reader)

        def theirs() -> np.ndarray:
            rows = zip(candidates, references, strict=True)
            return np.array(
                [meteor_score([split(other.lower())], split(text.lower()), wordnet=reader) for text, other in rows]
            )

        def theirs_cold() -> np.ndarray:
            reader._synset_offset_cache.clear()
            return theirs()

        def cold() -> np.ndarray:
            stem.cache_clear()
            lexicon.synonyms.cache_clear()
            lexicon.synsets.cache_clear()
            return metric.score(samples)

        contenders = {
            "nltk meteor_score, no word seen before": theirs_cold,
            "paragauge, no word seen before": cold,
            "nltk meteor_score": theirs,
            "paragauge": lambda: metric.score(samples),
        }
        best = race(contenders, rounds=5)
    for title, peer in (("cold", "nltk meteor_score, no word seen before"), ("warm", "nltk meteor_score")):
        both = {name: found for name, found in best.items() if ("before" in name) == ("before" in peer)}
        show(f"METEOR, {ROWS:,} rows of Twitter-Para, {title}", both, peer)
    difference = np.abs(best["paragauge"][1] - best["nltk meteor_score"][1]).max()
    print(f"  largest difference: {difference:.1e}")
    started = time.perf_counter()
    WordNet(lexicon.place).synonyms("dogs")
    print(f"  reading WordNet's indexes: {time.perf_counter() - started:.2f} s")


if __name__ == "__main__":
    main()
